// Confirmation before a write. Where no terminal can ask, flags must have answered; nothing is sent on a guess.

import type { Client } from '../../api/client.ts'
import { assistants, refuseWrites } from '../../api/request/read-only.ts'
import type { LooseRequest } from '../../api/request/request.ts'
import { sanitize } from '../../base/text/sanitize.ts'
import type { Endpoint } from '../../contract/endpoint.ts'
import { PromoError, usageError } from '../../errors.ts'
import type { Resolved } from '../../profiles/resolve.ts'
import type { confirmFlags } from '../flags/flags.ts'
import type { ValuesOf } from '../flags/kinds.ts'
import type { Messages } from '../result/messages.ts'
import type { Asker, Host } from '../run/host.ts'
import { shownValue } from './asked-value.ts'
import type { Detail } from './detail.ts'
import { askText, askYesNo, canAsk } from './prompts.ts'

export type ConfirmFlags = ValuesOf<typeof confirmFlags>

/** The flags that answer a question, or say that none may be asked. */
export type AskFlags = ConfirmFlags & { 'no-input'?: boolean }

/** What is agreed to. */
export interface Question {
  /** What will happen, with its count: `disable 40,000 vouchers`. */
  action: string
  /** The rows that it changes; 1 unless given. */
  count?: number
  /** It deletes something in the project. */
  deletes?: boolean
  /** What a person who is asked reads after it: who holds it, and what it will be (detail.ts). Not called where nothing is asked. */
  detail?: (() => Promise<Detail>) | undefined
  /** False for a single write that needs no y/N; a protected profile always asks. */
  asks?: boolean
  /** It cannot be undone, and the question says so. */
  isFinal?: boolean
}

interface Asked extends Question {
  /** Where it happens; absent for what concerns only this computer. */
  profile?: Pick<Resolved, 'name' | 'protected' | 'readOnly' | 'projectId'>
  flags: AskFlags
  host: Asker & Pick<Host, 'ask'>
}

/** Writes to stderr which profile a write goes to, and what chose it. */
export function announceWrite(
  profile: Pick<Resolved, 'name' | 'source' | 'origin' | 'projectId' | 'keysOf'>,
  messages: Messages,
): void {
  const project = profile.projectId === undefined ? '' : `, project ${profile.projectId}`
  const keys = profile.keysOf === undefined ? '' : `, keys of ${profile.keysOf}`
  messages.say(`profile ${profile.name} (from ${profile.source})${keys}${project}, ${profile.origin}`)
}

/**
 * Asks for the confirmation that a write needs: the name of a protected profile, y/N for several rows. The question says
 * what is done, how often, in which profile and project, and whether it can be undone.
 *
 * `--yes` answers y/N; a protected profile takes `--yes --confirm NAME`. Throws `confirmation` (exit 11) when the
 * answer is no or cannot be asked, `usage` when --confirm names another profile, and `config` where nothing may be changed.
 */
export async function confirmWrite({
  profile,
  flags,
  host,
  action,
  count = 1,
  deletes = false,
  detail,
  asks = true,
  isFinal,
}: Asked): Promise<void> {
  const name = profile?.name
  // Of what an assistant wants to write, the question alone is made where nothing may be sent.
  if (host.ask === undefined || profile?.readOnly !== assistants) refuseWrites(profile?.readOnly, name)
  const final = isFinal ? ' This cannot be undone.' : ''
  if (host.ask) {
    const place = profile === undefined ? '' : placeOf(profile)
    const question = `${await withDetail(action, deletes ? undefined : detail)}${place}?${final}`
    if (!(await host.ask(sanitize(question), { rows: count, deletes })))
      throw unconfirmedError('declined; nothing was sent')
    return
  }
  if (flags.confirm !== undefined && flags.confirm !== name) {
    throw usageError(`--confirm names "${flags.confirm}", but the profile is "${name}"`)
  }
  const isProtected = profile?.protected === true
  if (isProtected ? flags.yes && flags.confirm === name : !asks || flags.yes) return
  // Where nobody can be asked, what the service can only refuse is not for lack of --yes.
  const told = await withDetail(action, detail)
  const what = canAsk(flags, host) ? told : action
  if (isProtected) {
    await askForName(profile, `${what}${placeOf(profile)}?${final}`, flags, host)
    return
  }
  const question = `${what}${profile === undefined ? '' : placeOf(profile)}?${final}`
  if (!canAsk(flags, host))
    throw unconfirmedError(`${question} There is no terminal to ask on`, 'add --yes to go ahead')
  if (!(await askYesNo(question, host))) throw unconfirmedError('declined; nothing was sent')
}

/** Returns what will happen, with what is known of it. Throws `api` (exit 3) where the service can only refuse. */
async function withDetail(action: string, detail: Question['detail']): Promise<string> {
  const { text, refused } = (await detail?.()) ?? { text: '' }
  if (refused === undefined) return `${action}${text}`
  const { hint } = refused
  throw new PromoError('api', `cannot ${action}${text}; nothing was sent`, hint === undefined ? {} : { hint })
}

function placeOf({ name, projectId }: Pick<Resolved, 'name' | 'projectId'>): string {
  return ` in ${projectId === undefined ? '' : `project ${shownValue(projectId)} of `}profile "${name}"`
}

async function askForName(
  { name }: Pick<Resolved, 'name'>,
  question: string,
  flags: AskFlags,
  host: Asker & Pick<Host, 'ask'>,
): Promise<void> {
  if (!canAsk(flags, host)) {
    throw unconfirmedError(
      `${question} The profile is protected, and there is no terminal to ask on`,
      `add --yes --confirm ${name} to go ahead`,
    )
  }
  const typed = await askText(`${question} Type the profile's name to go ahead:`, host, { isOptional: true })
  if (typed !== name) throw unconfirmedError('the name does not match; nothing was sent')
}

/** Returns the detail of the question about a call; nothing is read before it is called. */
export function detailFor(
  { client, profile }: { client: Client; profile: Pick<Resolved, 'projectId'> },
  endpoint: Endpoint,
  request: LooseRequest,
): () => Promise<Detail> {
  return async () => {
    const { detailOf } = await import('./detail.ts')
    return await detailOf({ client, projectId: profile.projectId }, endpoint, request)
  }
}

/** Says whether nothing can bring back what a call takes away, or recall what it sends. */
export function isFinalCall({ confirm, repeat }: Pick<Endpoint, 'confirm' | 'repeat'>): boolean {
  return confirm === 'final' || repeat === 'once'
}

/** Says whether a call deletes an object of the project. */
export function isDeletion({ method, id }: Pick<Endpoint, 'method' | 'id'>): boolean {
  return method === 'DELETE' || id.includes('delet')
}

function unconfirmedError(message: string, hint?: string): PromoError {
  return new PromoError('confirmation', message, hint === undefined ? {} : { hint })
}

// Confirmation before a write. Where no terminal can ask, flags must have answered; nothing is sent on a guess.
import { EXIT, PromoError, usageError } from '../../errors.ts'
import type { Resolved } from '../../profiles/resolve.ts'
import type { Messages } from '../result/messages.ts'
import type { Host } from '../run/host.ts'
import { askText, askYesNo, canAsk } from './prompts.ts'

export interface ConfirmFlags {
  yes?: boolean
  confirm?: string | undefined
}

interface Write {
  profile: Pick<Resolved, 'name' | 'protected'>
  flags: ConfirmFlags & { 'no-input'?: boolean }
  host: Host
  /** What will happen, as a question without the question mark; absent for a single write that needs no y/N. */
  question?: string
}

/** Writes to stderr which profile a write goes to, and what chose it. */
export function announceWrite(
  profile: Pick<Resolved, 'name' | 'source' | 'origin' | 'projectId'>,
  messages: Messages,
): void {
  const project = profile.projectId === undefined ? '' : `, project ${profile.projectId}`
  messages.say(`profile ${profile.name} (from ${profile.source})${project}, ${profile.origin}`)
}

/**
 * Asks for the confirmation that a write needs: the name of a protected profile, y/N for several rows.
 *
 * `--yes` answers y/N; a protected profile takes `--yes --confirm NAME`. Throws `confirmation` (exit 11) when the
 * answer is no or cannot be asked, and `usage` when --confirm names another profile.
 */
export async function confirmWrite({ profile, flags, host, question }: Write): Promise<void> {
  const { name } = profile
  if (flags.confirm !== undefined && flags.confirm !== name) {
    throw usageError(`--confirm names "${flags.confirm}", but the profile is "${name}"`)
  }
  if (profile.protected && !(flags.yes && flags.confirm === name)) {
    await askForName(name, flags, host)
    return
  }
  if (question === undefined || flags.yes || profile.protected) return
  if (!canAsk(flags, host)) throw unconfirmed(`${question}? There is no terminal to ask on`, 'add --yes to go ahead')
  if (!(await askYesNo(`${question}?`, host))) throw unconfirmed('declined; nothing was sent')
}

async function askForName(name: string, flags: Write['flags'], host: Host): Promise<void> {
  if (!canAsk(flags, host)) {
    throw unconfirmed(
      `profile "${name}" is protected, and there is no terminal to ask on`,
      `add --yes --confirm ${name}`,
    )
  }
  const typed = await askText(`profile "${name}" is protected; type its name to go ahead:`, host, { isOptional: true })
  if (typed !== name) throw unconfirmed('the name does not match; nothing was sent')
}

function unconfirmed(message: string, hint?: string): PromoError {
  return new PromoError('confirmation', EXIT.unconfirmed, message, hint === undefined ? {} : { hint })
}

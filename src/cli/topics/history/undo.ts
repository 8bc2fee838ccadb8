// Undoing one change of the history: the object is read, the inverse of the call is shown, asked for, sent and read back.
import { isDeepStrictEqual } from 'node:util'
import type { Client, RequestOf } from '../../../api/client.ts'
import { listNames } from '../../../base/name-list.ts'
import { argumentWords, shellWord } from '../../../base/shell-word.ts'
import { referrersOf } from '../../../config/referrers.ts'
import {
  type Changing,
  changingCall,
  inverseCall,
  keptValues,
  objectNow,
  type Undoing,
  undoing,
} from '../../../config/undo.ts'
import type { Endpoint } from '../../../contract/endpoint.ts'
import { inverseOf } from '../../../contract/inverses.ts'
import { hidden } from '../../../contract/secret-names.ts'
import { EXIT, type ExitCode, PromoError, usageError } from '../../../errors.ts'
import type { Difference } from '../../../model/bodies.ts'
import { oneOf } from '../../../model/kinds.ts'
import { pathWith } from '../../../model/objects.ts'
import { setAt, valueAt } from '../../../model/value.ts'
import { differenceColumns } from '../../../output/columns/plan.ts'
import { environmentName } from '../../../profiles/profile.ts'
import { mustAct } from '../../../writes/act.ts'
import type { Seen } from '../../../writes/judge.ts'
import { look } from '../../../writes/look.ts'
import type { CommandSource } from '../../command.ts'
import { announceWrite } from '../../prompt/confirm.ts'
import { showPlan } from '../../request/carry-out.ts'
import type { Change } from '../../session/history.ts'
import type { Run } from '../../session/run.ts'
import { afterGrace } from '../../stop.ts'
import { insteadOf, inverseOfJobs, writeOf } from '../../undo.ts'
import { findChange, undoCommand } from './find-change.ts'

interface Runner extends Run {
  source: CommandSource
}

/** A change that has an inverse. */
interface Undoable extends Changing {
  inverse: Endpoint
  change: Change
  /** The ids in its path. */
  ids: Record<string, string>
  /** That of the object. */
  id: string
}

/**
 * Undoes a change, and returns the exit code: 3 where somebody changed a part of it since, which is left alone.
 *
 * Throws `usage` for a change without an inverse, `journal` (exit 9) where its profile leads to another project by now, `config`
 * (exit 4) where its keys cannot read what may refer to the object, and `api` when nothing is left to undo, or the service did not
 * take it.
 */
export async function undoChange(called: string, runner: Runner): Promise<ExitCode> {
  const { host, show, isDryRun } = runner
  const change = await findChange(called, host)
  const undoable = await undoableIn(change, runner.source)
  const { kind, act, inverse, ids, id } = undoable
  const name = change.profile === environmentName ? undefined : change.profile
  const session = await runner.openSession({ name, signal: afterGrace(host.stop) })
  try {
    const { client, profile } = session
    announceWrite(profile, show)
    mustBeOfProject(change, profile)
    const now = await objectNow(client, kind, ids, id)
    const named = `${kind.noun} ${JSON.stringify(id)}`
    if (now === undefined) throw nothingLeft(`${named} is gone`)
    const found = undoing(undoable, change, now)
    const { restored, left, body } = found
    if (act === 'create' && left.length > 0)
      throw nothingLeft(`${named} was changed since it was created: ${sentenceOf(left, 'is')}`)
    const mustBeUnused = async () => {
      if (act !== 'create') return
      const referrers = await referrersOf(client, profile.projectId ?? '', [{ kind, id, wire: now }])
      const users = referrers.users.get(id) ?? []
      if (users.length > 0)
        throw nothingLeft(`${named} is in use: ${listNames(users)} refer${users.length > 1 ? '' : 's'} to it`)
      if (referrers.unreadable.length > 0) throw unknownUsers(named, referrers.unreadable)
    }
    await mustBeUnused()
    for (const { member, before } of left)
      show.warn(`${member} of ${named} was changed since, to ${showValue(before)}; it is left alone`)
    const rows = rowsOf(undoable, found)
    if (restored.length === 0) {
      if (left.length > 0) throw nothingLeft(`everything that "${change.command}" changed was changed since`)
      show.say(`${named} is as it was before; nothing was sent`)
      await show.afterWrite.rows([], differenceColumns)
      return EXIT.ok
    }
    // In the trash bin its name would stay taken, as it was not before.
    const forGood = act === 'create' && kind.binned !== undefined && { query: { force: true } }
    const request = { path: pathWith(inverse, ids, id), ...forGood, ...(body && { body }) } as RequestOf<Endpoint>
    const plan = client.plan(inverse, request)
    const unasked = ['products', 'skus'].includes(kind.name) ? ' (the service cannot say which orders have it)' : ''
    const about =
      act === 'create' ? `delete ${named}, which is as it was created${unasked}` : `${named}: ${sentenceOf(restored)}`
    const action = `undo "${change.command}" of ${when(change)}: ${about}`
    const exitCode = left.length > 0 ? EXIT.refused : EXIT.ok
    if (isDryRun) {
      show.say(action)
      await showPlan([plan], show)
      return exitCode
    }
    const deletes = inverse.method === 'DELETE'
    await session.agree({ action, deletes, isFinal: deletes })
    // A question may be open for hours.
    const expects = async () => {
      if (!isDeepStrictEqual(await objectNow(client, kind, ids, id), now))
        throw nothingLeft(`${named} was changed while promo asked`, `promo history undo ${argumentWords(change.id)}`)
      await mustBeUnused()
      return undefined
    }
    const readBack = () => seenUndone(undoable, named, client)
    const call = changingCall(inverse) as Changing
    const keptOf = (answer: unknown) => keptValues(call, now, body, answer)
    const write = { endpoint: inverse, request, expects: !runner.isAgreed && expects, readBack }
    await mustAct(client, write, { kept: keptOf, hint: 'promo history --limit 2' })
    await show.afterWrite.rows(rows, differenceColumns)
    return exitCode
  } finally {
    await session.close()
  }
}

/** Says whether a change has an inverse that is sent for it, whatever happened to its object since. */
export async function isUndone(change: Change, source: CommandSource): Promise<boolean> {
  return await undoableIn(change, source).then(
    () => true,
    () => false,
  )
}

type Refusal = (why: string, hint: string) => PromoError

/** Finds what undoes a change. Throws `usage` where nothing does, with what does it by hand. */
async function undoableIn(change: Change, source: CommandSource): Promise<Undoable> {
  const { command, job, call = '', outcome, after, before } = change
  const no: Refusal = (why, hint) => usageError(`"${command}" is not undone by promo: ${why}`, hint)
  const look = `promo history --json --query ${shellWord(`[?id=='${change.id}']`)}`
  if (job !== undefined) throw no('it is a job', `promo jobs undo ${argumentWords(job)}`)
  if (outcome === 'refused' || outcome === 'not_sent') throw no('it changed nothing', look)
  if (outcome !== 'applied') throw no('it is unknown whether it was applied', look)
  const changing = changingCall({ id: call })
  await mustBeOfModel(change, call, source, no, look)
  if (changing === undefined) throw no('promo knows no inverse of its call', look)
  const { endpoint, act, kind } = changing
  const ids = idsIn(endpoint, change.path ?? '')
  if (act === 'delete') {
    const lacks = kind.takes === undefined ? '' : `, and lacks ${kind.takes}`
    const bin =
      kind.binned === undefined ? '' : `; in the trash bin it keeps its name taken (promo api GET /v1/trash-bin)`
    const because = `what was deleted cannot be brought back; another one has another id${lacks}${bin}`
    const made = recreation(changing, { ...change, command: await commandOf(change, source) }, ids)
    throw no(because, made ?? look)
  }
  const inverse = inverseCall(changing)
  if (inverse === undefined) throw no(`${oneOf(kind)} has no call that undoes it`, look)
  if (after === undefined || (before === undefined && act !== 'create'))
    throw no('the history does not have the values before and after', look)
  if (JSON.stringify([before, after]).includes(hidden)) throw no('the history keeps no secrets', look)
  if (Object.keys(after).length === 0) throw no('it changed nothing', look)
  const id = act === 'create' ? String(after.id) : (Object.values(ids).at(-1) ?? '')
  return { ...changing, inverse, change, ids, id }
}

/** What was changed, as arguments: an id of which the path or the answer has all is one word. */
function wordsOf({ subject, path = '', after }: Change): string {
  const whole = subject ?? ''
  const isOne = after?.id === whole || path.split('/').some((part) => decodeURIComponent(part) === whole)
  return argumentWords(...(isOne ? [whole] : whole.split(' ')))
}

/** Throws why promo does not undo a call, with the command line that does it by hand, unless the model of its object undoes it. */
async function mustBeOfModel(
  change: Change,
  call: string,
  source: CommandSource,
  no: Refusal,
  look: string,
): Promise<void> {
  const inverse = inverseOf({ id: call })
  if (inverse === undefined) return
  const name = change.command.replaceAll(' ', ':')
  const made = Object.hasOwn(source.index.commands, name)
    ? (await source.load(name.replaceAll(':', '/'))).default
    : undefined
  // A command that creates may have changed what was there: then its words are not about this call.
  const isOf =
    made !== undefined && writeOf(made)?.method === change.method && isDeepStrictEqual(inverseOfJobs(made), inverse)
  if ('byHand' in inverse) {
    // The words of a command that takes many rows are about a job.
    const isOne = isOf && made.instead !== undefined && made.words === undefined
    throw no(
      inverse.byHand,
      isOne ? insteadOf(made, wordsOf(change), {}) : isOf ? `promo help ${argumentWords(...name.split(':'))}` : look,
    )
  }
  if (made?.undo === undefined) throw no(`${inverse.call} reverses it`, look)
  const command = made.undo.replaceAll(':', ' ')
  const rest = restOf(change, command)
  const words = wordsOf(change)
  throw no(`${command} reverses it`, `promo ${command} ${rest === undefined ? '--help' : `${rest}${words}`}`)
}

/**
 * The flags of the command that reverses a change, which goes to the profile of the change; undefined where the history does not
 * say what it takes.
 */
function restOf({ before, after, subject, profile }: Change, inverse: string): string | undefined {
  if (subject === null) return undefined
  const place = profile === environmentName ? '' : `--profile ${shellWord(profile)} `
  if (typeof after?.active === 'boolean' || (inverse === 'redemptions rollback' && subject.startsWith('r_')))
    return place
  const [from, to] = [before?.balance, after?.balance]
  if (typeof from !== 'number' || typeof to !== 'number' || from === to) return undefined
  return `${place}--${inverse.startsWith('loyalty') ? 'points' : 'amount'} ${Math.abs(to - from)} `
}

/** The ids in the path of a call, by the names in that of its declaration. */
function idsIn({ path: declared }: Endpoint, path: string): Record<string, string> {
  const values = path.split('/')
  const names = declared.split('/').map((part) => /^\{(\w+)\}$/.exec(part)?.[1])
  return Object.fromEntries(
    names.flatMap((name, at) => (name === undefined ? [] : [[name, decodeURIComponent(values[at] ?? '')]])),
  )
}

/** The command that makes the call of a change: where an undo made it, that of another change would have. */
async function commandOf({ command, call }: Change, source: CommandSource): Promise<string> {
  if (command !== undoCommand) return command
  const removing = Object.keys(source.index.commands).filter((name) => /:(?:delete|unassign|withdraw)$/.test(name))
  for (const name of removing) {
    const { calls } = (await source.load(name.replaceAll(':', '/'))).default
    if (calls !== 'any' && calls.some(({ id }) => id === call)) return name.replaceAll(':', ' ')
  }
  return command
}

/** The command that creates again what was deleted, with the values that the history has. */
function recreation({ kind }: Changing, { command, before }: Change, ids: Record<string, string>): string | undefined {
  if (before === undefined || JSON.stringify(before).includes(hidden)) return undefined
  if (command === 'rules unassign') {
    const flag = { promotion_tier: 'tier', earning_rule: 'earning-rule', reward_assignment: 'offer' }
    const { rule_id, related_object_type: type, related_object_id: object } = before as Record<string, string>
    const named = flag[type as keyof typeof flag] ?? type
    return `promo rules assign --${named} ${shellWord(object ?? '')} ${argumentWords(rule_id ?? '')}`
  }
  const { field = '' } = kind.within ?? {}
  const { [field]: parent, ...members } = before
  const parents = Object.entries(ids)
    .slice(0, -1)
    .filter(([name]) => name !== 'projectId')
  const above = typeof parent === 'string' ? [parent] : parents.map(([, id]) => id)
  if (command === 'loyalty rewards withdraw')
    return `promo loyalty rewards offer${pointsOf(before.parameters)} ${argumentWords(...above, String(before.reward_id))}`
  const [, topic] = /^(.+) delete$/.exec(command) ?? []
  if (topic === undefined || topic === 'templates') return undefined
  const body: Record<string, unknown> = {}
  for (const [path, { standard, isNeeded, createdAs }] of Object.entries(kind.members))
    if (isNeeded) setAt(body, createdAs ?? path, standard)
  for (const [path, value] of Object.entries(members)) setAt(body, kind.members[path]?.createdAs ?? path, value)
  return `promo ${topic} create --body ${shellWord(JSON.stringify(body))} ${argumentWords(...above)}`.trim()
}

/** The price of a reward in points; one in coins has none. */
function pointsOf(parameters: unknown): string {
  const points = valueAt(parameters, 'loyalty.points')
  return typeof points === 'number' ? ` --points ${points}` : ''
}

function mustBeOfProject(
  { profile, project, service }: Change,
  to: { projectId?: string | undefined; isSandbox: boolean; origin: string },
): void {
  const reached = to.isSandbox ? 'sandbox' : to.origin
  if (service === reached && project === (to.projectId ?? null)) return
  const [made, now] = [
    [project, service],
    [to.projectId, reached],
  ].map((one) => one.filter(Boolean).join(', '))
  throw new PromoError(
    'journal',
    `the change was made in another project (${made}); profile "${profile}" now leads to ${now}; nothing was sent`,
    { hint: `promo profiles show ${argumentWords(profile)}` },
  )
}

/** Looks whether a change is undone. */
async function seenUndone(
  { kind, act, change, ids, id, ...call }: Undoable,
  named: string,
  client: Client,
): Promise<Seen> {
  const found = await look(() => objectNow(client, kind, ids, id))
  if (found.is === 'unread') return found
  if (act === 'create') {
    return found.is === 'absent' ? { is: 'as-asked' } : { is: 'otherwise', why: `${named} is still there` }
  }
  if (found.is === 'absent') return { is: 'otherwise', why: `${named} is gone` }
  const rest = undoing({ kind, act, ...call }, change, found.value).restored.map(({ member }) => member)
  if (rest.length === 0) return { is: 'as-asked' }
  return { is: 'otherwise', why: `the service left ${rest.join(', ')} of ${named} as before` }
}

function nothingLeft(why: string, hint = 'promo history --columns at,command,subject,before,after'): PromoError {
  return new PromoError('api', `${why}; nothing was sent`, { hint })
}

function unknownUsers(named: string, kinds: readonly string[]): PromoError {
  const message = `whether ${listNames(kinds)} refer to ${named} cannot be read without management keys; nothing was sent`
  return new PromoError('config', message, { hint: 'set PROMO_MANAGEMENT_ID and PROMO_MANAGEMENT_TOKEN' })
}

function rowsOf({ act, kind, id }: Undoable, { restored, left }: Undoing): object[] {
  const object = `${kind.name}/${id}`
  const change = act === 'create' ? 'delete' : 'restore'
  const row =
    (how: string) =>
    ({ member, before, after }: Difference) => ({
      object,
      change: how,
      member,
      before: before ?? null,
      after: after ?? null,
    })
  return [
    ...restored.map(row(change)),
    ...left.map(({ member, before }) => row('left alone')({ member, before, after: before })),
  ]
}

/** `price 950 → 900, name "B" → "A"`. */
function sentenceOf(differences: readonly Difference[], is?: 'is'): string {
  return listNames(
    differences.map(({ member, before, after }) =>
      is ? `${member} is ${showValue(before)}` : `${member} ${showValue(before)} → ${showValue(after)}`,
    ),
  )
}

const widest = 60

function showValue(value: unknown): string {
  const text = value == null ? 'nothing' : JSON.stringify(value)
  return text.length > widest ? `${text.slice(0, widest - 1)}…` : text
}

function when({ at }: Change): string {
  return at.replace(/\.\d+Z$/, 'Z')
}

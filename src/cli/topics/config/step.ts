// One step of a plan, applied: the object is read once more, the call is made, and what it did is read back.
import type { Client, RequestOf } from '../../../api/client.ts'
import { sleep } from '../../../api/connection.ts'
import type { LooseRequest } from '../../../api/request/request.ts'
import { counted } from '../../../base/grouped.ts'
import { listed, mostNamed } from '../../../base/listed.ts'
import { argumentWords } from '../../../base/shell-word.ts'
import type { Row } from '../../../bulk/input/row.ts'
import { type Act, type OnTurn, type RowResult, resultOfError } from '../../../bulk/run.ts'
import { callFor, type Step } from '../../../config/plan.ts'
import type { Plan } from '../../../config/plan-file.ts'
import { assignmentsOf } from '../../../config/project.ts'
import type { Endpoint } from '../../../contract/endpoint.ts'
import type { Kind } from '../../../model/kind.ts'
import { kindNamed } from '../../../model/kinds.ts'
import { type Found, membersOfObject, objectsOf, pathOf, readObject } from '../../../model/objects.ts'
import {
  decoded,
  type FromEnvironment,
  fingerprint,
  isPlain,
  memberOf,
  resolved,
  valueAt,
} from '../../../model/value.ts'
import { actOf } from '../../bulk/call-row.ts'

/** What the steps of one plan share. */
export interface Applying {
  plan: Plan
  /** The folder that it was made from. */
  folder: string
  /** Every known id by address: those of the plan, and those of what its steps created. */
  ids: Map<string, string>
  /** Completes a text of the environment. */
  fromEnvironment: (text: string) => FromEnvironment
  /** The steps that were applied, in this run and before. */
  done: ReadonlySet<number>
  /** Records, before anything else is done, that a step was applied, and the id of what it created. */
  settled: (step: Step, id?: string) => void
}

/** The step of a row. */
export function stepOf({ fields }: Pick<Row, 'fields'>): Step {
  return fields as unknown as Step
}

/** The call of a step, for the checks before anything is sent: members that the contract does not know are sent, too. */
export function callOfStep({ kind, act }: Pick<Step, 'kind' | 'act'>): Endpoint {
  const endpoint = callFor(kindNamed(kind), act)
  if (endpoint === undefined) throw new Error(`no plan has the act ${act} of ${kind}`)
  return endpoint
}

/** The request of a step; what does not exist yet is named by its address. */
export function requestOf(
  step: Step,
  { plan, ids, fromEnvironment }: Pick<Applying, 'plan' | 'ids' | 'fromEnvironment'>,
  unassigned = '',
) {
  const idOf = (address: string) => ids.get(address) ?? `<${address}>`
  const endpoint = callOfStep(step)
  const { project: projectId } = plan
  const kind = kindNamed(step.kind)
  if (step.act === 'assign') {
    const body = { related_object_type: kind.ruled, related_object_id: idOf(step.object) }
    return { path: { validationRuleId: ruleOf(step, ids) }, body }
  }
  if (step.act === 'generate') {
    return { path: { campaignId: idOf(step.object) }, query: { vouchers_count: wantedCodes(step) }, body: {} }
  }
  if (step.act === 'unassign') {
    return { path: { validationRuleId: ruleOf(step, ids), assignmentId: unassigned || '<assignment>' } }
  }
  const parentId = step.parent === undefined ? undefined : idOf(step.parent)
  const path = pathOf(endpoint, kind, { projectId, parentId, id: idOf(step.object) })
  const body = step.body === undefined ? {} : { body: resolved(decoded(step.body, fromEnvironment), idOf) }
  return { path, ...body }
}

/** The id of the rule of a step, which names it by its id where the files do not have it. */
function ruleOf({ rule = '' }: Step, ids: Applying['ids']): string {
  return rule.includes('/') ? (ids.get(rule) ?? `<${rule}>`) : rule
}

/**
 * Returns the act of a job whose rows are the steps of a plan. Each step converges: one that was applied before is seen to
 * be, so that a job may be killed anywhere and resumed.
 */
export function stepsOf(applying: Applying): (client: Client) => Act {
  return (client) => async (row, abandon, onTurn) => {
    const step = stepOf(row)
    try {
      const unmet = step.needs.filter((number) => !applying.done.has(number))
      if (unmet.length > 0) return waiting(unmet)
      return await applied(step, row, { client, abandon, onTurn }, applying)
    } catch (error) {
      return resultOfError(error)
    }
  }
}

interface Sending {
  client: Client
  abandon: AbortSignal
  onTurn: OnTurn
}

async function applied(step: Step, row: Row, sending: Sending, applying: Applying): Promise<RowResult> {
  const { client, abandon, onTurn } = sending
  const { act, object, kind: kindName } = step
  const { ids } = applying
  const kind = kindNamed(kindName)
  let unassigned: string | undefined
  // What is there already, this job made if it sent something of which it has no answer; otherwise an earlier one did.
  const asFound = row.past?.lost === true ? { state: 'ok_inferred' as const } : { changed: false }
  if (act === 'assign' || act === 'unassign') {
    const there = await assignmentsOf(client, ids.get(object) ?? '')
    const one = there.find(({ rule_id }) => rule_id === ruleOf(step, ids))
    if ((one !== undefined) === (act === 'assign')) return finished(step, applying, { changed: false })
    unassigned = one?.id
  } else if (act === 'create') {
    // An earlier apply created it, or an earlier run did, and ended before it could say so.
    const recorded = ids.get(object)
    if (recorded !== undefined) return finished(step, applying, { id: recorded, ...asFound })
    const made = row.past === undefined ? undefined : await madeBefore(step, kind, client, applying)
    if (made !== undefined) return finished(step, applying, { state: 'ok_inferred', id: made.id })
  } else if (act === 'generate') {
    // Sent by an earlier run, the call may have generated its codes: their number says so, and it is never sent twice.
    const count = row.past === undefined ? 0 : await codesOf(client, kind, step, applying)
    if (count >= wantedCodes(step)) return finished(step, applying, asFound)
    if (count > 0) return refused(`${object} has ${counted(count, 'code')} instead of ${wantedCodes(step)}`)
  } else {
    const current = await atRest(client, kind, step, applying)
    if (act === 'delete' && current === undefined) return finished(step, applying, { changed: false })
    const look = `promo config diff ${argumentWords(applying.folder)} shows how it is now`
    if (current === undefined) return refused(`${object} is gone; ${look}`)
    const moved = movedMembers(step, current, applying)
    if (moved === 'applied') return finished(step, applying, { changed: false })
    if (moved.length > 0) return refused(`${object} was changed meanwhile (${moved.join(', ')}); ${look}`)
  }
  const endpoint = await openCall(callOfStep(step), step)
  const request = requestOf(step, applying, unassigned) as LooseRequest as RequestOf<Endpoint>
  // Whatever an earlier run sent was looked for above, so this attempt is the first that counts.
  const result = await actOf(client, { endpoint, request: () => request })({ ...row, past: undefined }, abandon, onTurn)
  if (act === 'create') return await created(step, kind, result, client, applying)
  if (act === 'generate' && (result.state === 'ok' || result.state === 'unknown')) {
    return await generated(step, kind, result, client, applying)
  }
  if (result.state !== 'ok' && result.state !== 'ok_inferred') return result
  const { attempts, requestId, state } = result
  const about = { attempts, requestId, state }
  if (act === 'update') {
    const after = await atRest(client, kind, step, applying)
    const left = after === undefined ? [] : notTaken(step, after, applying)
    if (left.length > 0)
      return { ...about, ...refused(`not applied: the service left ${left.join(', ')} of ${object} as it was`) }
  }
  return finished(step, applying, { ...about, changed: true })
}

async function created(
  step: Step,
  kind: Kind,
  result: RowResult,
  client: Client,
  applying: Applying,
): Promise<RowResult> {
  const { state, value, attempts, requestId } = result
  if (state === 'ok' && value !== undefined) {
    const wire = Array.isArray(value) ? value[0] : value
    const { id } = wire as { id?: unknown }
    if (typeof id === 'string') {
      applying.ids.set(step.object, id)
      // The id is recorded before anything else is asked: from now on the object is known.
      applying.settled({ ...step, step: 0 }, id)
      const after = await atRest(client, kind, step, applying)
      const left = after === undefined ? [] : notTaken(step, after, applying)
      if (left.length === 0) return finished(step, applying, { attempts, requestId, id, changed: true })
      const which = left.join(', ')
      return {
        attempts,
        requestId,
        results: { id },
        ...refused(`not applied: ${step.object} was created without ${which}`),
      }
    }
  }
  if (state === 'ok' || state === 'ok_inferred' || state === 'unknown') {
    const made = await madeBefore(step, kind, client, applying)
    if (made !== undefined) return finished(step, applying, { attempts, requestId, state: 'ok_inferred', id: made.id })
    return state === 'unknown' ? result : { ...result, state: 'unknown', lost: true }
  }
  return result
}

/** The number of codes that a step generates. */
function wantedCodes({ changes }: Step): number {
  return Number(changes[0]?.after)
}

/** The number of codes that a campaign has, once none are being generated. */
async function codesOf(client: Client, kind: Kind, step: Step, applying: Applying): Promise<number> {
  return Number((await atRest(client, kind, step, applying))?.wire.vouchers_count ?? 0)
}

/** Codes are generated in the background: what counts is how many there are in the end. */
async function generated(
  step: Step,
  kind: Kind,
  result: RowResult,
  client: Client,
  applying: Applying,
): Promise<RowResult> {
  const { attempts, requestId, state } = result
  const count = await codesOf(client, kind, step, applying)
  if (count >= wantedCodes(step)) {
    const seen = state === 'ok' ? 'ok' : 'ok_inferred'
    return finished(step, applying, { attempts, requestId, state: seen, changed: true })
  }
  if (state === 'unknown') return result
  const message = `not applied: ${step.object} has ${counted(count, 'code')} instead of ${wantedCodes(step)}`
  return { attempts, requestId, ...refused(message) }
}

/** Finds an object that no address has, and that is what a step creates: by all of its values, because names may repeat. */
async function madeBefore(step: Step, kind: Kind, client: Client, applying: Applying): Promise<Found | undefined> {
  const { ids, plan } = applying
  const parentId = step.parent === undefined ? undefined : ids.get(step.parent)
  const known = new Set(ids.values())
  const field = kind.within?.field
  const all = await objectsOf(client, kind, plan.project, field === undefined ? parentId : undefined)
  const ours = field === undefined ? all : all.filter(({ wire }) => wire[field] === parentId)
  return ours.find((one) => !known.has(one.id) && notTaken(step, one, applying).length === 0)
}

const settleMs = 200
const mostSettles = 600

/** Reads an object, once no background work of its own is running: the service refuses changes before. */
async function atRest(client: Client, kind: Kind, step: Step, { ids, plan }: Applying): Promise<Found | undefined> {
  const id = ids.get(step.object) ?? (kind.isSingle ? plan.project : '')
  const parentId = step.parent === undefined ? undefined : ids.get(step.parent)
  for (let read = 0; ; read += 1) {
    const found = await readObject(client, { kind, id, ...(parentId !== undefined && { parentId }) }, plan.project)
    const { creation_status, vouchers_generation_status } = found?.wire ?? {}
    const isAtWork = creation_status === 'IN_PROGRESS' || vouchers_generation_status === 'IN_PROGRESS'
    if (!isAtWork || read === mostSettles) return found
    await sleep(settleMs)
  }
}

/** The members of a step that are neither as before nor as after; `applied` where all are as after. */
function movedMembers(step: Step, found: Found, applying: Applying): string[] | 'applied' {
  if (step.act !== 'delete' && notTaken(step, found, applying).length === 0) return 'applied'
  return differing(step, found, applying, 'before')
}

function notTaken(step: Step, found: Found, applying: Applying): string[] {
  return differing(step, found, applying, 'after')
}

/** The members of a step whose value in the service is not the one that the step names. */
function differing(step: Step, found: Found, { ids, fromEnvironment }: Applying, side: 'before' | 'after'): string[] {
  const kind = kindNamed(step.kind)
  const addressOf = new Map([...ids].map(([address, id]) => [id, address]))
  const members = membersOfObject(found, addressOf)
  return step.changes.flatMap(({ member, [side]: wanted }) => {
    const { change, form, standard } = memberOf(kind, member)
    if (change === 'rules') return []
    if (change === 'position') {
      return step.act === 'delete' || wanted === null || valueAt(found.wire, member) === wanted ? [] : [member]
    }
    const there = fingerprint(members.get(member) ?? standard ?? null, form)
    return there === fingerprint(decoded(wanted, fromEnvironment) ?? standard ?? null, form) ? [] : [member]
  })
}

/** Members that the contract does not know are sent as they are: a newer service returned them. */
async function openCall(endpoint: Endpoint, { body }: Step): Promise<Endpoint> {
  if (!isPlain(body) && !Array.isArray(body)) return endpoint
  const { withUnknownMembers } = await import('../../../api/request/unknown-members.ts')
  return withUnknownMembers(endpoint)
}

function finished(
  step: Step,
  applying: Applying,
  {
    id,
    changed,
    state = 'ok',
    ...about
  }: Pick<RowResult, 'attempts' | 'requestId'> & {
    id?: string
    changed?: boolean
    state?: RowResult['state']
  },
): RowResult {
  if (id !== undefined) applying.ids.set(step.object, id)
  applying.settled(step, id)
  return {
    ...about,
    state,
    ...(changed !== undefined && { changed }),
    ...(id !== undefined && { value: { id }, results: { id } }),
  }
}

/** A step that waits for others is left for another run: they may be applied there. */
function waiting(unmet: readonly number[]): RowResult {
  const which = unmet.length === 1 ? `step ${unmet[0]} was` : `steps ${listed(unmet.map(String), mostNamed)} were`
  const message = `not sent, because ${which} not applied`
  return { state: 'exhausted', lost: false, error: { kind: 'partial', message, facts: { retryable: true } } }
}

function refused(message: string): RowResult {
  return { state: 'failed', lost: false, error: { kind: 'api', message, facts: {} } }
}

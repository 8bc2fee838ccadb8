// One step of a plan as a write: what a look finds before it is sent, and what it did.
import type { Client, RequestOf } from '../../../api/client.ts'
import { sleep } from '../../../api/connection.ts'
import { isSegment } from '../../../api/request/path.ts'
import type { LooseRequest } from '../../../api/request/request.ts'
import { listNames, mostNamed } from '../../../base/name-list.ts'
import { formatCount } from '../../../base/numbers.ts'
import { ownValue } from '../../../base/record.ts'
import { argumentWords } from '../../../base/shell-word.ts'
import type { Row } from '../../../bulk/input/row.ts'
import type { Act, RowResult } from '../../../bulk/run.ts'
import type { Plan } from '../../../config/plan-file.ts'
import { assignmentsOf, nameOf } from '../../../config/project.ts'
import { referrersOf } from '../../../config/referrers.ts'
import { callFor, type Step } from '../../../config/steps.ts'
import type { Endpoint } from '../../../contract/endpoint.ts'
import { updateBody } from '../../../model/bodies.ts'
import type { Kind } from '../../../model/kind.ts'
import { kindNamed, oneOf } from '../../../model/kinds.ts'
import { type Found, membersOfObject, nameIn, objectsOf, pathOf, readObject } from '../../../model/objects.ts'
import {
  decodeValue,
  type FromEnvironment,
  fingerprint,
  isPlain,
  memberOf,
  resolveReferences,
  valueAt,
} from '../../../model/value.ts'
import { act, type Write } from '../../../writes/act.ts'
import type { Seen, Sent } from '../../../writes/judge.ts'
import { look } from '../../../writes/look.ts'

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
  /** The user agreed that what may have been applied, and counts twice, is sent again. */
  resends: boolean
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

/** The request of a step; what does not exist yet is named by its address, and what is replaced whole is that of the plan until it is read. */
export function requestOf(
  step: Step,
  { plan, ids, fromEnvironment }: Pick<Applying, 'plan' | 'ids' | 'fromEnvironment'>,
  { current, assignment = '<assignment>' }: Ready = {},
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
    return { path: { validationRuleId: ruleOf(step, ids), assignmentId: assignment } }
  }
  const parentId = step.parent === undefined ? undefined : idOf(step.parent)
  const path = pathOf(endpoint, kind, { projectId, parentId, id: idOf(step.object) })
  if (step.body === undefined) return { path }
  // Where what is left out is reset, everything else is sent as it is now, and not as it was when the plan was made.
  const body =
    kind.isReplaced && current !== undefined
      ? updateBody(kind, decodedChanges(step, fromEnvironment), membersOfObject(current, addressesOf(ids)))
      : decodeValue(step.body, fromEnvironment)
  return { path, body: resolveReferences(body, idOf) }
}

function decodedChanges({ changes }: Step, fromEnvironment: Applying['fromEnvironment']) {
  return changes.map(({ member, before, after }) => ({ member, before, after: decodeValue(after, fromEnvironment) }))
}

function addressesOf(ids: ReadonlyMap<string, string>): Map<string, string> {
  return new Map([...ids].map(([address, id]) => [id, address]))
}

/** The id of the rule of a step, which names it by its id where the files do not have it. */
function ruleOf({ rule = '' }: Step, ids: Applying['ids']): string {
  return rule.includes('/') ? (ids.get(rule) ?? `<${rule}>`) : rule
}

/** One step that is being applied. */
interface Acting {
  client: Client
  step: Step
  kind: Kind
  applying: Applying
  /** Whether it may have been applied by an earlier run. */
  lost: boolean
}

/** Nothing that a look found stands in the way of sending a step. */
interface Ready {
  /** The object as it is. */
  current?: Found
  /** The assignment that is removed. */
  assignment?: string
}

/**
 * Returns the act of a job whose rows are the steps of a plan: each is a write that is looked at before, and read back. What may count
 * twice is never sent a second time unless the user agreed, so a job may be killed anywhere and resumed.
 */
export function stepsOf(applying: Applying): (client: Client) => Act {
  return (client) => async (row, _abandon, onTurn) => {
    const { past } = row
    const step = stepOf(row)
    const lost = past?.lost === true
    const unmet = step.needs.filter((number) => !applying.done.has(number))
    if (unmet.length > 0) return { ...waiting(unmet), lost }
    const again = applying.resends
      ? undefined
      : 'jobs retry --only unknown, without --yes, asks whether to send it again'
    const write = await writeOf({ client, step, kind: kindNamed(step.kind), applying, lost })
    return settleStep(step, applying, await act(client, write, { past, onTurn, again }))
  }
}

async function writeOf(acting: Acting): Promise<Write<Endpoint>> {
  const { step, applying } = acting
  const isMade = step.act === 'create' && applying.ids.has(step.object)
  let ready: Ready = {}
  return {
    endpoint: await openCall(callOfStep(step), step),
    request: () => requestOf(step, applying, ready) as LooseRequest as RequestOf<Endpoint>,
    isMade,
    async expects() {
      const seen = await lookAt(acting)
      if ('is' in seen) return seen
      ready = seen
      return undefined
    },
    async readBack(sent) {
      const [made] = step.act === 'create' && sent.how === 'confirmed' ? [sent.answer].flat() : []
      // The id is recorded before anything else is asked: from now on the object is known.
      if (isPlain(made) && typeof made.id === 'string') applying.settled({ ...step, step: 0 }, made.id)
      const seen = await lookAt(acting, sent)
      return 'is' in seen ? seen : unseen(`${step.object} is not found`)
    },
  }
}

/** Looks whether a step is to be sent; once it was sent, whether it is as asked. With the id of what it made, where that is known. */
async function lookAt(acting: Acting, sent?: Sent): Promise<Seen | Ready> {
  const { step, applying } = acting
  const id = step.act === 'create' ? applying.ids.get(step.object) : undefined
  const found = await look(() => seeStep(acting, id, sent))
  const seen = found.is === 'found' ? found.value : found.is === 'unread' ? found : {}
  return 'is' in seen && id !== undefined ? ({ ...seen, results: { id } } as Seen) : seen
}

async function seeStep(acting: Acting, id: string | undefined, sent: Sent | undefined): Promise<Seen | Ready> {
  switch (acting.step.act) {
    case 'assign':
    case 'unassign':
      return await seeAssignment(acting, sent !== undefined)
    case 'generate':
      return await seeCodes(acting)
    case 'create':
      if (id !== undefined) return await seeObject(acting, true)
      return acting.lost || sent ? await seeInList(acting) : await seeTwin(acting)
    default:
      return await seeObject(acting, sent !== undefined)
  }
}

/** Looks, right before an object is deleted, whether anything refers to it that the plan does not delete as well. */
async function seeUsers({ client, step, applying }: Acting, object: Found): Promise<Seen | undefined> {
  const { plan, ids } = applying
  const deleted = plan.steps.flatMap((other) => (other.act === 'delete' ? (ids.get(other.object) ?? []) : []))
  const { users, unreadable } = await referrersOf(client, plan.project, [object], { ids: new Set(deleted) })
  const who = listNames(users.get(object.id) ?? [], mostNamed)
  if (who !== '') return { is: 'otherwise', why: `${step.object} cannot be deleted while ${who} refers to it` }
  if (unreadable.length === 0) return undefined
  const why = `whether ${listNames(unreadable)} refer to ${step.object} cannot be read without management keys`
  return { is: 'otherwise', why }
}

/** Looks at the object of a step. */
async function seeObject(acting: Acting, isSent: boolean): Promise<Seen | Ready> {
  const { step, applying } = acting
  const { act, object } = step
  const how = `promo config diff ${argumentWords(applying.folder)} shows how it is now`
  const found = await atRest(acting)
  if (found === undefined) return act === 'delete' ? { is: 'as-asked' } : unseen(`${object} is gone; ${how}`)
  const left = act === 'delete' ? ['it'] : differing(step, found, applying, 'after')
  const which = [...left, ...(act === 'create' ? await missingRules(acting) : [])].join(', ')
  if (which === '') return { is: 'as-asked' }
  if (isSent) {
    const whys = { create: `${object} was created without ${which}`, delete: `${object} is still there` }
    return { is: 'otherwise', why: ownValue(whys, act) ?? `the service left ${which} of ${object} as it was` }
  }
  const moved = differing(step, found, applying, 'before').join(', ')
  if (moved !== '') return { is: 'otherwise', why: `${object} was changed meanwhile (${moved}); ${how}` }
  return (act === 'delete' && (await seeUsers(acting, found))) || { current: found }
}

/** Looks which of the rules that a creation assigns are not assigned: none, or the member. */
async function missingRules({ client, step, kind, applying: { ids, fromEnvironment } }: Acting): Promise<string[]> {
  const rules = step.changes.find(({ member }) => memberOf(kind, member).change === 'rules')
  if (rules === undefined) return []
  const has = (await assignmentsOf(client, ids.get(step.object) ?? '')).map(({ rule_id }) => rule_id)
  const wanted = resolveReferences(decodeValue(rules.after, fromEnvironment), (address) => ids.get(address))
  return [wanted].flat().every((rule) => has.includes(String(rule))) ? [] : [rules.member]
}

/** Looks for what a creation without an answer made: the only object that no address has and that has all of its values. */
async function seeInList(acting: Acting): Promise<Seen | Ready> {
  const { step, applying } = acting
  const all = await unknownObjects(acting)
  const [one, ...others] = all.filter((object) => differing(step, object, applying, 'after').length === 0)
  if (one === undefined) return {}
  if (others.length === 0) return { is: 'as-asked', results: { id: one.id } }
  return { is: 'several', why: `${others.length + 1} objects are what ${step.object} would be` }
}

/** Looks, right before an object is created, whether somebody else made one of its name meanwhile; a taken unique name the service refuses. */
async function seeTwin(acting: Acting): Promise<Seen | Ready> {
  const { client, step, kind, applying } = acting
  const given = decodedChanges(step, applying.fromEnvironment)
  const wanted = nameIn(kind, new Map(given.map(({ member, after }) => [member, after])))
  if (wanted === undefined || kind.isSingle || callOfStep(step).repeat === 'key') return {}
  const addressOf = addressesOf(applying.ids)
  // A catalogue may be large, and its objects are read by their names, too.
  const found =
    kind.isCatalogue && isSegment(wanted)
      ? await readObject(client, { kind, id: wanted }, applying.plan.project)
      : (await unknownObjects(acting)).find((object) => nameOf(object, addressOf) === wanted)
  if (found === undefined) return {}
  const next = `promo config apply ${argumentWords(applying.folder)} makes it what the file says`
  const twin = `${oneOf(kind)} of the name of ${step.object}`
  return { is: 'otherwise', why: `somebody made ${twin} meanwhile (${String(found.wire.id)}); ${next}` }
}

/** Lists the objects among which that of a step would be, without those that have addresses. */
async function unknownObjects({ client, step, kind, applying }: Acting): Promise<Found[]> {
  const { ids, plan } = applying
  const parentId = step.parent === undefined ? undefined : ids.get(step.parent)
  const known = new Set(ids.values())
  const field = kind.within?.field
  const all = await objectsOf(client, kind, plan.project, field === undefined ? parentId : undefined)
  return all.filter(({ id, wire }) => !known.has(id) && (field === undefined || wire[field] === parentId))
}

/** Codes are generated in the background: what counts is how many there are in the end. */
async function seeCodes(acting: Acting): Promise<Seen | Ready> {
  const { step } = acting
  const count = Number((await atRest(acting))?.wire.vouchers_count ?? 0)
  if (count === 0) return {}
  if (count >= wantedCodes(step)) return { is: 'as-asked' }
  return { is: 'otherwise', why: `${step.object} has ${formatCount(count, 'code')} instead of ${wantedCodes(step)}` }
}

/** Looks for the assignment of the rule of a step. */
async function seeAssignment({ client, step, applying: { ids } }: Acting, isSent: boolean): Promise<Seen | Ready> {
  const all = await assignmentsOf(client, ids.get(step.object) ?? '')
  const found = all.find(({ rule_id }) => rule_id === ruleOf(step, ids))
  if ((found !== undefined) === (step.act === 'assign')) return { is: 'as-asked' }
  if (isSent) return { is: 'otherwise', why: `the service left the rules of ${step.object} as they were` }
  return found === undefined ? {} : { assignment: found.id }
}

function unseen(why: string) {
  return { is: 'absent' as const, why }
}

/** Records a step that is applied, and the id of what it created. */
function settleStep(step: Step, applying: Applying, result: RowResult): RowResult {
  if (result.state !== 'ok' && result.state !== 'ok_inferred') return result
  const id = result.results?.id
  applying.settled(step, id)
  return { ...result, ...(id !== undefined && { value: { id } }) }
}

/** The number of codes that a step generates. */
function wantedCodes({ changes }: Step): number {
  return Number(changes[0]?.after)
}

const settleMs = 200
const mostSettles = 600

/** Reads an object, once no background work of its own is running: the service refuses changes before. */
async function atRest({ client, kind, step, applying: { ids, plan } }: Acting): Promise<Found | undefined> {
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

/** The members of a step whose value in the service is not the one that the step names. */
function differing(step: Step, found: Found, applying: Applying, side: 'before' | 'after'): string[] {
  const { ids, plan, done, fromEnvironment } = applying
  const kind = kindNamed(step.kind)
  const members = membersOfObject(found, addressesOf(ids))
  const later = side === 'after' ? changedSince(step, plan, done) : new Map<string, unknown>()
  return step.changes.flatMap(({ member, [side]: own }) => {
    const { change, form, standard } = memberOf(kind, member)
    // The place of an object follows from what else is made, too.
    if (change === 'rules' || (change === 'position' && done.has(step.step))) return []
    const wanted = later.has(member) ? later.get(member) : own
    if (change === 'position') {
      return step.act === 'delete' || wanted === null || valueAt(found.wire, member) === wanted ? [] : [member]
    }
    const there = fingerprint(members.get(member) ?? standard ?? null, form)
    return there === fingerprint(decodeValue(wanted, fromEnvironment) ?? standard ?? null, form) ? [] : [member]
  })
}

/** The members that steps of a plan which were applied after another one gave its object. */
function changedSince({ step, object }: Step, { steps }: Plan, done: ReadonlySet<number>): Map<string, unknown> {
  const since = steps.filter((other) => other.step > step && other.object === object && done.has(other.step))
  return new Map(since.flatMap(({ changes }) => changes.map(({ member, after }) => [member, after] as const)))
}

/** Members that the contract does not know are sent as they are: a newer service returned them. */
async function openCall(endpoint: Endpoint, { body }: Step): Promise<Endpoint> {
  if (!isPlain(body) && !Array.isArray(body)) return endpoint
  const { withUnknownMembers } = await import('../../../api/request/unknown-members.ts')
  return withUnknownMembers(endpoint)
}

/** A step that waits for others is left for another run: they may be applied there. */
function waiting(unmet: readonly number[]): RowResult {
  const which = unmet.length === 1 ? `step ${unmet[0]} was` : `steps ${listNames(unmet.map(String), mostNamed)} were`
  const message = `not sent, because ${which} not applied`
  return { state: 'exhausted', error: { kind: 'partial', message, facts: { retryable: true } } }
}

// What one call did to an object of the model, for the history, and the call that undoes it.

import type { Client, RequestOf } from '../api/client.ts'
import { ofMissing } from '../api/outcome/call-error.ts'
import { isRecord } from '../base/record.ts'
import { callsOf } from '../contract/calls-about.ts'
import type { Endpoint } from '../contract/endpoint.ts'
import * as programs from '../contract/loyalty-programs.ts'
import { getProjectMetadataSchema } from '../contract/metadata-schemas.ts'
import { updateProductCollection } from '../contract/product-collections.ts'
import * as skus from '../contract/skus.ts'
import * as templates from '../contract/templates.ts'
import * as rules from '../contract/validation-rules.ts'
import { type Difference, updateBody } from '../model/bodies.ts'
import type { Kind, Member } from '../model/kind.ts'
import { kindNamed, kinds } from '../model/kinds.ts'
import { membersOfObject, type PathIds, pathWith } from '../model/objects.ts'
import { isPlain, isSame, type Members, memberOf } from '../model/value.ts'

const put: Member = { change: 'put' }
const fixed: Member = { change: 'fixed' }
const metadata: Member = { change: 'metadata', standard: {} }

const product = kindNamed('products')
const collection = kindNamed('product-collections')
const settings = kindNamed('settings')
const schema = kindNamed('metadata-schemas')

/** What files do not have, or have in less detail, because a project is configured without it. */
const beyondFiles: readonly Kind[] = [
  {
    ...settings,
    members: { ...settings.members, name: put },
    computed: settings.computed.filter((it) => it !== 'name'),
  },
  { ...schema, calls: { ...schema.calls, get: getProjectMetadataSchema } },
  {
    ...collection,
    calls: { ...collection.calls, update: updateProductCollection },
    members: { ...collection.members, name: put, filter: put },
  },
  {
    ...kindNamed('campaigns'),
    noun: 'loyalty program',
    takes: 'its cards, tiers, earning rules and offers',
    calls: callsOf(programs, 'loyalty.programs'),
  },
  {
    ...product,
    name: 'skus',
    noun: 'SKU',
    takes: 'its place in rules',
    calls: callsOf(skus, 'skus'),
    named: 'sku',
    members: { source_id: fixed, sku: put, price: put, currency: put, image_url: put, attributes: put, metadata },
    computed: ['product_id', 'product'],
  },
  {
    name: 'templates',
    noun: 'template',
    takes: 'what a campaign is made with',
    calls: callsOf(templates, 'templates'),
    named: 'name',
    members: { name: put, description: put },
    computed: [],
    references: {},
  },
  {
    name: 'assignments',
    noun: 'assignment of a validation rule',
    calls: {
      list: rules.listRuleAssignments,
      create: rules.assignValidationRule,
      delete: rules.unassignValidationRule,
    },
    named: 'id',
    members: { rule_id: fixed, related_object_type: fixed, related_object_id: fixed },
    computed: ['validation_status', 'validation_omitted_rules'],
    references: {},
  },
]

/** What a call does to an object. */
export type CallAct = Exclude<keyof Kind['calls'], 'list' | 'get'>

/** A call that changes an object of a kind. */
export interface Changing {
  kind: Kind
  act: CallAct
  endpoint: Endpoint
}

const acts: readonly CallAct[] = ['create', 'update', 'delete', 'enable', 'disable']

const changing: ReadonlyMap<string, Changing> = new Map(
  // The address of a webhook may hold a secret.
  [...kinds.filter(({ name }) => name !== 'webhooks'), ...beyondFiles].flatMap((kind) =>
    acts.flatMap((act) => {
      const endpoint = kind.calls[act]
      return endpoint === undefined ? [] : [[endpoint.id, { kind, act, endpoint }] as const]
    }),
  ),
)

/** Returns which object a call changes, and how; undefined for a call about something else. */
export function changingCall({ id }: Pick<Endpoint, 'id'>): Changing | undefined {
  return changing.get(id)
}

/** The call that undoes another; undefined where there is none. */
export function inverseCall({ kind, act }: Changing): Endpoint | undefined {
  const { delete: remove, update, enable, disable } = kind.calls
  // A campaign takes its codes with it, which may be in use.
  if (act === 'create') return kind.holdsCodes ? undefined : remove
  return act === 'update' ? update : act === 'enable' ? disable : act === 'disable' ? enable : undefined
}

/** Reads an object; undefined when there is none. Throws what the call throws. */
export async function objectNow(
  client: Client,
  { calls, isSingle }: Kind,
  ids: PathIds,
  id: string,
): Promise<Record<string, unknown> | undefined> {
  const one = calls.get ?? (isSingle && calls.list.path.endsWith('{projectId}') ? calls.list : undefined)
  if (one === undefined) {
    const path = pathWith(calls.list, ids, id)
    for await (const item of client.items(calls.list, { path } as RequestOf<Endpoint>)) if (item.id === id) return item
    return undefined
  }
  const request = { path: pathWith(one, ids, id) } as RequestOf<Endpoint>
  return (await client.call(one, request).catch(ofMissing)) as Record<string, unknown> | undefined
}

/** Values of members by their paths, as the history has them; null where there was none. */
export type Values = Record<string, unknown>

/** Members are told by the ids in them: there are no files that they could refer to. */
function membersOf(kind: Kind, wire: Record<string, unknown>): Members {
  return membersOfObject({ kind: { ...kind, references: {}, free: [] }, wire }, new Map())
}

/**
 * Returns what the history keeps of a call: of one that creates, everything it made; of one that deletes, everything there
 * was, and what it was a part of; of any other, the members that it changed. `now` is the object before the call, `answer` what the service said.
 */
export function keptValues(
  { kind, act }: Changing,
  now: Record<string, unknown> | undefined,
  body: unknown,
  answer: unknown,
): { before?: Values; after?: Values } {
  const [made] = [answer].flat()
  if (act === 'create') {
    if (!isRecord(made) || typeof made.id !== 'string') return {}
    return { after: { id: made.id, ...Object.fromEntries(membersOf(kind, made)) } }
  }
  if (now === undefined) return {}
  const was = membersOf(kind, now)
  const field = kind.within?.field
  if (act === 'delete') return { before: { ...Object.fromEntries(was), ...(field && { [field]: now[field] }) } }
  if (act !== 'update') {
    const [old, young] = [now.active !== false, act === 'enable']
    return old === young ? { before: {}, after: {} } : { before: { active: old }, after: { active: young } }
  }
  if (!isRecord(made) || made.id === undefined || !isRecord(body)) return {}
  const named = Object.keys(body)
  const is = membersOf(kind, made)
  const before: Values = {}
  const after: Values = {}
  for (const path of new Set([...was.keys(), ...is.keys()])) {
    const names = path.split('.')
    if (!named.includes(names[0] as string) && !named.includes(names.at(-1) as string)) continue
    const member = memberOf(kind, path)
    const [old, young] = [was.get(path), is.get(path)].map((value) => value ?? member.standard ?? null)
    if (isSame(member, old, young)) continue
    const isByKey = isKeyed(member) && isPlain(old) && isPlain(young)
    before[path] = isByKey ? changedKeys(old, young) : old
    after[path] = isByKey ? changedKeys(young, old) : young
  }
  return { before, after }
}

/** Its keys are changed one by one. */
function isKeyed({ change }: Member): boolean {
  return change === 'metadata' || change === 'definitions'
}

function changedKeys(these: Values, others: Values): Values {
  return Object.fromEntries(Object.entries(these).filter(([key, value]) => !isSame({}, value, others[key])))
}

/** What undoes a change. */
export interface Undoing {
  /** The body of the call; absent: it has none. */
  body?: Values
  /** What it changes back: from the value that the change wrote, to the one before. */
  restored: Difference[]
  /** What is neither as the change wrote it nor as it was: somebody else changed it. */
  left: Difference[]
}

/** Returns what undoes a change to an object as it is now. */
export function undoing(
  { kind, act }: Changing,
  { before = {}, after = {} }: { before?: Values | undefined; after?: Values | undefined },
  now: Record<string, unknown>,
): Undoing {
  const is = membersOf(kind, now)
  const restored: Difference[] = []
  const left: Difference[] = []
  if (act === 'create') {
    for (const path of new Set([...is.keys(), ...Object.keys(after)])) {
      const member = memberOf(kind, path)
      // Its place follows from what else is created and moved.
      if (path === 'id' || member.change === 'position') continue
      const difference = { member: path, before: is.get(path), after: undefined }
      if (isSame(member, is.get(path), after[path])) restored.push(difference)
      else left.push({ ...difference, before: is.get(path) ?? null })
    }
    return { restored, left }
  }
  const sent: Difference[] = []
  for (const path of Object.keys(after)) {
    const member = memberOf(kind, path)
    const there = is.get(path)
    const [old, young] = [before[path], after[path]]
    if (isKeyed(member)) {
      const have = isPlain(there) ? there : {}
      const target = { ...have }
      const [olds, youngs] = [old, young].map((value) => (isPlain(value) ? value : {})) as [Values, Values]
      for (const key of new Set([...Object.keys(olds), ...Object.keys(youngs)])) {
        const difference = { member: `${path}.${key}`, before: have[key], after: olds[key] }
        if (isSame({}, have[key], olds[key])) continue
        if (!isSame({}, have[key], youngs[key])) left.push(difference)
        else {
          restored.push(difference)
          if (Object.hasOwn(olds, key)) target[key] = olds[key]
          else delete target[key]
        }
      }
      if (!isSame({}, have, target)) sent.push({ member: path, before: have, after: target })
      continue
    }
    const difference = { member: path, before: there, after: old ?? undefined }
    if (isSame(member, there, old)) continue
    if (!isSame(member, there, young)) left.push(difference)
    else {
      restored.push(difference)
      sent.push(difference)
    }
  }
  if (act !== 'update' || sent.length === 0) return { restored, left }
  return { body: updateBody(kind, sent, is), restored, left }
}

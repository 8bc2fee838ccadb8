// The objects of the model as the service shows them: reading one or all of a kind, and the members that they have.
import type { Client, RequestOf } from '../api/client.ts'
import { ofMissing } from '../api/outcome/call-error.ts'
import type { LooseRequest } from '../api/request/request.ts'
import type { Endpoint } from '../contract/endpoint.ts'
import { PromoError } from '../errors.ts'
import type { Kind } from './kind.ts'
import {
  changedAt,
  changedLeaves,
  ForeignId,
  FromEnvironment,
  isPlain,
  isSame,
  type Members,
  memberOf,
  Reference,
  referenceName,
  textOf,
  tidyValue,
  valueAt,
} from './value.ts'

type Wire = Record<string, unknown>

/** An object as the service returned it. */
export interface Found {
  kind: Kind
  id: string
  wire: Wire
  /** The id of the object that it is a part of. */
  parentId?: string
}

/** Lists the objects of a kind, in one parent where its list is that of a parent. */
export async function objectsOf(client: Client, kind: Kind, projectId: string, parentId?: string): Promise<Found[]> {
  const { list } = kind.calls
  const path = pathOf(list, kind, { projectId, parentId })
  if (kind.isSingle && list.paging.style === 'none' && list.path.endsWith('{projectId}')) {
    const wire = (await client.call(list, { path } as RequestOf<typeof list>)) as Wire
    return [{ kind, id: String(wire.id), wire }]
  }
  const items = await wholeList(client, list, { path })
  // Stacking rules without an id are the defaults of the service, which no project has of its own.
  return (kind.isSingle ? items.filter(({ id }) => id !== undefined) : items).map((item) => {
    // The rewards of a program come alone, or beside their reward.
    const wire = kind.keyedBy !== undefined && isPlain(item.assignment) ? item.assignment : item
    return { kind, id: String(wire.id), wire, ...(parentId !== undefined && { parentId }) }
  })
}

/** Reads one object again; undefined when there is none any more. */
export async function readObject(client: Client, object: Pick<Found, 'kind' | 'id' | 'parentId'>, projectId: string) {
  const { kind, id, parentId } = object
  const { get } = kind.calls
  if (get === undefined) return (await objectsOf(client, kind, projectId, parentId)).find((one) => one.id === id)
  const path = pathOf(get, kind, { projectId, parentId, id })
  const wire = (await client.call(get, { path } as RequestOf<typeof get>).catch(ofMissing)) as Wire | undefined
  return wire && ({ kind, id, wire, ...(parentId !== undefined && { parentId }) } satisfies Found)
}

/** The ids in the path of a call, by their names. */
export type PathIds = Readonly<Record<string, string>>

/** Fills in a path: what is not among the ids is that of the object itself. */
export function pathWith({ path }: Pick<Endpoint, 'path'>, ids: PathIds, id: string): Record<string, string> {
  return Object.fromEntries([...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => [name, ids[name] ?? id]))
}

/** The same by the project, the object that the other is a part of, and the object. */
export function pathOf(
  call: Pick<Endpoint, 'path'>,
  { within }: Kind,
  { projectId, parentId = '', id = '' }: { projectId: string; parentId?: string | undefined; id?: string | undefined },
): Record<string, string> {
  return pathWith(call, { projectId, ...(within && { campaignId: parentId }) }, id)
}

const mostReads = 3

/**
 * Reads a list to its end, oldest first where it can be ordered, each object once.
 *
 * Objects that are made or removed meanwhile move the pages of a list, so that one could be missed, and would then be
 * created twice: a list whose length changed is read again. Throws `api` when it does not come to rest.
 */
export async function wholeList(client: Client, endpoint: Endpoint, request: LooseRequest): Promise<Wire[]> {
  const isPaged = endpoint.paging.style === 'page'
  const order = { order: 'created_at' }
  const query = {
    ...(request.query as object | undefined),
    ...(isPaged && endpoint.query?.safeParse(order).success && order),
  }
  const asked = { ...request, ...(isPaged && { query }) } as RequestOf<Endpoint>
  for (let read = 0; read < mostReads; read += 1) {
    const items = new Map<string, Wire>()
    let count = 0
    for await (const item of client.items(endpoint, asked)) {
      items.set(typeof item.id === 'string' ? item.id : JSON.stringify(item), item)
      count += 1
    }
    if (!isPaged || count <= 100) return [...items.values()].toSorted(olderFirst)
    const answer = await client.call(endpoint, { ...request, query: { ...query, limit: 1 } } as RequestOf<Endpoint>)
    const { total } = answer as { total?: unknown }
    if (count === items.size && (total === undefined || total === count))
      return [...items.values()].toSorted(olderFirst)
  }
  throw new PromoError('api', `the list of ${endpoint.id} changes while it is read`, {
    hint: 'run the command again when no other client writes',
  })
}

/** Orders objects as they were created. */
export function olderFirst(one: Wire, other: Wire): number {
  const [a, b] = [one, other].map(({ created_at, id }) => `${textOf(created_at)} ${textOf(id)}`) as [string, string]
  return a < b ? -1 : a > b ? 1 : 0
}

/** What every object has, and the service alone writes. */
const computedEverywhere = ['id', 'object', 'created_at', 'updated_at']

/** Returns the members of an object in the form of files: no ids, nothing that is computed, nothing that is standard. */
export function membersOfObject(
  { kind, wire }: Pick<Found, 'kind' | 'wire'>,
  addressOf: ReadonlyMap<string, string>,
  assigned: readonly { rule_id: string }[] = [],
): Members {
  let rest: unknown = wire
  for (const path of [...computedEverywhere, ...kind.computed]) rest = changedAt(rest, path, () => undefined)
  if (kind.ruled !== undefined) rest = { ...(rest as Wire), validation_rules: assigned.map(({ rule_id }) => rule_id) }
  for (const path of Object.keys(kind.references)) {
    rest = changedAt(rest, path, (id) => {
      if (typeof id !== 'string') return id ?? undefined
      const address = addressOf.get(id)
      if (path.endsWith('{}')) return address === undefined ? id : referenceName(address)
      return address === undefined ? new ForeignId(id) : new Reference(address)
    })
  }
  // An id in a free place is a reference only where the folder has its object: any text may be there.
  const referenceTo = (leaf: unknown) => {
    const address = typeof leaf === 'string' ? addressOf.get(leaf) : undefined
    return address === undefined ? leaf : new Reference(address)
  }
  for (const path of kind.free ?? []) rest = changedAt(rest, path, (value) => changedLeaves(value, referenceTo))
  return membersIn(kind, rest)
}

/** Returns the name in members by which an object is recognized; for one that is keyed by another, the address or id of that. */
export function nameIn({ named, orNamed = named }: Kind, members: Members): string | undefined {
  const name = members.get(named) ?? members.get(orNamed)
  if (name instanceof Reference) return name.address
  if (name instanceof ForeignId) return name.id
  if (name instanceof FromEnvironment) return name.value
  return typeof name === 'string' ? name : undefined
}

/** Splits an object into its members; what the declaration does not know is a member under its own path. */
export function membersIn(kind: Kind, object: unknown, { keepsStandard = false } = {}): Members {
  const members: Members = new Map()
  const paths = Object.keys(kind.members)
  for (const path of [...paths, ...unknownPaths(object, paths)]) {
    const { form, standard, change } = memberOf(kind, path)
    const value = tidyValue(valueAt(object, path), form, change === 'metadata')
    if (value === undefined || value === null) continue
    if (!keepsStandard && standard !== undefined && isSame({ standard, ...(form && { form }) }, value, undefined))
      continue
    members.set(path, value)
  }
  return members
}

/** Finds what an object has beyond some paths. */
function unknownPaths(object: unknown, paths: readonly string[], prefix = ''): string[] {
  if (!isPlain(object)) return []
  return Object.keys(object).flatMap((name) => {
    const path = `${prefix}${name}`
    if (paths.includes(path) || object[name] == null || name.includes('.')) return []
    const isContainer = paths.some((one) => one.startsWith(`${path}.`))
    return isContainer ? unknownPaths(object[name], paths, `${path}.`) : [path]
  })
}

// The objects of a project as the service lists them, and which object of the files each of them is.
import type { Client, RequestOf } from '../api/client.ts'
import { isSegment } from '../api/request/path.ts'
import type { LooseRequest } from '../api/request/request.ts'
import { listed, mostNamed } from '../base/listed.ts'
import { ownValue } from '../base/record.ts'
import type { Endpoint } from '../contract/endpoint.ts'
import { listAssignments, listRuleAssignments } from '../contract/validation-rules.ts'
import { EXIT, PromoError, usageError } from '../errors.ts'
import type { Kind } from './kind.ts'
import { kindNamed, kinds, oneOf, partName } from './kinds.ts'
import { freeKey, keyGrammar, slug } from './names.ts'
import {
  changedAt,
  changedLeaves,
  ForeignId,
  isPlain,
  isSame,
  keyOfReference,
  type Members,
  memberOf,
  Reference,
  tidied,
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

/** What is to be read of a project. */
export interface Wanted {
  /** The kinds with files of their own. */
  managed: readonly string[]
  /** Those catalogues of which every object is read, and not only what others refer to. */
  whole: readonly string[]
  /** Objects of the other catalogues that the files have, by id or name. */
  wanted: ReadonlyMap<string, readonly string[]>
  /** Of the managed kinds and their parts only these; absent: all. */
  only?: ReadonlySet<string>
}

/** What was read of a project. */
export interface Read {
  found: Found[]
  /** The rules assigned to an object, by its id. */
  assigned: Map<string, { id: string; rule_id: string }[]>
  /** Kinds that the keys of the profile cannot read. */
  unreadable: string[]
  /** The kinds that were read. */
  kinds: ReadonlySet<string>
}

/** An object of the project, by its address in the files. */
export interface ProjectObject extends Found {
  address: string
  members: Members
  /** Its address had no recorded id, and its name led to it. */
  isAdopted: boolean
  /** The place that the service recorded, where the order of its siblings counts. */
  position?: number
}

/** What an object of the files is recognized by. */
export interface Known {
  kind: Kind
  name: string | undefined
  parent?: string
}

/** The objects of a project by address. */
export interface Identified {
  objects: Map<string, ProjectObject>
  /** The address of each id, also of files that the keys cannot compare. */
  addressOf: ReadonlyMap<string, string>
  /** Addresses with a recorded id of which the project has no object any more. */
  gone: string[]
  /** Names that more than one object has, as sentences. */
  ambiguous: string[]
  /** Of each address that is to be replaced, the address that its object has until then. */
  replaced: ReadonlyMap<string, string>
}

/**
 * Reads all objects of the kinds that are managed, oldest first.
 *
 * What the keys cannot read is listed in `unreadable` and is never taken for absent. Throws `CallError`.
 */
export async function readProject(
  client: Client,
  projectId: string,
  { managed, whole, wanted, only }: Wanted,
): Promise<Read> {
  const found: Found[] = []
  const unreadable: string[] = []
  const wereRead = new Set<string>()
  for (const kind of kinds) {
    const { within } = kind
    if (!managed.includes(within?.parent ?? kind.name) || (kind.isCatalogue && !whole.includes(kind.name))) continue
    if (only?.has(kind.name) === false) continue
    try {
      wereRead.add(kind.name)
      const parents = within && found.filter((object) => object.kind.name === within.parent && within.isIn(object.wire))
      if (parents === undefined) found.push(...(await objectsOf(client, kind, projectId)))
      else if (within?.field === undefined) {
        for (const { id } of parents) found.push(...(await objectsOf(client, kind, projectId, id)))
      } else if (parents.length > 0) {
        for (const object of await objectsOf(client, kind, projectId)) {
          found.push({ ...object, parentId: String(object.wire[within.field]) })
        }
      }
    } catch (error) {
      if (kind.calls.list.credential !== 'management' || !isAboutKeys(error)) throw error
      unreadable.push(kind.name)
      wereRead.delete(kind.name)
    }
  }
  for (const kind of kinds.filter(
    ({ name, isCatalogue }) => isCatalogue && managed.includes(name) && !whole.includes(name),
  )) {
    const ids = new Set([...(wanted.get(kind.name) ?? []), ...found.flatMap((object) => idsOf(kind, object))])
    const read = new Map<string, Found>()
    let all: Found[] | undefined
    // The service takes any text as a name; one that cannot be part of an address is looked for in the list.
    const inList = async (name: string) => {
      all ??= await objectsOf(client, kind, projectId)
      return all.find(({ wire }) => valueAt(wire, kind.named) === name)
    }
    for (const id of ids) {
      const object = isSegment(id) ? await readObject(client, { kind, id }, projectId) : await inList(id)
      if (object !== undefined) read.set(String(object.wire.id), { ...object, id: String(object.wire.id) })
    }
    found.push(...[...read.values()].toSorted((one, other) => olderFirst(one.wire, other.wire)))
    wereRead.add(kind.name)
  }
  const assigned: Read['assigned'] = new Map()
  const ruled = new Set(found.filter(({ kind }) => kind.ruled !== undefined).map(({ id }) => id))
  if (ruled.size > 0) {
    for (const { id, rule_id, related_object_id } of await wholeList(client, listAssignments, {})) {
      // Those of single vouchers are data.
      if (!ruled.has(String(related_object_id))) continue
      const one = { id: String(id), rule_id: String(rule_id) }
      assigned.set(String(related_object_id), [...(assigned.get(String(related_object_id)) ?? []), one])
    }
  }
  return { found, assigned, unreadable, kinds: wereRead }
}

/** The ids of a kind that an object refers to. */
function idsOf(kind: Kind, { kind: of, wire }: Found): string[] {
  const ids: unknown[] = []
  for (const [path, named] of Object.entries(of.references)) {
    if (named.includes(kind.name)) changedAt(wire, path, (id) => ids.push(id))
  }
  const prefix = ownValue(catalogueIds, kind.name)
  for (const path of of.free ?? []) {
    changedAt(wire, path, (value) => changedLeaves(value, (leaf) => ids.push(leaf)))
  }
  return ids.filter((id): id is string => typeof id === 'string' && (!(prefix instanceof RegExp) || prefix.test(id)))
}

/** What refers to objects. */
export interface Referrers {
  /** By the id of an object, in words: `campaign "Welcome"`. */
  users: ReadonlyMap<string, readonly string[]>
  /** Kinds that may refer to them and that the keys cannot read. */
  unreadable: readonly string[]
  /** The ids of the objects that were looked at. */
  looked: ReadonlySet<string>
}

/**
 * Reads what refers to objects in what a project is configured with, but for the kinds that are `known` already; the vouchers of a
 * category are data. Throws `CallError`.
 */
export async function referrersOf(
  client: Client,
  projectId: string,
  objects: readonly Pick<Found, 'kind' | 'id'>[],
  known: ReadonlySet<string> = new Set(),
): Promise<Referrers> {
  const targets = new Map(objects.map(({ kind }) => [kind.name, kind]))
  const referring = kinds.filter(
    ({ name, references, free = [] }) =>
      !known.has(name) &&
      (free.length > 0 || Object.values(references).some((some) => some.some((one) => targets.has(one)))),
  )
  const parents = referring.flatMap(({ within }) => within?.parent ?? [])
  const only = new Set([...referring.map(({ name }) => name), ...parents])
  const { found, assigned, unreadable } = await readProject(client, projectId, {
    managed: [...only],
    whole: [...only],
    wanted: new Map(),
    only,
  })
  const users = new Map<string, string[]>()
  for (const object of found) {
    const { kind, id, wire } = object
    const used = new Set(assigned.get(id)?.map(({ rule_id }) => rule_id))
    for (const target of targets.values()) for (const one of idsOf(target, object)) used.add(one)
    const words = `${kind.noun} ${JSON.stringify(valueAt(wire, kind.named) ?? id)}`
    for (const one of used) if (one !== id) users.set(one, [...(users.get(one) ?? []), words])
  }
  return { users, unreadable, looked: new Set(found.map(({ id }) => id)) }
}

/** Returns what a rule is assigned to beside objects that were looked at, in words: `voucher "v_1"`. Throws `CallError`. */
export async function assigneesOf(client: Client, ruleId: string, { looked }: Referrers): Promise<string[]> {
  const all = await wholeList(client, listRuleAssignments, { path: { validationRuleId: ruleId } })
  return all
    .filter(({ related_object_id }) => !looked.has(String(related_object_id)))
    .map((one) => `${String(one.related_object_type)} ${JSON.stringify(one.related_object_id)}`)
}

/** What the ids of a catalogue look like: in a free place any text may be one, and each is a request. */
const catalogueIds: Record<string, RegExp> = { products: /^prod_/ }

/** Reads the rules assigned to one object. */
export async function assignmentsOf(client: Client, id: string): Promise<{ id: string; rule_id: string }[]> {
  const list = await wholeList(client, listAssignments, { query: { related_object_id: id } })
  return list.map((one) => ({ id: String(one.id), rule_id: String(one.rule_id) }))
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
  try {
    const path = pathOf(get, kind, { projectId, parentId, id })
    const wire = (await client.call(get, { path } as RequestOf<typeof get>)) as Wire
    return { kind, id, wire, ...(parentId !== undefined && { parentId }) } satisfies Found
  } catch (error) {
    if (error instanceof PromoError && error.facts.http?.status === 404) return undefined
    throw error
  }
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
async function wholeList(client: Client, endpoint: Endpoint, request: LooseRequest): Promise<Wire[]> {
  const isPaged = endpoint.paging.style === 'page'
  const ordered = isPaged && takesOrder(endpoint) ? { order: 'created_at' } : {}
  const query = { ...((request.query ?? {}) as object), ...ordered }
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

function olderFirst(one: Wire, other: Wire): number {
  const [a, b] = [one, other].map(({ created_at, id }) => `${textOf(created_at)} ${textOf(id)}`) as [string, string]
  return a < b ? -1 : a > b ? 1 : 0
}

function takesOrder({ query }: Endpoint): boolean {
  return query?.safeParse({ order: 'created_at' }).success ?? false
}

function isAboutKeys(error: unknown): boolean {
  return error instanceof PromoError && error.exitCode === EXIT.auth
}

/**
 * Finds the address of each object: by its recorded id, else by its name where exactly one object and one file have it and
 * neither is claimed, else a new one. A recorded key without a file keeps naming its object. The objects of `replaced` addresses get
 * another address: what refers to them differs from the files, which mean the object that is made in their place.
 */
export function identified(
  { found, assigned, kinds: wereRead }: Read,
  known: ReadonlyMap<string, Known>,
  recorded: ReadonlyMap<string, string>,
  replaced: readonly string[] = [],
): Identified {
  const { ids, replacedIds } = withoutReplaced(recorded, known, replaced)
  // What the keys cannot read keeps the address that was recorded for its file, or every reference to it would seem to differ.
  const unread = [...ids].filter(([address]) => known.has(address) && !wereRead.has(kindAt(address)?.name ?? ''))
  const addressOf = new Map(unread.map(([address, id]) => [id, address]))
  const adopted = new Set<string>()
  const recordedFor = new Map([...ids].map(([address, id]) => [id, address]))
  const present = new Set(found.map(({ id }) => id))
  const ambiguous = twiceRecorded(ids, known)
  const taken = new Map<string, Set<string>>()
  const takenIn = (folder: string) => {
    const names = taken.get(folder) ?? new Set<string>()
    taken.set(folder, names)
    return names
  }
  for (const address of known.keys()) takenIn(folderOf(address)).add(keyOf(address).toLowerCase())

  for (const kind of kinds) {
    const ours = found.filter((object) => object.kind === kind)
    const folders = new Map<string, Found[]>()
    for (const object of ours) {
      const parent = object.parentId === undefined ? undefined : addressOf.get(object.parentId)
      if (object.parentId !== undefined && parent === undefined) continue
      const folder = kind.isSingle ? kind.name : parent === undefined ? kind.name : `${parent}/${partName(kind)}`
      folders.set(folder, [...(folders.get(folder) ?? []), object])
    }
    for (const [folder, objects] of folders) {
      if (kind.isSingle) {
        for (const { id } of objects) addressOf.set(id, kind.name)
        continue
      }
      const files = [...known].filter(([address, file]) => file.kind === kind && folderOf(address) === folder)
      const isClaimed = (address: string) => ids.has(address) && present.has(ids.get(address) as string)
      for (const [address] of files) if (isClaimed(address)) addressOf.set(ids.get(address) as string, address)
      const freeFiles = Map.groupBy(
        files.filter(([address]) => !isClaimed(address)),
        ([, { name }]) => name,
      )
      const freeObjects = Map.groupBy(
        objects.filter(({ id }) => !addressOf.has(id) && !replacedIds.has(id)),
        (object) => nameOf(object, addressOf),
      )
      for (const [name, named] of freeObjects) {
        const wanted = name === undefined ? [] : (freeFiles.get(name) ?? [])
        const [file] = wanted
        const [object] = named
        if (file !== undefined && wanted.length === 1 && named.length === 1 && object !== undefined) {
          addressOf.set(object.id, file[0])
          adopted.add(object.id)
        } else if (wanted.length > 0) {
          const which = listed(
            named.map(({ id }) => id),
            mostNamed,
          )
          const where = wanted.map(([address]) => address).join(', ')
          ambiguous.push(`${where}: more than one ${kind.noun} could be it by the name "${shortened(name)}" (${which})`)
        }
      }
      for (const object of objects) {
        if (addressOf.has(object.id)) continue
        const recorded = recordedFor.get(object.id)
        const names = takenIn(folder)
        const wanted =
          recorded !== undefined && folderOf(recorded) === folder && !names.has(keyOf(recorded).toLowerCase())
            ? keyOf(recorded)
            : freeKey(slug(suggestion(object, addressOf), kind.noun), names)
        names.add(wanted.toLowerCase())
        addressOf.set(object.id, `${folder}/${wanted}`)
      }
    }
  }

  const objects = new Map<string, ProjectObject>()
  for (const object of found) {
    const address = addressOf.get(object.id)
    if (address === undefined) continue
    const members = membersOfObject(object, addressOf, assigned.get(object.id) ?? [])
    objects.set(address, { ...object, address, members, isAdopted: adopted.has(object.id) })
  }
  setPositions(objects)
  const gone = [...known.keys()].filter((address) => ids.has(address) && !present.has(ids.get(address) as string))
  const old = new Map([...replacedIds].map(([id, address]) => [address, addressOf.get(id) ?? '']))
  return { objects, addressOf, gone, ambiguous, replaced: old }
}

/** Two branches of a repository may each have given an object a key. */
function twiceRecorded(ids: ReadonlyMap<string, string>, known: ReadonlyMap<string, Known>): string[] {
  const ours = [...ids].filter(([address]) => known.has(address))
  return [...Map.groupBy(ours, ([, id]) => id)].flatMap(([id, same]) => {
    const [one, ...others] = same.map(([address]) => address)
    return others.length === 0 ? [] : [`${[one, ...others].join(', ')}: all are recorded as ${id}; keep one of them`]
  })
}

/** Gives the recorded ids of replaced objects to keys that no file has. */
function withoutReplaced(
  recorded: ReadonlyMap<string, string>,
  known: ReadonlyMap<string, Known>,
  replaced: readonly string[],
) {
  const ids = new Map(recorded)
  const replacedIds = new Map<string, string>()
  for (const address of replaced) {
    const id = ids.get(address)
    if (id === undefined) continue
    ids.delete(address)
    const taken = new Set([...known.keys(), ...ids.keys()].map((one) => keyOf(one).toLowerCase()))
    ids.set(`${folderOf(address)}/${freeKey(`${keyOf(address)}-replaced`, taken)}`, id)
    replacedIds.set(id, address)
  }
  return { ids, replacedIds }
}

/** The position of an object among its siblings replaces the number that orders them, which may have gaps. */
function setPositions(objects: ReadonlyMap<string, ProjectObject>): void {
  const ordered = [...objects.values()].filter(({ kind }) => kind.within?.as === 'list')
  for (const [, siblings] of Map.groupBy(ordered, ({ address }) => folderOf(address))) {
    const [first] = siblings
    const path = Object.entries(first?.kind.members ?? {}).find(([, { change }]) => change === 'position')?.[0]
    if (path === undefined) continue
    const at = (object: ProjectObject) => Number(valueAt(object.wire, path) ?? 0)
    for (const [index, object] of siblings.toSorted((a, b) => at(a) - at(b)).entries()) {
      object.position = at(object)
      object.members.set(path, index + 1)
    }
  }
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
  const reference = (id: unknown) => {
    if (typeof id !== 'string') return id
    const address = addressOf.get(id)
    return address === undefined ? new ForeignId(id) : new Reference(address)
  }
  for (const path of Object.keys(kind.references)) {
    rest = changedAt(rest, path, (id) => {
      const found = reference(id)
      return path.endsWith('{}') ? (found instanceof Reference ? keyOfReference(found) : id) : (found ?? undefined)
    })
  }
  for (const path of kind.free ?? []) {
    rest = changedAt(rest, path, (value) => changedLeaves(value, (leaf) => freeReference(leaf, addressOf)))
  }
  return membersIn(kind, rest)
}

/** An id in a free place is a reference only where the folder has its object: any text may be there. */
function freeReference(leaf: unknown, addressOf: ReadonlyMap<string, string>): unknown {
  const address = typeof leaf === 'string' ? addressOf.get(leaf) : undefined
  return address === undefined ? leaf : new Reference(address)
}

/** Splits an object into its members; what the declaration does not know is a member under its own path. */
export function membersIn(kind: Kind, object: unknown, { keepsStandard = false } = {}): Members {
  const members: Members = new Map()
  const paths = Object.keys(kind.members)
  for (const path of [...paths, ...unknownPaths(object, paths)]) {
    const { form, standard, change } = memberOf(kind, path)
    const value = tidied(valueAt(object, path), form, change === 'metadata')
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

/** The name by which an object is recognized; for one that is keyed by another, the address of that. */
export function nameOf({ kind, wire }: Pick<Found, 'kind' | 'wire'>, addressOf: ReadonlyMap<string, string>) {
  const name = valueAt(wire, kind.named) ?? (kind.orNamed && valueAt(wire, kind.orNamed))
  if (typeof name !== 'string') return undefined
  return kind.keyedBy === undefined ? name : (addressOf.get(name) ?? name)
}

function suggestion(object: Found, addressOf: ReadonlyMap<string, string>): string {
  const { kind, wire } = object
  const name = nameOf(object, addressOf)
  if (kind.keyedBy !== undefined && name?.includes('/')) return keyOf(name)
  if (kind.name === 'webhooks') return String(name).replace(/^https?:\/\//, '')
  return name ?? textOf(wire.name)
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

/** The address without its key: `campaigns/bean-club/offers`. */
export function folderOf(address: string): string {
  return address.slice(0, Math.max(0, address.lastIndexOf('/')))
}

/** The address of the object that has a file: of a part, that of what it is a part of. */
export function wholeOf(address: string): string {
  return address.split('/').slice(0, 2).join('/')
}

/** The key of an address. */
export function keyOf(address: string): string {
  return address.slice(address.lastIndexOf('/') + 1)
}

/** The address that a kind and a key name; the key of a part has that of its parent before it. Throws `usage`. */
export function addressOfKey(kind: Kind, key: string): string {
  const names = key.split('/')
  const isWhole = kind.within === undefined
  if (names.length !== (isWhole ? 1 : 2) || !names.every((name) => keyGrammar.test(name))) {
    const form = isWhole ? 'orders-above-20' : 'PARENT/KEY, like bean-club/enamel-mug'
    throw usageError(`"${key}" is no key of ${oneOf(kind)}; one is ${form}`)
  }
  const [first, second] = names
  return isWhole ? `${kind.name}/${first}` : `${kind.within?.parent}/${first}/${partName(kind)}/${second}`
}

/** The kind of the object at an address; undefined for an address that names none. */
export function kindAt(address: string): Kind | undefined {
  const [first = '', , part, , ...more] = address.split('/')
  const name = part === undefined ? first : `${first}/${part}`
  const isWhole = more.length === 0 && address.split('/').length !== 3
  return isWhole && kinds.some((kind) => kind.name === name) ? kindNamed(name) : undefined
}

function shortened(name: string | undefined): string {
  return name === undefined || name.length <= 60 ? String(name) : `${name.slice(0, 59)}…`
}

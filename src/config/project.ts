// The objects of a project as the service lists them, and which object of the files each of them is.
import type { Client } from '../api/client.ts'
import { isSegment } from '../api/request/path.ts'
import { listed, mostNamed } from '../base/listed.ts'
import { ownValue } from '../base/record.ts'
import { listSkus } from '../contract/skus.ts'
import { listAssignments, listRuleAssignments } from '../contract/validation-rules.ts'
import { listVouchers } from '../contract/voucher-lists.ts'
import { EXIT, PromoError, usageError } from '../errors.ts'
import type { Kind } from '../model/kind.ts'
import { kindNamed, kinds, oneOf, partName } from '../model/kinds.ts'
import { type Found, membersOfObject, objectsOf, olderFirst, readObject, wholeList } from '../model/objects.ts'
import { changedAt, changedLeaves, isPlain, type Members, textOf, valueAt } from '../model/value.ts'
import { freeKey, keyGrammar, slug } from './names.ts'

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
  const isSku = kind.name === 'skus'
  for (const [path, named] of Object.entries(of.references)) {
    // Wherever a product may be, one of its SKUs may.
    if (named.includes(isSku ? 'products' : kind.name) || (isSku && path.endsWith('.sku_id')))
      changedAt(wire, path, (id) => ids.push(id))
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
}

/** What is known already, and need not be read or does not count. */
interface Apart {
  kinds?: ReadonlySet<string>
  ids?: ReadonlySet<string>
}

/**
 * Reads who refers to objects: what a project is configured with, SKUs, assignees of rules, and vouchers. The one answer for whatever
 * deletes because nothing refers to it. Orders cannot be asked for by product. Throws `CallError`.
 */
export async function referrersOf(
  client: Client,
  projectId: string,
  objects: readonly Pick<Found, 'kind' | 'id' | 'wire'>[],
  { kinds: known = new Set(), ids: apart = new Set() }: Apart = {},
): Promise<Referrers> {
  const targets = new Map(objects.map(({ kind }) => [kind.name, kind]))
  const isTarget = (name: string) => targets.has(name) || (name === 'products' && targets.has('skus'))
  const referring = kinds.filter(
    ({ name, references, free = [] }) =>
      !known.has(name) && (free.length > 0 || Object.values(references).some((some) => some.some(isTarget))),
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
  const note = (id: string, words: string) => users.set(id, [...(users.get(id) ?? []), words])
  for (const object of found) {
    const { kind, id, wire, parentId = '' } = object
    if (apart.has(id) || apart.has(parentId)) continue
    const used = new Set(assigned.get(id)?.map(({ rule_id }) => rule_id))
    for (const target of targets.values()) for (const one of idsOf(target, object)) used.add(one)
    const words = `${kind.noun} ${JSON.stringify(valueAt(wire, kind.named) ?? id)}`
    for (const one of used) if (one !== id) note(one, words)
  }
  const seen = new Set([...apart, ...found.map(({ id }) => id)])
  for (const object of objects) {
    for await (const words of dataUsers(client, object, seen)) note(object.id, words)
  }
  return { users, unreadable }
}

/** The calls that read which data refer to an object. */
export const dataCalls = [listRuleAssignments, listSkus, listVouchers]

/** Reads which data refer to an object, in words: `voucher "SPRING"`; `seen` are the ids of objects that were looked at. */
async function* dataUsers(
  client: Client,
  { kind, id, wire }: Pick<Found, 'kind' | 'id' | 'wire'>,
  seen: ReadonlySet<string>,
): AsyncGenerator<string> {
  if (kind.name === 'rules') {
    const all = await wholeList(client, listRuleAssignments, { path: { validationRuleId: id } })
    for (const { related_object_type, related_object_id } of all) {
      if (!seen.has(String(related_object_id)))
        yield `${String(related_object_type)} ${JSON.stringify(related_object_id)}`
    }
  }
  if (kind.name === 'categories') {
    const filed = client.items(listVouchers, { query: { category: id } }, { limit: mostNamed })
    for await (const { code } of filed) yield `voucher ${JSON.stringify(code)}`
  }
  if (kind.name === 'products') {
    const skus = client.items(listSkus, { path: { productId: id } }, { limit: mostNamed })
    for await (const sku of skus) yield `SKU ${JSON.stringify(sku.sku ?? sku.source_id ?? sku.id)}`
  }
  if (kind.name === 'products' || kind.name === 'skus') {
    // Codes of a campaign have its discount. No code is older than the product that it is about.
    const since = typeof wire.created_at === 'string' ? Date.parse(wire.created_at) - 1000 : Number.NaN
    const query = {
      filters: { campaign_id: { conditions: { $is_unknown: true } } },
      ...(!Number.isNaN(since) && { created_at: { after: new Date(since).toISOString() } }),
    }
    for await (const { code, discount } of client.items(listVouchers, { query })) {
      const units = isPlain(discount) ? [discount, discount.units].flat() : []
      if (units.some((unit) => isPlain(unit) && unit.unit_type === id)) yield `voucher ${JSON.stringify(code)}`
    }
  }
}

/** What the ids of a catalogue look like: in a free place any text may be one, and each is a request. */
const catalogueIds: Record<string, RegExp> = { products: /^prod_/ }

/** Reads the rules assigned to one object. */
export async function assignmentsOf(client: Client, id: string): Promise<{ id: string; rule_id: string }[]> {
  const list = await wholeList(client, listAssignments, { query: { related_object_id: id } })
  return list.map((one) => ({ id: String(one.id), rule_id: String(one.rule_id) }))
}

function isAboutKeys(error: unknown): boolean {
  return error instanceof PromoError && error.exitCode === EXIT.auth
}

/**
 * Finds the address of each object: by its recorded id, else by its name where exactly one object and one file have it and
 * neither is claimed, else a new one. A recorded key without a file keeps naming its object. The objects of `replaced` addresses get
 * another address: what refers to them differs from the files, which mean the object that is made in their place.
 */
export function identify(
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
          ambiguous.push(`${where}: more than one ${kind.noun} could be it by the name "${shorten(name)}" (${which})`)
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

function shorten(name: string | undefined): string {
  return name === undefined || name.length <= 60 ? String(name) : `${name.slice(0, 59)}…`
}

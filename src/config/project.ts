// The objects of a project as the service lists them, and which object of the files each of them is.
import type { Client } from '../api/client.ts'
import { isSegment } from '../api/request/path.ts'
import { listNames, mostNamed } from '../base/name-list.ts'
import { listAssignments } from '../contract/validation-rules.ts'
import { EXIT, PromoError } from '../errors.ts'
import type { Kind } from '../model/kind.ts'
import { kinds, partName } from '../model/kinds.ts'
import { type Found, membersOfObject, objectsOf, olderFirst, readObject, wholeList } from '../model/objects.ts'
import { changedAt, changedLeaves, type Members, memberChangedBy, textOf, valueAt } from '../model/value.ts'
import { folderOf, keyOf, kindAt } from './addresses.ts'
import { freeKey, slug } from './names.ts'

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
      const isAboutKeys = error instanceof PromoError && error.exitCode === EXIT.auth
      if (kind.calls.list.credential !== 'management' || !isAboutKeys) throw error
      unreadable.push(kind.name)
      wereRead.delete(kind.name)
    }
  }
  for (const kind of kinds) {
    if (!kind.isCatalogue || !managed.includes(kind.name) || whole.includes(kind.name)) continue
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

/** What the ids of a catalogue look like: in a free place any text may be one, and each is a request. */
const catalogueIds = new Map([['products', /^prod_/]])

/** The ids of a kind that an object refers to. */
export function idsOf(kind: Kind, { kind: of, wire }: Found): string[] {
  const ids: unknown[] = []
  const isSku = kind.name === 'skus'
  for (const [path, named] of Object.entries(of.references)) {
    // Wherever a product may be, one of its SKUs may.
    if (named.includes(isSku ? 'products' : kind.name) || (isSku && path.endsWith('.sku_id')))
      changedAt(wire, path, (id) => ids.push(id))
  }
  for (const path of of.free ?? []) {
    changedAt(wire, path, (value) => changedLeaves(value, (leaf) => ids.push(leaf)))
  }
  const form = catalogueIds.get(kind.name)
  return ids.filter((id) => typeof id === 'string').filter((id) => form === undefined || form.test(id))
}

/** Reads the rules assigned to one object. */
export async function assignmentsOf(client: Client, id: string): Promise<{ id: string; rule_id: string }[]> {
  const list = await wholeList(client, listAssignments, { query: { related_object_id: id } })
  return list.map((one) => ({ id: String(one.id), rule_id: String(one.rule_id) }))
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
    if (kind.isSingle) {
      for (const { id } of ours) addressOf.set(id, kind.name)
      continue
    }
    const folders = Map.groupBy(ours, ({ parentId }) => {
      if (parentId === undefined) return kind.name
      const parent = addressOf.get(parentId)
      return parent && `${parent}/${partName(kind)}`
    })
    for (const [folder, objects] of folders) {
      if (folder === undefined) continue
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
          const which = listNames(
            named.map(({ id }) => id),
            mostNamed,
          )
          const where = wanted.map(([address]) => address).join(', ')
          const what = `${kind.noun} could be it by the name "${shorten(String(name))}" (${which})`
          ambiguous.push(`${where}: more than one ${what}`)
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
    const path = siblings[0] && memberChangedBy(siblings[0].kind, 'position')
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

function shorten(name: string): string {
  return name.length <= 60 ? name : `${name.slice(0, 59)}…`
}

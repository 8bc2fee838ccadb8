// What differs between the files of a folder and the objects of a project, member by member.
import type { Difference } from '../model/bodies.ts'
import { kinds } from '../model/kinds.ts'
import { isSame, memberOf, recognizeReferences } from '../model/value.ts'
import { folderOf, parentOf } from './addresses.ts'
import type { FileObject } from './file-objects.ts'
import { type Folder, isManaged } from './folder.ts'
import type { Identified, ProjectObject } from './project.ts'

/**
 * An object that differs.
 *
 * - `create`: only the files have it. `update`: its members differ.
 * - `extra`: only the project has it, and the folder is meant to have all of its kind.
 */
export interface Divergence {
  state: 'create' | 'update' | 'extra'
  address: string
  file?: FileObject
  object?: ProjectObject
  differences: Difference[]
}

/** Compares a folder with a project, in the order in which objects are created; nothing where they are the same. */
export function compareWith(folder: Folder, project: Pick<Identified, 'objects' | 'addressOf'>): Divergence[] {
  const { objects } = project
  const places = placesIn(folder, objects)
  const order = new Map(kinds.map((kind, index) => [kind, index]))
  const found: Divergence[] = []
  for (const file of folder.objects.values()) {
    const object = objects.get(file.address)
    const differences = differencesOf(file, object, places, project)
    if (object === undefined) found.push({ state: 'create', address: file.address, file, differences })
    else if (differences.length > 0) found.push({ state: 'update', address: file.address, file, object, differences })
  }
  for (const object of objects.values()) {
    if (folder.objects.has(object.address) || !isManaged(folder, object.address)) continue
    // A project has one set of stacking rules and settings, whether the folder manages them or not.
    if (object.kind.isSingle || object.kind.isCatalogue) continue
    if (folder.objects.get(parentOf(object.address))?.isPartial) continue
    found.push({ state: 'extra', address: object.address, object, differences: [] })
  }
  const rank = ({ file, object }: Divergence) => order.get((file ?? object)?.kind as never) ?? 0
  return found.toSorted((a, b) => rank(a) - rank(b) || (a.address < b.address ? -1 : 1))
}

function differencesOf(
  file: FileObject,
  object: ProjectObject | undefined,
  places: Places,
  { addressOf }: Pick<Identified, 'addressOf'>,
): Difference[] {
  const { kind, members: wanted, isPartial } = file
  const present = object?.members ?? new Map<string, unknown>()
  const paths = new Set([...Object.keys(kind.members), ...wanted.keys(), ...present.keys()])
  const differences: Difference[] = []
  for (const path of paths) {
    const member = memberOf(kind, path)
    const { change, isFilled, standard } = member
    if (change === 'position') {
      differences.push(...positionOf(path, file, object, places))
      continue
    }
    const before = present.get(path)
    const after = recognizeReferences(kind, path, wanted.get(path), addressOf)
    if (!wanted.has(path) && (isPartial || isFilled)) continue
    if (object === undefined ? after === undefined : isSame(member, before, after)) continue
    differences.push({ member: path, before, after: after ?? (object === undefined ? undefined : standard) })
  }
  return differences
}

/** The siblings of an object by the folder of their addresses: those of the files in their order, and those of the project. */
interface Places {
  files: ReadonlyMap<string, ReadonlyMap<string, number>>
  kept: ReadonlyMap<string, readonly ProjectObject[]>
}

function placesIn(folder: Folder, objects: Identified['objects']): Places {
  const files = new Map(
    [...Map.groupBy(folder.objects.values(), ({ address }) => folderOf(address))].map(([parent, siblings]) => [
      parent,
      new Map(siblings.toSorted((a, b) => a.index - b.index).map(({ address }, at) => [address, at + 1])),
    ]),
  )
  const kept = [...objects.values()].filter(({ address }) => folder.objects.has(address))
  return { files, kept: Map.groupBy(kept, ({ address }) => folderOf(address)) }
}

/**
 * The place of an object among its siblings. Where their order is that of the file already, no number is touched, even if
 * the numbers have gaps; otherwise each gets the number of its place.
 */
function positionOf(
  path: string,
  file: FileObject,
  object: ProjectObject | undefined,
  { files, kept }: Places,
): Difference[] {
  const parent = folderOf(file.address)
  const wanted = files.get(parent)
  const place = wanted?.get(file.address)
  if (object === undefined) return [{ member: path, before: undefined, after: place }]
  if (object.position === place || isInOrder(wanted, kept.get(parent) ?? [], path)) return []
  return [{ member: path, before: object.position, after: place }]
}

function isInOrder(
  wanted: ReadonlyMap<string, number> | undefined,
  there: readonly ProjectObject[],
  path: string,
): boolean {
  const sorted = there.toSorted((a, b) => Number(a.members.get(path)) - Number(b.members.get(path)))
  return sorted.length === wanted?.size && sorted.every(({ address }, at) => wanted.get(address) === at + 1)
}

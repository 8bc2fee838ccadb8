// Writes a project into the files of a folder. What did not change keeps its comments, its order and its spelling.

import type { Document, Node, Pair, YAMLMap, YAMLSeq } from 'yaml'
import type { Kind } from '../model/kind.ts'
import { partName, partsOf } from '../model/kinds.ts'
import {
  addressInName,
  changedAt,
  changedLeaves,
  ForeignId,
  isPlain,
  isSame,
  memberChangedBy,
  memberOf,
  Reference,
  setAt,
  valueAt,
} from '../model/value.ts'
import { folderOf, keyOf, parentOf } from './addresses.ts'
import type { FileObject } from './file-objects.ts'
import type { Folder } from './folder.ts'
import { hasPlaceholder, withoutPlaceholders } from './placeholders.ts'
import type { ProjectObject } from './project.ts'
import { schemaFile, textChecksum } from './records.ts'
import { rootFile } from './root-file.ts'
import { type Path, parseYaml, type Yaml, yamlOptions, yamlText } from './yaml-file.ts'

type Objects = ReadonlyMap<string, ProjectObject>

/** What a pull would write. */
export interface Written {
  /** The text of each file that is new or changes, by its path in the folder. */
  changed: Map<string, string>
  /** Files of objects that the project does not have any more. */
  removed: string[]
  /** All files as they are afterwards, with the SHA-256 of their text. */
  checksums: Map<string, string>
  /** Placeholders whose value differs from what was read: `values/NAME.yaml` could say so. */
  offered: { file: string; member: string; placeholder: string; value: unknown }[]
}

/**
 * Returns what the files of a folder would be. Nothing is written. `managed` are the kinds that were read; of a part of the project, nothing
 * says that the other objects are gone.
 */
export async function writtenProject(
  folder: Folder,
  objects: Objects,
  { managed, root, isPart = false }: { managed: readonly string[]; root: Record<string, unknown>; isPart?: boolean },
): Promise<Written> {
  const yaml = await import('yaml')
  const written: Written = { changed: new Map(), removed: [], checksums: new Map(), offered: [] }
  const write = (file: string, text: string) => {
    written.checksums.set(file, textChecksum(text))
    if (folder.files.get(file) !== text) written.changed.set(file, text)
  }
  write(rootFile, rootText(yaml, folder, root))
  const wholes = [...objects.values()].filter(({ kind }) => kind.within === undefined && managed.includes(kind.name))
  for (const object of wholes) {
    const file = `${object.address}.yaml`
    const known = folder.files.get(file)
    const there = folder.objects.get(object.address)
    if (known === undefined || there === undefined) write(file, textOfNew(yaml, object, objects))
    else {
      const document = parseYaml(yaml, known)
      const before = document.toString()
      merge({ yaml, document, folder, objects, offered: written.offered }, [], there, object)
      write(file, document.toString() === before ? known : yamlText(document))
    }
  }
  if (isPart) return written
  const kept = new Set(wholes.map(({ address }) => address))
  for (const { kind, address, file } of folder.objects.values()) {
    if (kind.within === undefined && managed.includes(kind.name) && !kept.has(address)) written.removed.push(file)
  }
  return written
}

function rootText(yaml: Yaml, folder: Folder, root: Record<string, unknown>): string {
  const known = folder.files.get(rootFile)
  if (known === undefined) {
    const document = new yaml.Document(root, yamlOptions())
    document.commentBefore = ' A project as files: docs/config.md says what they mean.'
    return yamlText(document as Document)
  }
  const document = parseYaml(yaml, known)
  const before = document.toJS() as Record<string, unknown>
  const changed = Object.entries(root).filter(([name, value]) => JSON.stringify(before[name]) !== JSON.stringify(value))
  if (changed.length === 0) return known
  for (const [name, value] of changed) document.set(name, document.createNode(value))
  return yamlText(document)
}

function textOfNew(yaml: Yaml, object: ProjectObject, objects: Objects): string {
  const { kind } = object
  const document = new yaml.Document(plainObject(object, objects), yamlOptions()) as Document
  foldSmall(yaml, document)
  // An editor completes what the first line names the schema of.
  return `# yaml-language-server: $schema=${kind.isSingle ? '' : '../'}${schemaFile(kind)}\n${yamlText(document)}`
}

/** An object as its file has it, with its parts. */
function plainObject(object: ProjectObject, objects: Objects): Record<string, unknown> {
  const plain: Record<string, unknown> = {}
  for (const [path, value] of object.members)
    if (isWritten(object.kind, path, value)) setAt(plain, path, fileValue(object, path, value))
  for (const part of partsOf(object.kind)) {
    const parts = partsIn(object.address, part, objects)
    if (parts.length > 0) plain[partName(part)] = plainParts(part, parts, objects)
  }
  return plain
}

function plainParts(part: Kind, parts: readonly ProjectObject[], objects: Objects): unknown {
  if (part.within?.as === 'list') return parts.map((one) => plainItem(one, objects))
  return Object.fromEntries(parts.map((one) => [keyOf(one.address), plainObject(one, objects)]))
}

function plainItem(part: ProjectObject, objects: Objects): Record<string, unknown> {
  return { key: keyOf(part.address), ...plainObject(part, objects) }
}

/** The parts of an object: in their order, else by key, so that two projects have the same files. */
function partsIn(address: string, part: Kind, objects: Objects): ProjectObject[] {
  const folder = `${address}/${partName(part)}`
  const parts = [...objects.values()].filter((one) => one.kind === part && folderOf(one.address) === folder)
  const position = memberChangedBy(part, 'position')
  if (position !== undefined)
    return parts.toSorted((a, b) => Number(a.members.get(position)) - Number(b.members.get(position)))
  return parts.toSorted((a, b) => (a.address < b.address ? -1 : 1))
}

/** The place in a list says the position, and the key of a part what it is keyed by, where the folder has that. */
function isWritten(kind: Kind, path: string, value: unknown): boolean {
  return memberOf(kind, path).change !== 'position' && (path !== kind.keyedBy || value instanceof ForeignId)
}

/** The value of a member as a file has it: keys in place of references, and no text that would be a placeholder. */
function fileValue({ kind, address }: Pick<ProjectObject, 'kind' | 'address'>, path: string, value: unknown): unknown {
  const { form } = memberOf(kind, path)
  const inOrder = form === 'set' && Array.isArray(value) ? sortedSet(value) : value
  let object: unknown = {}
  setAt(object as Record<string, unknown>, path, inOrder)
  for (const [pattern, names] of Object.entries(kind.references)) {
    object = changedAt(object, pattern, (found) => {
      const to = found instanceof Reference ? found.address : addressInName(String(found))
      return to === undefined ? found : keyFor(to, names, address)
    })
  }
  const plain = changedLeaves(object, (leaf) => {
    if (leaf instanceof ForeignId) return { id: leaf.id }
    return typeof leaf === 'string' ? withoutPlaceholders(leaf) : leaf
  })
  return valueAt(plain, path)
}

function sortedSet(list: readonly unknown[]): unknown[] {
  const text = (item: unknown) => (item instanceof Reference ? item.address : JSON.stringify(item))
  return list.toSorted((a, b) => (typeof a === 'number' && typeof b === 'number' ? a - b : text(a) < text(b) ? -1 : 1))
}

function keyFor(address: string, names: readonly string[], from: string): string {
  return names[0]?.includes('/') && parentOf(address) !== parentOf(from) ? address : keyOf(address)
}

/** A file that is brought up to date, and what from. */
interface Edited {
  yaml: Yaml
  document: Document
  folder: Folder
  objects: Objects
  offered: Written['offered']
}

/** Brings an object of a file up to date: only members that differ are touched. */
function merge(edited: Edited, at: Path, there: FileObject, object: ProjectObject): void {
  const { kind } = object
  const paths = new Set([...Object.keys(kind.members), ...object.members.keys(), ...there.members.keys()])
  for (const path of paths) {
    const member = memberOf(kind, path)
    const value = object.members.get(path)
    if (!isWritten(kind, path, value) || isSame(member, there.members.get(path), value)) continue
    if (there.isPartial && !there.members.has(path)) continue
    const place = [...at, ...path.split('.')]
    const placed = edited.document.getIn(place)
    if (typeof placed === 'string' && hasPlaceholder(placed)) {
      edited.offered.push({ file: there.file, member: path, placeholder: placed, value: value ?? member.standard })
      continue
    }
    if (value === undefined) removeIn(edited, place)
    else setIn(edited, place, fileValue(object, path, value))
  }
  for (const part of partsOf(kind)) mergeParts(edited, [...at, partName(part)], part, there, object)
}

function mergeParts(edited: Edited, at: Path, part: Kind, there: FileObject, object: ProjectObject): void {
  const { yaml, document, folder, objects } = edited
  const parts = partsIn(object.address, part, objects)
  const known = document.getIn(at, true)
  if (parts.length === 0) {
    if (known !== undefined && known !== null && !there.isPartial) document.deleteIn(at)
    return
  }
  const isList = part.within?.as === 'list'
  if (!(isList ? yaml.isSeq(known) : yaml.isMap(known))) {
    document.setIn(at, createNode(edited, plainParts(part, parts, objects)))
    return
  }
  // Known parts are brought up to date where they are, before any of them moves.
  const places = new Map<string, unknown>()
  for (const one of parts) {
    const file = folder.objects.get(one.address)
    if (file === undefined) continue
    merge(edited, file.at, file, one)
    places.set(one.address, document.getIn(file.at, true))
  }
  if (isList) {
    const list = known as YAMLSeq
    list.items = parts.map((one) => places.get(one.address) ?? createNode(edited, plainItem(one, objects)))
    return
  }
  const map = known as YAMLMap
  const keys = new Set(parts.map(({ address }) => keyOf(address)))
  map.items = map.items.filter((pair) => keys.has(String(nameOf(pair as Pair))))
  for (const one of parts) {
    if (!places.has(one.address))
      map.items.push(document.createPair(keyOf(one.address), createNode(edited, plainObject(one, objects))) as never)
  }
}

function nameOf({ key }: Pair): unknown {
  return typeof key === 'object' && key !== null ? (key as { value?: unknown }).value : key
}

function createNode({ yaml, document }: Edited, value: unknown): Node {
  const node = document.createNode(value) as Node
  foldSmall(yaml, node)
  return node
}

/** Removes a value, and the objects around it that have nothing else. */
function removeIn({ yaml, document }: Edited, at: Path): void {
  document.deleteIn(at)
  for (let length = at.length - 1; length > 0; length -= 1) {
    const around = document.getIn(at.slice(0, length), true)
    if (!yaml.isMap(around) || around.items.length > 0) return
    document.deleteIn(at.slice(0, length))
  }
}

/** Sets a value, and touches only what is different in it. */
function setIn(edited: Edited, at: Path, value: unknown): void {
  edited.document.setIn(at, mergedNode(edited, edited.document.getIn(at, true), value))
}

function mergedNode(edited: Edited, node: unknown, value: unknown): Node {
  const { yaml } = edited
  if (yaml.isMap(node) && isPlain(value)) {
    removeOthers(node, value)
    for (const [name, inner] of Object.entries(value)) node.set(name, mergedNode(edited, node.get(name, true), inner))
    return node
  }
  if (yaml.isSeq(node) && Array.isArray(value)) {
    const left = [...node.items]
    node.items = value.map((item, index) => {
      const same = left.findIndex(
        (one) => one !== undefined && JSON.stringify(plainOfNode(one)) === JSON.stringify(item),
      )
      if (same >= 0) return left.splice(same, 1)[0]
      const atSame = node.items[index]
      if (!yaml.isMap(atSame) || !isPlain(item)) return createNode(edited, item)
      left.splice(left.indexOf(atSame), 1)
      return mergedNode(edited, atSame, item)
    })
    return node
  }
  if (yaml.isScalar(node) && !isPlain(value) && !Array.isArray(value) && !(value instanceof Reference)) {
    node.value = value
    return node
  }
  return createNode(edited, value)
}

function removeOthers(node: YAMLMap, value: Record<string, unknown>): void {
  for (const pair of node.items.slice())
    if (!Object.hasOwn(value, String(nameOf(pair as Pair)))) node.delete(nameOf(pair as Pair))
}

function plainOfNode(node: unknown): unknown {
  const { toJSON } = (node ?? {}) as { toJSON?: () => unknown }
  return toJSON === undefined ? node : toJSON.call(node)
}

const widest = 100

/** Writes a small object or list on one line, as people do. */
function foldSmall(yaml: Yaml, root: Document | Node): void {
  yaml.visit(root, {
    Collection(_, node, path) {
      const isTop = path.length <= 1 && yaml.isDocument(path[0])
      const isEmpty = node.items.length === 0
      const plain = plainOfNode(node)
      if ((!isTop && JSON.stringify(plain).length <= widest && depthOf(plain) <= 3) || isEmpty) {
        node.flow = true
        return yaml.visit.SKIP
      }
      return undefined
    },
  })
}

function depthOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0
  return 1 + Math.max(0, ...Object.values(value).map(depthOf))
}

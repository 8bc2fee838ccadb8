// Writes a project into the files of a folder. What did not change keeps its comments, its order and its spelling.

import type { Document, Node, Pair, YAMLMap, YAMLSeq } from 'yaml'
import { pathBelow } from '../base/files/path-below.ts'
import type { Kind } from '../model/kind.ts'
import { partName, partsOf } from '../model/kinds.ts'
import { changedAt, changedLeaves, ForeignId, isPlain, isSame, memberOf, Reference, setAt } from '../model/value.ts'
import { type FileObject, type Folder, rootFile, writtenAt } from './folder.ts'
import { hasPlaceholder, withoutPlaceholders } from './placeholders.ts'
import { folderOf, keyOf, type ProjectObject } from './project.ts'
import { schemaFile, textChecksum } from './records.ts'
import { parseYaml, yamlOptions } from './yaml-file.ts'

type Yaml = typeof import('yaml')

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
  objects: ReadonlyMap<string, ProjectObject>,
  { managed, root, isPart = false }: { managed: readonly string[]; root: Record<string, unknown>; isPart?: boolean },
): Promise<Written> {
  const yaml = await import('yaml')
  const written: Written = { changed: new Map(), removed: [], checksums: new Map(), offered: [] }
  const write = (file: string, text: string) => {
    written.checksums.set(file, textChecksum(text))
    if (folder.files.get(file)?.text !== text) written.changed.set(file, text)
  }
  write(rootFile, rootText(yaml, folder, root))
  const wholes = [...objects.values()].filter(({ kind }) => kind.within === undefined && managed.includes(kind.name))
  for (const object of wholes) {
    const file = `${object.address}.yaml`
    const known = folder.files.get(file)
    const there = folder.objects.get(object.address)
    if (known === undefined || there === undefined) write(file, textOfNew(yaml, object, objects))
    else write(file, textOfKnown(yaml, known.text, there, object, { folder, objects, offered: written.offered }))
  }
  if (isPart) return written
  const kept = new Set(wholes.map(({ address }) => address))
  for (const { kind, address, file } of folder.objects.values()) {
    if (kind.within === undefined && managed.includes(kind.name) && !kept.has(address)) written.removed.push(file)
  }
  return written
}

const rootComment = ' A project as files: docs/config.md says what they mean.\n'

function rootText(yaml: Yaml, folder: Folder, root: Record<string, unknown>): string {
  const known = folder.files.get(rootFile)
  if (known === undefined) {
    const document = new yaml.Document(root, yamlOptions())
    document.commentBefore = rootComment.trimEnd()
    return textOf(document as Document)
  }
  const document = parseYaml(yaml, known.text)
  const before = document.toJS() as Record<string, unknown>
  const changed = Object.entries(root).filter(([name, value]) => JSON.stringify(before[name]) !== JSON.stringify(value))
  if (changed.length === 0) return known.text
  for (const [name, value] of changed) document.set(name, document.createNode(value))
  return textOf(document)
}

function textOf(document: Document): string {
  return document.toString({ lineWidth: 0, flowCollectionPadding: false })
}

function textOfNew(yaml: Yaml, object: ProjectObject, objects: ReadonlyMap<string, ProjectObject>): string {
  const document = new yaml.Document(plainObject(object, objects), yamlOptions())
  foldSmall(yaml, document as Document)
  return `${schemaLine(object.kind)}${textOf(document as Document)}`
}

/** An editor completes what the first line names the schema of. */
function schemaLine(kind: Kind): string {
  return `# yaml-language-server: $schema=${kind.isSingle ? '' : '../'}${schemaFile(kind)}\n`
}

/** An object as its file has it, with its parts. */
function plainObject(object: ProjectObject, objects: ReadonlyMap<string, ProjectObject>): Record<string, unknown> {
  const plain: Record<string, unknown> = {}
  for (const [path, value] of object.members)
    if (isWritten(object.kind, path, value)) setAt(plain, path, fileValue(object, path, value))
  for (const part of partsOf(object.kind)) {
    const parts = partsIn(object.address, part, objects)
    if (parts.length === 0) continue
    plain[partName(part)] =
      part.within?.as === 'list'
        ? parts.map((one) => ({ key: keyOf(one.address), ...plainObject(one, objects) }))
        : Object.fromEntries(parts.map((one) => [keyOf(one.address), plainObject(one, objects)]))
  }
  return plain
}

/** The parts of an object: in their order, else by key, so that two projects have the same files. */
function partsIn(address: string, part: Kind, objects: ReadonlyMap<string, ProjectObject>): ProjectObject[] {
  const folder = `${address}/${partName(part)}`
  const parts = [...objects.values()].filter((one) => one.kind === part && folderOf(one.address) === folder)
  const position = Object.entries(part.members).find(([, { change }]) => change === 'position')?.[0]
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
      if (pattern.endsWith('{}')) {
        const [, key] = /^!ref (.+)$/.exec(String(found)) ?? []
        return key === undefined ? found : keyFor(key, names, address)
      }
      return found instanceof Reference ? keyFor(found.address, names, address) : found
    })
  }
  const plain = changedLeaves(object, (leaf) => {
    if (leaf instanceof ForeignId) return { id: leaf.id }
    return typeof leaf === 'string' ? withoutPlaceholders(leaf) : leaf
  })
  let place = plain
  for (const name of path.split('.')) place = (place as Record<string, unknown>)[name]
  return place
}

function sortedSet(list: readonly unknown[]): unknown[] {
  const text = (item: unknown) => (item instanceof Reference ? item.address : JSON.stringify(item))
  return list.toSorted((a, b) => (typeof a === 'number' && typeof b === 'number' ? a - b : text(a) < text(b) ? -1 : 1))
}

function keyFor(address: string, names: readonly string[], from: string): string {
  if (names[0]?.includes('/') && folderOf(folderOf(address)) === folderOf(folderOf(from))) return keyOf(address)
  return names[0]?.includes('/') ? address : keyOf(address)
}

/** A place in a file. */
type Place = readonly (string | number)[]

/** A file that is brought up to date. */
interface Edited {
  yaml: Yaml
  document: Document
}

/** What it is brought up to date from. */
interface Sources {
  folder: Folder
  objects: ReadonlyMap<string, ProjectObject>
  offered: Written['offered']
}

/** Brings a file up to date: only members that differ are touched. */
function textOfKnown(yaml: Yaml, text: string, there: FileObject, object: ProjectObject, sources: Sources): string {
  const document = parseYaml(yaml, text)
  const before = document.toString()
  merge({ yaml, document }, [], there, object, sources)
  return document.toString() === before ? text : textOf(document)
}

function merge(edited: Edited, at: Place, there: FileObject, object: ProjectObject, sources: Sources): void {
  const { kind } = object
  const paths = new Set([...Object.keys(kind.members), ...object.members.keys(), ...there.members.keys()])
  for (const path of paths) {
    const member = memberOf(kind, path)
    const value = object.members.get(path)
    if (!isWritten(kind, path, value) || isSame(member, there.members.get(path), value)) continue
    if (there.isPartial && !there.members.has(path)) continue
    const place = [...at, ...path.split('.')]
    const placed = writtenAt(sources.folder, there, path)
    if (typeof placed === 'string' && hasPlaceholder(placed)) {
      sources.offered.push({ file: there.file, member: path, placeholder: placed, value: value ?? member.standard })
      continue
    }
    if (value === undefined) removeIn(edited, place)
    else setIn(edited, place, fileValue(object, path, value))
  }
  for (const part of partsOf(kind)) mergeParts(edited, [...at, partName(part)], part, there, object, sources)
}

function mergeParts(
  edited: Edited,
  at: Place,
  part: Kind,
  there: FileObject,
  object: ProjectObject,
  sources: Sources,
): void {
  const { yaml, document } = edited
  const { folder, objects } = sources
  const parts = partsIn(object.address, part, objects)
  const known = document.getIn(at, true)
  if (parts.length === 0) {
    if (known !== undefined && known !== null && !there.isPartial) document.deleteIn(at)
    return
  }
  const isList = part.within?.as === 'list'
  const plainOf = (one: ProjectObject) => ({ ...(isList && { key: keyOf(one.address) }), ...plainObject(one, objects) })
  if (!(isList ? yaml.isSeq(known) : yaml.isMap(known))) {
    const all = isList ? parts.map(plainOf) : Object.fromEntries(parts.map((one) => [keyOf(one.address), plainOf(one)]))
    document.setIn(at, createNode(edited, all))
    return
  }
  // Known parts are brought up to date where they are, before any of them moves.
  const places = new Map<string, unknown>()
  for (const one of parts) {
    const file = folder.objects.get(one.address)
    if (file === undefined) continue
    merge(edited, file.at, file, one, sources)
    places.set(one.address, document.getIn(file.at, true))
  }
  if (isList) {
    const list = known as YAMLSeq
    const before = list.items
    list.items = parts.map((one) => places.get(one.address) ?? createNode(edited, plainOf(one)))
    if (before.length === list.items.length && before.every((item, index) => item === list.items[index]))
      list.items = before
    return
  }
  const map = known as YAMLMap
  const keys = new Set(parts.map(({ address }) => keyOf(address)))
  map.items = map.items.filter((pair) => keys.has(String(nameOf(pair as Pair))))
  for (const one of parts) {
    if (!places.has(one.address))
      map.items.push(document.createPair(keyOf(one.address), createNode(edited, plainOf(one))) as never)
  }
}

function nameOf({ key }: Pair): unknown {
  return isPlain(key) || (typeof key === 'object' && key !== null) ? (key as { value?: unknown }).value : key
}

function createNode({ yaml, document }: Edited, value: unknown): Node {
  const node = document.createNode(value) as Node
  foldSmall(yaml, node)
  return node
}

/** Removes a value, and the objects around it that have nothing else. */
function removeIn({ yaml, document }: Edited, at: Place): void {
  document.deleteIn(at)
  for (let length = at.length - 1; length > 0; length -= 1) {
    const around = document.getIn(at.slice(0, length), true)
    if (!yaml.isMap(around) || around.items.length > 0) return
    document.deleteIn(at.slice(0, length))
  }
}

/** Sets a value, and touches only what is different in it. */
function setIn(edited: Edited, at: Place, value: unknown): void {
  const { yaml, document } = edited
  const node = document.getIn(at, true)
  if (yaml.isMap(node) && isPlain(value)) {
    removeOthers(node, value)
    for (const [name, inner] of Object.entries(value)) setIn(edited, [...at, name], inner)
    return
  }
  if (yaml.isSeq(node) && Array.isArray(value)) {
    const left = [...node.items]
    node.items = value.map((item, index) => {
      const same = left.findIndex(
        (one) => one !== undefined && JSON.stringify(plainOfNode(one)) === JSON.stringify(item),
      )
      if (same >= 0) return left.splice(same, 1)[0] as unknown
      const atSame = node.items[index]
      if (!yaml.isMap(atSame) || !isPlain(item)) return createNode(edited, item)
      left.splice(left.indexOf(atSame), 1)
      return mergedItem(edited, atSame, item)
    })
    return
  }
  if (yaml.isScalar(node) && !isPlain(value) && !Array.isArray(value) && !(value instanceof Reference)) {
    node.value = value
    return
  }
  document.setIn(at, createNode(edited, value))
}

function mergedItem(edited: Edited, node: YAMLMap, value: Record<string, unknown>): YAMLMap {
  removeOthers(node, value)
  for (const [name, inner] of Object.entries(value)) {
    if (JSON.stringify(plainOfNode(node.get(name, true))) !== JSON.stringify(inner))
      node.set(name, createNode(edited, inner))
  }
  return node
}

function removeOthers(node: YAMLMap, value: Record<string, unknown>): void {
  for (const pair of node.items.slice())
    if (!Object.hasOwn(value, String(nameOf(pair as Pair)))) node.delete(nameOf(pair as Pair))
}

function plainOfNode(node: unknown): unknown {
  const json = (node as { toJSON?: () => unknown } | undefined)?.toJSON
  return json === undefined ? node : (node as { toJSON: () => unknown }).toJSON()
}

const widest = 100

/** Writes a small object or list on one line, as people do. */
function foldSmall(yaml: Yaml, root: Document | Node): void {
  yaml.visit(root, {
    Collection(_, node, path) {
      const isTop = path.length <= 1 && yaml.isDocument(path[0])
      const isEmpty = node.items.length === 0
      const text = JSON.stringify(plainOfNode(node))
      if ((!isTop && text.length <= widest && depthOf(plainOfNode(node)) <= 3) || isEmpty) {
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

/** The path of a file in a folder. */
export function pathIn(folder: Pick<Folder, 'root'>, file: string): string {
  return pathBelow(folder.root, ...file.split('/'))
}

// Renames a key: the file or the part, every reference to it, and the recorded ids. Everything else in the files stays as it is.
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Document, Pair, Scalar } from 'yaml'
import { argumentWords, shellWord } from '../base/shell-word.ts'
import { usageError } from '../errors.ts'
import type { Kind } from '../model/kind.ts'
import { kindNamed } from '../model/kinds.ts'
import { Reference } from '../model/value.ts'
import { addressInFile, folderOf, keyOf, parentOf } from './addresses.ts'
import type { FileObject } from './file-objects.ts'
import type { Folder } from './folder.ts'
import { isPortable, slug } from './names.ts'
import { moveFile, readRecords, textChecksum, writeIds, writePulled, writeWhole } from './records.ts'
import { type Path, parseYaml, pathIn, type Yaml, yamlText } from './yaml-file.ts'

/** A key under its new name. */
export interface Renaming {
  from: string
  to: string
  /** The text of each file that changes, by its path in the folder; the file of a renamed object under its new path. */
  texts: Map<string, string>
  /** The file that is gone afterwards. */
  removed?: string
  /** Every address that changes, those of parts included. */
  addresses: ReadonlyMap<string, string>
}

/** Returns what a rename would write. Nothing is written. Throws `usage` for a key that is not there, and one that is taken. */
export async function planRename(folder: Folder, kind: Kind, from: string, to: string): Promise<Renaming> {
  const yaml = await import('yaml')
  const object = folder.objects.get(from)
  if (object === undefined)
    throw usageError(
      `"${from}" is not in the files of "${folder.root}"`,
      `promo config validate ${argumentWords(folder.root)}`,
    )
  if (kind.keyedBy !== undefined) {
    const of = kind.references[kind.keyedBy]?.[0] as string
    throw usageError(
      `the key of ${kind.noun} is that of its ${kindNamed(of).noun}`,
      `promo config mv ${of} ${shellWord(keyOf(from))} ${shellWord(keyOf(to))} --dir ${shellWord(folder.root)}`,
    )
  }
  if (folderOf(from) !== folderOf(to)) throw usageError(`"${from}" cannot become a part of something else`)
  if (!isPortable(keyOf(to))) {
    const words = [kind.name, typedKey(kind, from), typedKey(kind, `${folderOf(to)}/${slug(keyOf(to), kind.noun)}`)]
    throw usageError(
      `"${keyOf(to)}" cannot name a file on every computer: a new key is in lower case, and not the name of a device`,
      `promo config mv ${words.map((word) => shellWord(word)).join(' ')} --dir ${shellWord(folder.root)}`,
    )
  }
  const taken = [...folder.objects.keys()].find((other) => other !== from && other.toLowerCase() === to.toLowerCase())
  if (taken !== undefined) throw usageError(`"${taken}" is there already`)
  const addresses = new Map([[from, to]])
  // The key of an offer is that of its reward.
  for (const { address, kind: of } of folder.objects.values()) {
    if (of.keyedBy === undefined || !of.references[of.keyedBy]?.includes(kind.name)) continue
    if (keyOf(address) === keyOf(from)) addresses.set(address, `${folderOf(address)}/${keyOf(to)}`)
  }
  const documents = new Map([...folder.files].map(([file, text]) => [file, parseYaml(yaml, text)]))
  for (const { file, at, address, kind: of } of folder.objects.values()) {
    const node = documents.get(file)?.getIn(at, true)
    if (!yaml.isMap(node)) continue
    for (const [pattern, named] of Object.entries(of.references)) {
      for (const scalar of scalarsAt(yaml, node, pattern.split('.'))) {
        rename(scalar, named, parentOf(address), addresses)
      }
    }
  }
  for (const document of documents.values()) {
    yaml.visit(document, {
      Scalar(_, scalar) {
        if (!(scalar.value instanceof Reference)) return
        const now = newAddress(scalar.value.address, addresses)
        if (now !== undefined) scalar.value = new Reference(now)
      },
    })
  }
  for (const [old, now] of addresses) {
    const { file, at } = folder.objects.get(old) as FileObject
    if (at.length > 0) renamePart(yaml, documents.get(file) as Document, at, keyOf(now))
  }
  const texts = new Map<string, string>()
  for (const [file, before] of folder.files) {
    const document = documents.get(file) as Document
    if (document.toString() !== parseYaml(yaml, before).toString()) texts.set(file, yamlText(document))
  }
  if (kind.within !== undefined) return { from, to, texts, addresses }
  const text = texts.get(object.file) ?? folder.files.get(object.file) ?? ''
  texts.delete(object.file)
  texts.set(`${to}.yaml`, text)
  return { from, to, texts, removed: object.file, addresses }
}

/** Writes a rename: files first, then the records of every project. */
export function writeRename(folder: Folder, { texts, removed, addresses }: Renaming): void {
  const moved = new Set([...addresses.values()].map((address) => `${address}.yaml`))
  const target = [...texts.keys()].find((file) => moved.has(file))
  writeWhole(
    [...texts].map(([file, text]) => [pathIn(folder, file === target && removed !== undefined ? removed : file), text]),
  )
  // Moved and not written again: on some computers two keys that differ by case are one file.
  if (removed !== undefined && target !== undefined) moveFile(pathIn(folder, removed), pathIn(folder, target))
  const recorded = join(folder.root, '.promo', 'ids')
  for (const name of existsSync(recorded) ? readdirSync(recorded) : []) {
    if (!name.endsWith('.json')) continue
    const projectId = name.slice(0, -'.json'.length)
    const { ids, pulled } = readRecords(folder.root, projectId)
    const now = [...ids].map(([address, id]) => [newAddress(address, addresses) ?? address, id] as const)
    writeIds(folder.root, projectId, new Map(now))
    // A file that nobody had edited is not edited now.
    const edited = [...pulled].flatMap(([file, checksum]): [string, string][] => {
      const now = file === removed ? (target ?? file) : file
      const before = folder.files.get(file)
      const text = texts.get(now)
      const isClean = before !== undefined && textChecksum(before) === checksum
      return [[now, text !== undefined && isClean ? textChecksum(text) : checksum]]
    })
    writePulled(folder.root, projectId, new Map(edited))
  }
}

/** The key of an object as a command line has it. */
function typedKey({ within }: Kind, address: string): string {
  return within === undefined ? keyOf(address) : `${keyOf(parentOf(address))}/${keyOf(address)}`
}

/** The address of an object that was renamed, or is a part of one. */
function newAddress(address: string, addresses: ReadonlyMap<string, string>): string | undefined {
  for (const [from, to] of addresses) {
    if (address === from) return to
    if (address.startsWith(`${from}/`)) return `${to}${address.slice(from.length)}`
  }
  return undefined
}

function rename(
  scalar: Scalar,
  named: readonly string[],
  parent: string,
  addresses: ReadonlyMap<string, string>,
): void {
  const { value } = scalar
  if (typeof value !== 'string') return
  for (const kind of named.map(kindNamed)) {
    const now = newAddress(addressInFile(value, kind, parent), addresses)
    if (now !== undefined) scalar.value = kind.within && value.includes('/') ? now : keyOf(now)
  }
}

/** The scalars at a pattern of references (kind.ts); the names of a mapping for `{}`. */
function scalarsAt(yaml: Yaml, node: unknown, [name, ...rest]: string[]): Scalar[] {
  if (name === undefined) return yaml.isScalar(node) ? [node] : []
  if (yaml.isSeq(node)) return name === '*' ? node.items.flatMap((item) => scalarsAt(yaml, item, rest)) : []
  if (!yaml.isMap(node)) return []
  return node.items.flatMap((item) => {
    const { key, value } = item as Pair
    if (name === '{}') return yaml.isScalar(key) ? [key] : []
    if (name !== '*' && (!yaml.isScalar(key) || key.value !== name)) return []
    return scalarsAt(yaml, value, rest)
  })
}

function renamePart(yaml: Yaml, document: Document, at: Path, key: string): void {
  const node = document.getIn(at, true)
  const last = at.at(-1)
  if (typeof last === 'number') {
    if (yaml.isMap(node)) node.set('key', key)
    return
  }
  const around = document.getIn(at.slice(0, -1), true)
  if (!yaml.isMap(around)) return
  const pair = around.items.find((item) => yaml.isScalar(item.key) && item.key.value === last)
  if (pair !== undefined) (pair.key as Scalar).value = key
}

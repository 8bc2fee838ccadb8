// The folder of a project: read, and checked without the service. Every problem has its file and line.
import { lstatSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { isDevice, isFileName } from '../base/files/path-below.ts'
import { formatCount } from '../base/numbers.ts'
import { isRecord } from '../base/record.ts'
import { argumentWords } from '../base/shell-word.ts'
import { PromoError, usageError } from '../errors.ts'
import { kindNamed } from '../model/kinds.ts'
import { addressesIn, foreignIds, Reference } from '../model/value.ts'
import { keyOf, kindAt, wholeOf } from './addresses.ts'
import { addObjects, type FileObject } from './file-objects.ts'
import { keyGrammar } from './names.ts'
import { substitutedIn } from './placeholders.ts'
import { type RootSettings, readRootFile, rootFile, unreadIn } from './root-file.ts'
import { asOpened, lineAt, nodeAt, type OpenFile, openYaml, type Problem, plainOf, type Reading } from './yaml-file.ts'

/** A folder that was read. */
export interface Folder extends RootSettings, Reading {
  objects: Map<string, FileObject>
  /** What looks like objects of a project and is not read, with the reason. */
  unread: string[]
  /** Opens a file of the folder once more. */
  reopened: (file: string) => OpenFile
  /** The SHA-256 of each value that came from the environment, by name. */
  fromEnvironment: Map<string, string>
}

/** Where the values of placeholders come from. */
interface PlaceholderSources {
  profile: string
  projectId?: string | undefined
  env: Readonly<Record<string, string | undefined>>
  /** Ends the reading between two files. */
  stop?: AbortSignal
}

/** Says whether the files of a folder are meant to have an object: of kinds of which it has a part, only those that they have. */
export function isManaged({ objects, partial }: Pick<Folder, 'objects' | 'partial'>, address: string): boolean {
  const whole = wholeOf(address)
  return !partial.includes(whole.split('/')[0] ?? '') || objects.has(whole)
}

/** Returns what to say about values without quotes: in metadata, which takes any type, and where a file is refused on their line. */
export function doubtsIn({ doubts, problems }: Reading): string[] {
  return doubts
    .filter((one) => one.isMetadata || problems.some(({ file, line }) => file === one.file && line === one.line))
    .map(({ file, line, message }) => `${file}:${line}: ${message}; put it in quotes, if it is a text`)
}

/**
 * Reads a folder. A folder that does not exist is empty.
 *
 * What is wrong with it is listed in `problems`. Throws `usage` where the path is no folder.
 */
export async function readFolder(root: string, { profile, projectId, env, stop }: PlaceholderSources): Promise<Folder> {
  const yaml = await import('yaml')
  if (statSync(root, { throwIfNoEntry: false })?.isDirectory() === false) throw usageError(`"${root}" is not a folder`)
  const reading: Reading = { root, files: new Map(), problems: [], doubts: [] }
  const { files, problems } = reading
  const open = (file: string) => openYaml(yaml, reading, file)
  const settings = readRootFile(open(rootFile), problems)
  const { kinds, environments } = settings
  const values = `${[...environments].find(([, id]) => id === projectId)?.[0] ?? profile}.yaml`
  const given = isFileName(values) && isRealFolder(reading, 'values') ? open(`values/${values}`) : undefined
  const known = given === undefined ? {} : plainOf(given, problems)
  const fromEnvironment = new Map<string, string>()
  const folder: Folder = {
    ...settings,
    ...reading,
    objects: new Map(),
    unread: kinds === undefined ? [] : unreadIn(root, kinds),
    reopened: (file) => asOpened(yaml, file, files.get(file) ?? ''),
    fromEnvironment,
  }
  const add = (address: string) => {
    const read = open(`${address}.yaml`)
    if (read !== undefined)
      addObjects(folder, address, read, (text) => substitutedIn(text, known, env, fromEnvironment))
  }
  for (const name of kinds ?? []) {
    if (kindNamed(name).isSingle) {
      add(name)
      continue
    }
    for (const key of keysIn(reading, name)) {
      // A signal is heard between two files, and each is bounded.
      await new Promise(setImmediate)
      stop?.throwIfAborted()
      add(`${name}/${key}`)
    }
  }
  checkReferences(folder)
  checkNames(folder)
  return folder
}

/** The keys of the files of a kind; a file that cannot have its name is a problem. */
function* keysIn(reading: Reading, kind: string): Generator<string> {
  if (!isRealFolder(reading, kind)) return
  const names = readdirSync(join(reading.root, kind)).filter((name) => !name.startsWith('.'))
  const known = new Map<string, string>()
  const report = (name: string, message: string) => reading.problems.push({ file: `${kind}/${name}`, line: 1, message })
  for (const name of names.toSorted()) if (!name.endsWith('.yaml')) report(name, 'is not a .yaml file')
  for (const name of names.toSorted().filter((one) => one.endsWith('.yaml'))) {
    const key = name.slice(0, -'.yaml'.length)
    const other = known.get(key.toLowerCase())
    if (other !== undefined) report(name, `differs from ${other} only by case, so they are one file on some computers`)
    known.set(key.toLowerCase(), `${kind}/${name}`)
    if (isDevice(key)) report(name, 'is a name that Windows keeps for a device')
    else if (keyGrammar.test(key)) yield key
    else report(name, 'a key has letters, digits, - and _ only, and at most 100 of them')
  }
}

/** Whether there is a folder of this name; what else has the name is a problem. */
function isRealFolder({ root, problems }: Reading, name: string): boolean {
  const stat = lstatSync(join(root, name), { throwIfNoEntry: false })
  if (stat === undefined || stat.isDirectory()) return stat !== undefined
  // A link would let a folder from elsewhere be read as the project, and be written to.
  const message = stat.isSymbolicLink() ? 'is a link; the folders of a project are real folders' : 'is not a folder'
  problems.push({ file: name, line: 1, message })
  return false
}

function checkReferences({ objects, problems, reopened }: Folder): void {
  const broken = new Set(problems.map(({ file }) => file.replace(/\.yaml$/, '')))
  // The objects of a file follow one another.
  let read: OpenFile | undefined
  const starts = new Map<unknown, ReadonlyMap<string, number>>()
  for (const { kind, members, file, at } of objects.values()) {
    const report = (member: string, texts: readonly string[], message: string) => {
      if (read?.file !== file) read = reopened(file)
      const path = [...at, ...member.split('.')]
      const node = nodeAt(read, path)
      const known = starts.get(node) ?? startsIn(node)
      starts.set(node, known)
      const start = Math.min(...texts.map((text) => known.get(text) ?? Number.POSITIVE_INFINITY))
      const line = Number.isFinite(start) ? read.lines.linePos(start).line : lineAt(read, path)
      problems.push({ file, line, message, isReference: true })
    }
    for (const [member, value] of members) {
      for (const address of addressesIn(value)) {
        // Its file has a problem of its own.
        if (objects.has(address) || broken.has(address)) continue
        const of = kindAt(address)
        const what =
          of === undefined ? 'no address of an object, like rules/orders-above-20' : `no ${of.noun} of this folder`
        report(member, [address, keyOf(address)], `"${address}" is ${what}`)
      }
    }
    for (const { member, id } of foreignIds(kind, members)) {
      report(member, [id], `the id "${id}" is of something that is not in this folder`)
    }
  }
}

/** Where each text, or a reference to it, first begins in a node. */
function startsIn(node: unknown, starts = new Map<string, number>()): Map<string, number> {
  if (!isRecord(node)) return starts
  const { items, key, value, range } = node
  for (const inner of Array.isArray(items) ? items : [key, value]) startsIn(inner, starts)
  const text = value instanceof Reference ? value.address : value
  if (typeof text === 'string' && Array.isArray(range) && !starts.has(text)) starts.set(text, Number(range[0]))
  return starts
}

/** The service refuses two objects of one name where names are unique. */
function checkNames({ objects, problems }: Folder): void {
  const unique = [...objects.values()].filter(({ kind, name }) => kind.isUnique && name !== undefined)
  for (const [first, second] of Map.groupBy(unique, ({ kind, name }) => `${kind.name} ${name}`).values()) {
    if (first === undefined || second === undefined) continue
    const message = `has the name of ${first.file}, and the service refuses two of one name`
    problems.push({ file: second.file, line: 1, message })
  }
}

const mostShown = 20

/**
 * Throws `input` (exit 2) when anything is wrong with a folder: each problem on a line, with its file and line.
 *
 * An id of something that is not in the folder works in the project that has it. A pull repairs references.
 */
export function mustBeValid({ problems, root }: Folder, { isPulled = false } = {}): void {
  const isError = ({ message, isReference }: Problem) => !isReference || !(isPulled || message.startsWith('the id '))
  const errors = problems.filter(isError)
  if (errors.length === 0) return
  const shown = errors.slice(0, mostShown).map(({ file, line, message }) => `${join(root, file)}:${line}: ${message}`)
  const more = errors.length > mostShown ? [`and ${errors.length - mostShown} more`] : []
  const count = formatCount(errors.length, 'problem')
  throw new PromoError('input', [`${count} in the files of "${root}":`, ...shown, ...more].join('\n'), {
    hint: `promo config validate ${argumentWords(root)}`,
    hasLines: true,
  })
}

/** The names that objects of a catalogue have in the files. */
export function wantedOf({ objects }: Folder, ids: ReadonlyMap<string, string>): Map<string, string[]> {
  const named = [...objects.values()].flatMap(({ kind, name, address }) => {
    const known = ids.get(address) ?? name
    return kind.isCatalogue && known !== undefined ? [{ kind: kind.name, known }] : []
  })
  return new Map(
    [...Map.groupBy(named, ({ kind }) => kind)].map(([kind, some]) => [kind, some.map(({ known }) => known)]),
  )
}

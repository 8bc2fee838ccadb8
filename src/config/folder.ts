// The folder of a project: read, and checked without the service. Every problem has its file and line.
import { lstatSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { issueInWords } from '../api/request/issue-words.ts'
import { isDevice, isFileName } from '../base/files/path-below.ts'
import { counted } from '../base/grouped.ts'
import { nearest } from '../base/nearest.ts'
import { isRecord } from '../base/record.ts'
import { argumentWords } from '../base/shell-word.ts'
import { PromoError, usageError } from '../errors.ts'
import type { Kind } from '../model/kind.ts'
import { fileKinds, kindNamed, oneOf, partName, partsOf } from '../model/kinds.ts'
import { membersIn } from '../model/objects.ts'
import {
  changedAt,
  changedLeaves,
  ForeignId,
  FromEnvironment,
  foreignIds,
  isId,
  isNullAt,
  isPlain,
  keyOfReference,
  type Members,
  Reference,
  referencesIn,
  resolveReferences,
  setAt,
  valueAt,
} from '../model/value.ts'
import { keyGrammar } from './names.ts'
import { MissingValue, substitutedIn } from './placeholders.ts'
import { type Known, kindAt, wholeOf } from './project.ts'
import {
  asOpened,
  type Doubt,
  lineAt,
  nodeAt,
  type OpenFile,
  openYaml,
  type Problem,
  plainOf,
  type ReadFile,
} from './yaml-file.ts'

/** An object of a file. */
export interface FileObject extends Known {
  address: string
  /** With the values of the environment, and references instead of keys. */
  members: Members
  /** Members that the file does not have are left as they are in the project. */
  isPartial: boolean
  file: string
  /** Where it is in the file. */
  at: readonly (string | number)[]
  /** How many codes to generate for a new campaign. */
  generate?: number
  /** Its place among its siblings, from 0. */
  index: number
}

/** A folder that was read. */
export interface Folder {
  root: string
  /** The kinds that are managed here; undefined in a folder without promo.yaml. */
  kinds: readonly string[] | undefined
  /** Catalogues that are managed completely. */
  whole: readonly string[]
  /** Kinds of which the files are only a part: what has no file is none of the folder's business. */
  partial: readonly string[]
  /** Members that the service returned and this version of promo does not know, by kind. */
  unknown: Readonly<Record<string, readonly string[]>>
  environments: ReadonlyMap<string, string>
  /** The severities of rules of `promo check`, by their ids. */
  checks: Readonly<Record<string, string>>
  objects: Map<string, FileObject>
  files: Map<string, ReadFile>
  problems: Problem[]
  doubts: Doubt[]
  /** What looks like objects of a project and is not read, with the reason. */
  unread: string[]
  /** Opens a file of the folder once more. */
  reopened: (file: string) => OpenFile | undefined
  /** Replaces the placeholders of a text. */
  substituted: (text: string) => unknown
  /** The SHA-256 of each value that came from the environment, by name. */
  fromEnvironment: Map<string, string>
}

/** Where the values of placeholders come from. */
export interface PlaceholderSources {
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

/** The file that says what a folder manages. */
export const rootFile = 'promo.yaml'
/** Returns what to say about values without quotes: in metadata, which takes any type, and where a file is refused on their line. */
export function doubtsIn({ doubts, problems }: Pick<Folder, 'doubts' | 'problems'>): string[] {
  const isRefused = (file: string, line: number | undefined) =>
    problems.some((one) => one.file === file && one.line === line)
  return doubts
    .filter(({ file, line, isMetadata }) => isMetadata || isRefused(file, line))
    .map(({ file, line, message }) => `${file}:${line}: ${message}; put it in quotes, if it is a text`)
}

/**
 * Reads a folder. A folder that does not exist is empty.
 *
 * What is wrong with it is listed in `problems`. Throws `usage` where the path is no folder.
 */
export async function readFolder(root: string, about: PlaceholderSources): Promise<Folder> {
  const yaml = await import('yaml')
  const stat = statSync(root, { throwIfNoEntry: false })
  if (stat !== undefined && !stat.isDirectory()) {
    throw usageError(`"${root}" is not a folder`)
  }
  const problems: Problem[] = []
  const doubts: Folder['doubts'] = []
  const files = new Map<string, ReadFile>()
  const open = (file: string) => openYaml(yaml, root, file, files, problems, doubts)
  const settings = open(rootFile)
  const project = settings === undefined ? {} : plainOf(settings, rootFile, problems)
  const kinds = kindsOf(project, settings, problems)
  const environments = new Map(
    Object.entries(isRecord(project.environments) ? project.environments : {}).flatMap(([name, value]) =>
      isRecord(value) && typeof value.project === 'string' ? [[name, value.project] as const] : [],
    ),
  )
  const named = [...environments].find(([, id]) => id === about.projectId)?.[0] ?? about.profile
  const valuesFile = `values/${named}.yaml`
  const hasValues = isFileName(`${named}.yaml`) && isRealFolder(root, 'values', problems)
  const values = hasValues ? open(valuesFile) : undefined
  const given = values === undefined ? {} : plainOf(values, valuesFile, problems)
  const fromEnvironment = new Map<string, string>()
  const substitute = (text: string) => substitutedIn(text, given, about.env, fromEnvironment)

  const folder: Folder = {
    root,
    kinds,
    whole: textsIn(project.whole),
    partial: textsIn(project.partial),
    unknown: isRecord(project.unknown)
      ? Object.fromEntries(Object.entries(project.unknown).map(([name, list]) => [name, textsIn(list)]))
      : {},
    environments,
    checks: isRecord(project.checks) ? (project.checks as Record<string, string>) : {},
    objects: new Map(),
    files,
    problems,
    doubts,
    unread: kinds === undefined ? [] : unreadIn(root, kinds),
    reopened(file) {
      const text = files.get(file)?.text
      return text === undefined ? undefined : asOpened(yaml, text)
    },
    substituted: substitute,
    fromEnvironment,
  }
  for (const name of kinds ?? []) {
    const kind = kindNamed(name)
    if (kind.isSingle) {
      const file = `${name}.yaml`
      const read = open(file)
      if (read !== undefined) addObject(folder, kind, name, file, read)
      continue
    }
    const keys = new Map<string, string>()
    for (const file of filesIn(root, name, problems)) {
      const key = file.slice(0, -'.yaml'.length)
      const path = `${name}/${file}`
      const other = keys.get(key.toLowerCase())
      if (other !== undefined) {
        const message = `differs from ${other} only by case, so they are one file on some computers`
        problems.push({ file: path, line: 1, message })
      }
      keys.set(key.toLowerCase(), path)
      if (!keyGrammar.test(key) || isDevice(key)) {
        const message = isDevice(key)
          ? 'is a name that Windows keeps for a device'
          : 'a key has letters, digits, - and _ only, and at most 100 of them'
        problems.push({ file: path, line: 1, message })
        continue
      }
      // A signal is heard between two files, and each is bounded.
      await new Promise(setImmediate)
      about.stop?.throwIfAborted()
      const read = open(path)
      if (read !== undefined) addObject(folder, kind, `${name}/${key}`, path, read)
    }
  }
  checkReferences(folder)
  checkNames(folder)
  return folder
}

function kindsOf(project: Record<string, unknown>, settings: OpenFile | undefined, problems: Problem[]) {
  if (settings === undefined) return undefined
  const report: Report = (path, message) => problems.push({ file: rootFile, line: lineAt(settings, path), message })
  if (project.format !== 1) {
    report(['format'], 'format must be 1; another version of promo wrote this folder')
    return []
  }
  for (const name of Object.keys(project)) {
    if (name === 'format' || Object.hasOwn(settingForms, name)) continue
    report([name], `"${name}" is unknown; it has format, kinds, partial, environments, whole, checks and unknown`)
  }
  for (const [name, form] of Object.entries(settingForms)) {
    const [says, isSo] = form
    // What is taken for nothing here would be taken for a project without it.
    if (Object.hasOwn(project, name) && !isSo(project[name])) report([name], `${name} is ${says}`)
  }
  for (const name of Object.keys(isRecord(project.environments) ? project.environments : {}))
    if (!isFileName(`${name}.yaml`))
      report(
        ['environments', name],
        `${JSON.stringify(name)} cannot be the name of an environment: its values are values/NAME.yaml`,
      )
  const kinds = textsIn(project.kinds)
  for (const list of ['kinds', 'partial']) {
    for (const [index, name] of textsIn(project[list]).entries()) {
      if (fileKinds.includes(name)) continue
      report([list, index], `"${name}" is no kind; kinds are ${fileKinds.join(', ')}`)
    }
  }
  return fileKinds.filter((name) => kinds.includes(name))
}

const isTexts = (value: unknown) => Array.isArray(value) && value.every((item) => typeof item === 'string')
const isMapOf = (isItem: (item: unknown) => boolean) => (value: unknown) =>
  isPlain(value) && Object.values(value).every(isItem)

const severityWords: readonly unknown[] = ['error', 'warning', 'info', 'off']

/** What promo.yaml has beside its format. */
const settingForms: Record<string, [says: string, isSo: (value: unknown) => boolean]> = {
  kinds: ['a list of kinds: [rules, campaigns]', isTexts],
  whole: ['a list of kinds: [products]', isTexts],
  partial: ['a list of kinds: [rules, campaigns]', isTexts],
  unknown: ['a mapping of kinds to lists of members', isMapOf(isTexts)],
  environments: [
    'a mapping of names to projects: {live: {project: proj_1}}',
    isMapOf((item) => isPlain(item) && typeof item.project === 'string'),
  ],
  checks: [
    'a mapping of rules of promo check to error, warning, info or off: {campaign-without-end: off}',
    isMapOf((item) => severityWords.includes(item)),
  ],
}

function textsIn(list: unknown): string[] {
  return Array.isArray(list) ? list.filter((item): item is string => typeof item === 'string') : []
}

function filesIn(root: string, kind: string, problems: Problem[]): string[] {
  const path = join(root, kind)
  if (!isRealFolder(root, kind, problems)) return []
  const names = readdirSync(path)
    .filter((name) => !name.startsWith('.'))
    .toSorted()
  for (const name of names.filter((one) => !one.endsWith('.yaml'))) {
    problems.push({ file: `${kind}/${name}`, line: 1, message: 'is not a .yaml file' })
  }
  return names.filter((name) => name.endsWith('.yaml'))
}

/** Returns a line for each file or folder whose name is that of a kind, or nearly, which promo.yaml does not have read. */
function unreadIn(root: string, kinds: readonly string[]): string[] {
  return readdirSync(root, { withFileTypes: true })
    .toSorted((one, other) => (one.name < other.name ? -1 : 1))
    .flatMap((entry) => {
      const name = entry.isFile() ? entry.name.replace(/\.ya?ml$/, '') : entry.name
      const isText = entry.isFile() && name !== entry.name
      const meant = isText || entry.isDirectory() ? nearest(name, fileKinds) : undefined
      if (meant === undefined || entry.name === rootFile) return []
      const { isSingle } = kindNamed(meant)
      const place = isSingle ? `${meant}.yaml` : meant
      if (entry.name !== place)
        return [`"${entry.name}" is not read: ${meant} are read from ${place}${isSingle ? '' : '/'}`]
      return kinds.includes(meant) ? [] : [`"${entry.name}" is not read: ${rootFile} does not list it among its kinds`]
    })
}

/** Whether there is a folder of this name; what else has the name is a problem. */
function isRealFolder(root: string, name: string, problems: Problem[]): boolean {
  const stat = lstatSync(join(root, name), { throwIfNoEntry: false })
  if (stat === undefined || stat.isDirectory()) return stat !== undefined
  // A link would let a folder from elsewhere be read as the project, and be written to.
  const message = stat.isSymbolicLink() ? 'is a link; the folders of a project are real folders' : 'is not a folder'
  problems.push({ file: name, line: 1, message })
  return false
}

/** Returns the line of each member of an object of a file, or of the nearest that there is around it. */
export function linesOf(folder: Folder, file: string): (path: readonly (string | number)[]) => number {
  const read = folder.reopened(file)
  return (path) => (read === undefined ? 1 : lineAt(read, path))
}

function addObject(folder: Folder, kind: Kind, address: string, file: string, read: OpenFile): void {
  const plain = plainOf(read, file, folder.problems)
  addParts(folder, { kind, address, file, at: [], index: 0 }, plain, read)
}

type Place = Pick<FileObject, 'kind' | 'address' | 'file' | 'at' | 'index'> & { parent?: string; isPartial?: boolean }

function addParts(folder: Folder, place: Place, plain: Record<string, unknown>, read: OpenFile): void {
  const { kind, address, file, at } = place
  const isPartial = place.isPartial ?? plain.partial === true
  const parts = partsOf(kind)
  const { partial, generate, ...rest } = plain
  if (kind.within?.as === 'list') delete rest.key
  for (const part of parts) delete rest[partName(part)]
  const report: Report = (path, message) =>
    folder.problems.push({ file, line: lineAt(read, [...at, ...path]), message })
  // Taken for a file that says everything, it would clear whatever it does not have.
  if (partial !== undefined && (typeof partial !== 'boolean' || kind.within !== undefined)) {
    report(['partial'], 'partial is true or false, at the top of a file')
  }
  const own = objectIn(folder, place, rest, report)
  if (generate !== undefined && (kind.name !== 'campaigns' || !Number.isInteger(generate) || Number(generate) < 1)) {
    report(['generate'], 'generate is a whole number of codes from 1, of a campaign')
  } else if (generate !== undefined && plain.campaign_type === 'PROMOTION') {
    report(['generate'], 'a promotion has no codes to generate')
  }
  const members = membersIn(kind, own, { keepsStandard: true })
  // What a file says is null is cleared; what it does not have may be left as it is.
  for (const path of Object.keys(kind.members)) if (isNullAt(own, path)) members.set(path, undefined)
  const unknown = folder.unknown[kind.name] ?? []
  for (const path of dottedPaths(own, Object.keys(kind.members))) report([], `"${path}" is no member of ${oneOf(kind)}`)
  for (const path of members.keys()) {
    if (Object.hasOwn(kind.members, path) || unknown.includes(path)) continue
    report(path.split('.'), `"${path}" is no member of ${oneOf(kind)}${suggest(path, kind)}`)
  }
  const name = nameIn(kind, members)
  folder.objects.set(address, {
    kind,
    address,
    name,
    members,
    isPartial,
    file,
    at,
    index: place.index,
    ...(place.parent !== undefined && { parent: place.parent }),
    ...(typeof generate === 'number' && { generate }),
  })
  checkContract({ kind, members, isPartial }, unknown, report)
  for (const part of parts) {
    const member = partName(part)
    const value = plain[member]
    if (value === undefined || value === null) continue
    for (const { key, inner, path } of partsIn(value, part, [member], report)) {
      const inside = { kind: part, address: `${address}/${member}/${key}`, file, at: [...at, ...path], isPartial }
      if (folder.objects.has(inside.address)) report(path, `"${key}" is there twice`)
      addParts(folder, { ...inside, parent: address, index: Number(path.at(-1)) || 0 }, inner, read)
    }
  }
}

/** Finds names with a dot where members are, which would be taken for members in one another. */
function dottedPaths(object: unknown, paths: readonly string[], prefix = ''): string[] {
  if (!isPlain(object)) return []
  return Object.entries(object).flatMap(([name, inner]) => {
    const path = `${prefix}${name}`
    if (name.includes('.')) return [path]
    const isContainer = !paths.includes(path) && paths.some((one) => one.startsWith(`${path}.`))
    return isContainer ? dottedPaths(inner, paths, `${path}.`) : []
  })
}

type Report = (path: readonly (string | number)[], message: string) => unknown

function partsIn(value: unknown, { within }: Kind, at: readonly string[], report: Report) {
  const listed: { key: unknown; inner: unknown; path: (string | number)[] }[] = []
  if (within?.as === 'list') {
    if (!Array.isArray(value)) report(at, `"${at.join('.')}" is a list, each with its key`)
    for (const [index, inner] of (Array.isArray(value) ? value : []).entries()) {
      listed.push({ key: isRecord(inner) ? inner.key : undefined, inner, path: [...at, index] })
    }
  } else if (isPlain(value)) {
    for (const [key, inner] of Object.entries(value)) listed.push({ key, inner: inner ?? {}, path: [...at, key] })
  } else report(at, `"${at.join('.')}" is a mapping of keys to what they name`)
  return listed.flatMap(({ key, inner, path }) => {
    if (typeof key === 'string' && keyGrammar.test(key) && isRecord(inner)) return [{ key, inner, path }]
    report(path, typeof key === 'string' ? `"${key}" is not a key with members` : 'it has no key')
    return []
  })
}

/** Replaces the placeholders of an object, and the keys that are references. */
function objectIn(folder: Folder, place: Place, plain: unknown, report: Report): unknown {
  const { kind, parent, address } = place
  let paths: ReadonlyMap<unknown, (string | number)[]> | undefined
  let object = changedLeaves(plain, (leaf) => {
    if (typeof leaf !== 'string') return leaf
    try {
      return folder.substituted(leaf)
    } catch (error) {
      if (!(error instanceof MissingValue)) throw error
      const values = `values/NAME.yaml or the environment`
      const why = error.message.startsWith('PROMO_')
        ? 'is a setting of promo, which no file may send'
        : `has no value in ${values}`
      paths ??= pathsOf(plain)
      report(paths.get(leaf) ?? [], `\${${error.message}} ${why}`)
      return leaf
    }
  })
  for (const [path, names] of Object.entries(kind.references)) {
    object = changedAt(object, path, (key) => {
      if (isPlain(key) && typeof key.id === 'string') return new ForeignId(key.id)
      if (typeof key !== 'string') return key
      const [named] = names
      if (named === undefined) return new ForeignId(key)
      // A name cannot be `{id: …}`.
      if (path.endsWith('{}') && isId(key)) return key
      const found = new Reference(addressFor(key, kindNamed(named), parent))
      return path.endsWith('{}') ? keyOfReference(found) : found
    })
  }
  // The file of an offer does not repeat which reward it offers: its key says so.
  if (kind.keyedBy !== undefined && isRecord(object) && object[kind.keyedBy] === undefined) {
    const of = kindNamed(kind.references[kind.keyedBy]?.[0] as string)
    setAt(object, kind.keyedBy, new Reference(`${of.name}/${address.slice(address.lastIndexOf('/') + 1)}`))
  }
  return object
}

/** The address that a key names; one without a slash names a sibling where siblings are meant. */
function addressFor(key: string, kind: Kind, parent: string | undefined): string {
  if (kind.within === undefined) return `${kind.name}/${key}`
  return key.includes('/') ? key : `${parent}/${partName(kind)}/${key}`
}

/** Where each text of an object is first. */
function pathsOf(object: unknown): Map<unknown, (string | number)[]> {
  const paths = new Map<unknown, (string | number)[]>()
  const visit = (value: unknown, path: (string | number)[]) => {
    if (Array.isArray(value)) for (const [at, inner] of value.entries()) visit(inner, [...path, at])
    else if (isPlain(value)) for (const [name, inner] of Object.entries(value)) visit(inner, [...path, name])
    else if (typeof value === 'string' && !paths.has(value)) paths.set(value, path)
  }
  visit(object, [])
  return paths
}

function nameIn(kind: Kind, members: Members): string | undefined {
  const name = members.get(kind.named) ?? (kind.orNamed === undefined ? undefined : members.get(kind.orNamed))
  if (name instanceof Reference) return name.address
  if (name instanceof ForeignId) return name.id
  if (name instanceof FromEnvironment) return name.value
  return typeof name === 'string' ? name : undefined
}

function suggest(path: string, kind: Kind): string {
  const last = path.slice(path.lastIndexOf('.') + 1)
  const like = Object.keys(kind.members).find(
    (name) => name === last || name.replace(/_/g, '') === last.replace(/[-_]/g, ''),
  )
  return like === undefined ? '' : `; did you mean "${like}"?`
}

/** Checks the members against what the service takes, with every reference as an id. */
function checkContract(
  { kind, members, isPartial }: Pick<FileObject, 'kind' | 'members' | 'isPartial'>,
  unknown: readonly string[],
  report: Report,
): void {
  const [issues, body] = issuesOf(kind, members, isPartial)
  for (const issue of issues) {
    const names = issue.path.map((name) => (typeof name === 'symbol' ? String(name) : name))
    if (issue.code !== 'unrecognized_keys') report(names, issueInWords(issue, body))
    else {
      for (const key of unknownKeys(issue)) {
        if (unknown.includes(memberPath(names, key))) continue
        report([...names, key], `"${[...names, key].join('.')}" is no member of ${oneOf(kind)}`)
      }
    }
  }
}

/** Returns the paths, within known members, that calls of this version of promo do not have; `*` is any index. */
export function unknownWithin(kind: Kind, members: Members): string[] {
  const [issues] = issuesOf(kind, members, false)
  return issues.flatMap((issue) =>
    issue.code === 'unrecognized_keys' ? unknownKeys(issue).map((key) => memberPath(issue.path, key)) : [],
  )
}

/** Names that no member around is known by: a campaign's name is not updated, and the file of one has it. */
function unknownKeys({ path, keys }: { path: readonly PropertyKey[]; keys: readonly string[] }): readonly string[] {
  return path.length === 0 ? [] : keys
}

function memberPath(path: readonly PropertyKey[], key: string): string {
  return [...path.map((name) => (typeof name === 'number' ? '*' : String(name))), key].join('.')
}

function issuesOf(kind: Kind, members: Members, isPartial: boolean) {
  const call = isPartial || kind.calls.create === undefined ? kind.calls.update : kind.calls.create
  const isCreated = call === kind.calls.create
  if (call?.body === undefined) return [[], {}] as const
  const body = bodyOf(kind, members, isCreated ? 'create' : 'update', (path) => {
    const { change } = kind.members[path] ?? {}
    return Object.hasOwn(kind.members, path) && change !== 'position' && (isCreated || change !== 'fixed')
  })
  const isArray = kind.isArray === true && isCreated
  const { issues = [] } = call.body.safeParse(isArray ? [body] : body).error ?? {}
  return [issues.map((issue) => ({ ...issue, path: isArray ? issue.path.slice(1) : issue.path })), body] as const
}

/** Builds the body of a call from members, with references in place of ids where there are none yet. */
function bodyOf(
  kind: Kind,
  members: Members,
  call: 'create' | 'update',
  isSent: (path: string) => boolean,
): Record<string, unknown> {
  const body: Record<string, unknown> = {}
  for (const [path, value] of members) {
    if (!isSent(path)) continue
    const { createdAs, putAs } = kind.members[path] ?? {}
    setAt(body, (call === 'create' ? createdAs : putAs) ?? path, value)
  }
  if (call === 'create') {
    for (const [path, { standard, isNeeded, createdAs }] of Object.entries(kind.members)) {
      if (isNeeded && !members.has(path) && isSent(path)) setAt(body, createdAs ?? path, standard)
    }
  }
  return resolveReferences(body, (address) => `<${address}>`) as Record<string, unknown>
}

function checkReferences(folder: Folder): void {
  const broken = new Set(folder.problems.map(({ file }) => file.replace(/\.yaml$/, '')))
  // The objects of a file follow one another.
  let [opened, read]: [string?, OpenFile?] = []
  const starts = new Map<unknown, ReadonlyMap<string, number>>()
  for (const { kind, members, file, at } of folder.objects.values()) {
    const report = (member: string, texts: readonly string[], message: string) => {
      if (opened !== file) [opened, read] = [file, folder.reopened(file)]
      const path = [...at, ...member.split('.')]
      const node = read && nodeAt(read, path)
      const known = starts.get(node) ?? startsIn(node)
      starts.set(node, known)
      const start = Math.min(...texts.map((text) => known.get(text) ?? Number.POSITIVE_INFINITY))
      const line = read === undefined ? 1 : Number.isFinite(start) ? read.lines.linePos(start).line : lineAt(read, path)
      folder.problems.push({ file, line, message, isReference: true })
    }
    for (const [member, value] of members) {
      for (const { address } of referencesIn(value)) {
        // Its file has a problem of its own.
        if (folder.objects.has(address) || broken.has(address)) continue
        const of = kindAt(address)
        const what =
          of === undefined ? 'no address of an object, like rules/orders-above-20' : `no ${of.noun} of this folder`
        report(member, [address, address.slice(address.lastIndexOf('/') + 1)], `"${address}" is ${what}`)
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
function checkNames(folder: Folder): void {
  const unique = [...folder.objects.values()].filter(({ kind, name }) => kind.isUnique && name !== undefined)
  for (const [, same] of Map.groupBy(unique, ({ kind, name }) => `${kind.name} ${name}`)) {
    const [first, second] = same
    if (first === undefined || second === undefined) continue
    const message = `has the name of ${first.file}, and the service refuses two of one name`
    folder.problems.push({ file: second.file, line: 1, message })
  }
}

/**
 * Throws `input` (exit 2) when anything is wrong with a folder: each problem on a line, with its file and line.
 *
 * An id of something that is not in the folder works in the project that has it. A pull repairs references.
 */
export function mustBeValid({ problems, root }: Folder, { isPulled = false } = {}): void {
  const errors = problems.filter(
    ({ message, isReference }) => !isReference || !(isPulled || message.startsWith('the id ')),
  )
  if (errors.length > 0) throw invalidFolder(root, errors)
}

const mostShown = 20

function invalidFolder(root: string, problems: readonly Problem[]): PromoError {
  const shown = problems.slice(0, mostShown).map(({ file, line, message }) => `${join(root, file)}:${line}: ${message}`)
  const more = problems.length > mostShown ? [`and ${problems.length - mostShown} more`] : []
  const count = counted(problems.length, 'problem')
  return new PromoError('input', [`${count} in the files of "${root}":`, ...shown, ...more].join('\n'), {
    hint: `promo config validate ${argumentWords(root)}`,
    hasLines: true,
  })
}

/** The names that objects of a catalogue have in the files. */
export function wantedOf({ objects }: Folder, ids: ReadonlyMap<string, string>): Map<string, string[]> {
  const wanted = new Map<string, string[]>()
  for (const { kind, name, address } of objects.values()) {
    const known = ids.get(address) ?? name
    if (!kind.isCatalogue || known === undefined) continue
    const names = wanted.get(kind.name) ?? []
    names.push(known)
    wanted.set(kind.name, names)
  }
  return wanted
}

/** The value of a member in the file itself, before anything was replaced. */
export function writtenAt(folder: Folder, { file, at }: Pick<FileObject, 'file' | 'at'>, path: string): unknown {
  const plain: unknown = folder.reopened(file)?.document.toJS()
  let place = plain
  for (const step of at) place = (place as Record<string, unknown> | undefined)?.[step as string]
  return valueAt(place, path)
}

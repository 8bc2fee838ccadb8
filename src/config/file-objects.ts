// The objects of a file: with the values of placeholders, references in place of keys, and checked against what the service takes.
import { issueInWords } from '../api/request/issue-words.ts'
import { isRecord } from '../base/record.ts'
import { creationBody } from '../model/bodies.ts'
import type { Kind } from '../model/kind.ts'
import { kindNamed, oneOf, partName, partsOf } from '../model/kinds.ts'
import { membersIn, nameIn } from '../model/objects.ts'
import {
  changedAt,
  changedLeaves,
  ForeignId,
  isId,
  isPlain,
  type Members,
  memberOf,
  nullableAt,
  Reference,
  referenceName,
  resolveReferences,
  setAt,
} from '../model/value.ts'
import { addressInFile, keyOf, kindAt } from './addresses.ts'
import { keyGrammar } from './names.ts'
import { MissingValue } from './placeholders.ts'
import type { Known } from './project.ts'
import type { RootSettings } from './root-file.ts'
import { lineAt, type OpenFile, type Path, plainOf, type Reading } from './yaml-file.ts'

/** An object of a file. */
export interface FileObject extends Known {
  address: string
  /** With the values of the environment, and references instead of keys. */
  members: Members
  /** Members that the file does not have are left as they are in the project. */
  isPartial: boolean
  file: string
  /** Where it is in the file. */
  at: Path
  /** How many codes to generate for a new campaign. */
  generate?: number
  /** Its place among its siblings, from 0. */
  index: number
}

/** Where objects are added. */
type Target = Pick<RootSettings, 'unknown'> & Pick<Reading, 'problems'> & { objects: Map<string, FileObject> }

/** Reports a problem at a path within an object. */
type Report = (path: Path, message: string) => unknown

/** Adds the object of a file with its parts, and what is wrong with them. `substitute` replaces the placeholders of a text. */
export function addObjects(
  { objects, problems, unknown }: Target,
  address: string,
  read: OpenFile,
  substitute: (text: string) => unknown,
): void {
  const { file } = read
  const add = (place: Pick<FileObject, 'kind' | 'address' | 'at' | 'index' | 'parent' | 'isPartial'>, plain: Plain) => {
    const { kind, address, at, isPartial } = place
    const report: Report = (path, message) => problems.push({ file, line: lineAt(read, [...at, ...path]), message })
    const parts = partsOf(kind)
    const { partial, generate, ...rest } = plain
    if (kind.within?.as === 'list') delete rest.key
    for (const part of parts) delete rest[partName(part)]
    // Without `partial`, missing members would be cleared.
    if (partial !== undefined && (typeof partial !== 'boolean' || kind.within !== undefined)) {
      report(['partial'], 'partial is true or false, at the top of a file')
    }
    const own = withReferences(place, replacePlaceholders(rest, substitute, report))
    if (generate !== undefined && (kind.name !== 'campaigns' || !Number.isInteger(generate) || Number(generate) < 1)) {
      report(['generate'], 'generate is a whole number of codes from 1, of a campaign')
    } else if (generate !== undefined && plain.campaign_type === 'PROMOTION') {
      report(['generate'], 'a promotion has no codes to generate')
    }
    const members = membersIn(kind, own, { keepsStandard: true })
    // What a file says is null is cleared; what it does not have may be left as it is.
    for (const path of Object.keys(kind.members)) if (nullableAt(own, path) === null) members.set(path, undefined)
    checkMembers(kind, own, members, unknown[kind.name] ?? [], isPartial, report)
    const codes = typeof generate === 'number' && { generate }
    objects.set(address, { ...place, name: nameIn(kind, members), members, file, ...codes })
    for (const part of parts) {
      const member = partName(part)
      if (plain[member] === undefined || plain[member] === null) continue
      for (const { key, inner, path } of partsIn(plain[member], part, [member], report)) {
        const inside = { kind: part, address: `${address}/${member}/${key}`, at: [...at, ...path], isPartial }
        if (objects.has(inside.address)) report(path, `"${key}" is there twice`)
        add({ ...inside, parent: address, index: Number(path.at(-1)) || 0 }, inner)
      }
    }
  }
  const plain = plainOf(read, problems)
  add({ kind: kindAt(address) as Kind, address, at: [], index: 0, isPartial: plain.partial === true }, plain)
}

type Plain = Record<string, unknown>

function partsIn(value: unknown, { within }: Kind, at: readonly string[], report: Report) {
  const found: { key: unknown; inner: unknown; path: Path }[] = []
  if (within?.as === 'list') {
    if (!Array.isArray(value)) report(at, `"${at.join('.')}" is a list, each with its key`)
    for (const [index, inner] of (Array.isArray(value) ? value : []).entries()) {
      found.push({ key: isRecord(inner) ? inner.key : undefined, inner, path: [...at, index] })
    }
  } else if (isPlain(value)) {
    for (const [key, inner] of Object.entries(value)) found.push({ key, inner: inner ?? {}, path: [...at, key] })
  } else report(at, `"${at.join('.')}" is a mapping of keys to what they name`)
  return found.flatMap(({ key, inner, path }) => {
    if (typeof key === 'string' && keyGrammar.test(key) && isRecord(inner)) return [{ key, inner, path }]
    report(path, typeof key === 'string' ? `"${key}" is not a key with members` : 'it has no key')
    return []
  })
}

function replacePlaceholders(plain: Plain, substitute: (text: string) => unknown, report: Report): unknown {
  let paths: ReadonlyMap<unknown, Path> | undefined
  return changedLeaves(plain, (leaf) => {
    if (typeof leaf !== 'string') return leaf
    try {
      return substitute(leaf)
    } catch (error) {
      if (!(error instanceof MissingValue)) throw error
      const why = error.message.startsWith('PROMO_')
        ? 'is a setting of promo, which no file may send'
        : 'has no value in values/NAME.yaml or the environment'
      paths ??= pathsOf(plain)
      report(paths.get(leaf) ?? [], `\${${error.message}} ${why}`)
      return leaf
    }
  })
}

/** Where each text of an object is first. */
function pathsOf(object: unknown): Map<unknown, Path> {
  const paths = new Map<unknown, Path>()
  const visit = (value: unknown, path: Path) => {
    if (Array.isArray(value)) for (const [at, inner] of value.entries()) visit(inner, [...path, at])
    else if (isPlain(value)) for (const [name, inner] of Object.entries(value)) visit(inner, [...path, name])
    else if (typeof value === 'string' && !paths.has(value)) paths.set(value, path)
  }
  visit(object, [])
  return paths
}

/** Replaces the keys of an object that are references. */
function withReferences({ kind, parent, address }: Pick<FileObject, 'kind' | 'parent' | 'address'>, plain: unknown) {
  let object = plain
  for (const [path, [named]] of Object.entries(kind.references)) {
    object = changedAt(object, path, (key) => {
      if (isPlain(key) && typeof key.id === 'string') return new ForeignId(key.id)
      if (typeof key !== 'string') return key
      if (named === undefined) return new ForeignId(key)
      // A name cannot be `{id: …}`.
      if (path.endsWith('{}') && isId(key)) return key
      const found = addressInFile(key, kindNamed(named), parent)
      return path.endsWith('{}') ? referenceName(found) : new Reference(found)
    })
  }
  // The file of an offer does not repeat which reward it offers: its key says so.
  if (kind.keyedBy !== undefined && isRecord(object) && object[kind.keyedBy] === undefined) {
    setAt(object, kind.keyedBy, new Reference(`${kind.references[kind.keyedBy]?.[0]}/${keyOf(address)}`))
  }
  return object
}

/** Checks the members against the declaration of the kind and what the service takes, with every reference as an id. */
function checkMembers(
  kind: Kind,
  own: unknown,
  members: Members,
  unknown: readonly string[],
  isPartial: boolean,
  report: Report,
): void {
  const isNone = (path: string) => `"${path}" is no member of ${oneOf(kind)}`
  for (const path of dottedPaths(own, Object.keys(kind.members))) report([], isNone(path))
  for (const path of members.keys()) {
    if (Object.hasOwn(kind.members, path) || unknown.includes(path)) continue
    report(path.split('.'), `${isNone(path)}${suggest(path, kind)}`)
  }
  const { issues, body } = issuesOf(kind, members, isPartial)
  for (const issue of issues) {
    const names = issue.path.map((name) => (typeof name === 'symbol' ? String(name) : name))
    if (issue.code !== 'unrecognized_keys') report(names, issueInWords(issue, body))
    else
      for (const key of unknownKeys(issue)) {
        if (!unknown.includes(memberPath(names, key))) report([...names, key], isNone([...names, key].join('.')))
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

function suggest(path: string, kind: Kind): string {
  const last = path.slice(path.lastIndexOf('.') + 1)
  const like = Object.keys(kind.members).find(
    (name) => name === last || name.replace(/_/g, '') === last.replace(/[-_]/g, ''),
  )
  return like === undefined ? '' : `; did you mean "${like}"?`
}

/** Returns the paths, within known members, that calls of this version of promo do not have; `*` is any index. */
export function unknownWithin(kind: Kind, members: Members): string[] {
  return issuesOf(kind, members, false).issues.flatMap((issue) =>
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

/** Returns what a call does not take of the members, and its body: of the creation, or of the update for a part of an object. */
function issuesOf(kind: Kind, members: Members, isPartial: boolean) {
  const { create, update } = kind.calls
  const call = isPartial ? update : (create ?? update)
  if (call?.body === undefined) return { issues: [], body: {} }
  const isCreated = call === create
  const isSent = (path: string) => {
    const { change } = memberOf(kind, path)
    return Object.hasOwn(kind.members, path) && change !== 'position' && (isCreated || change !== 'fixed')
  }
  const sent = new Map([...members].filter(([path]) => isSent(path)))
  const unresolved: Plain = isCreated ? creationBody(kind, sent) : {}
  if (!isCreated) for (const [path, value] of sent) setAt(unresolved, path, value)
  const body = resolveReferences(unresolved, (address) => `<${address}>`)
  const isArray = kind.isArray === true && isCreated
  const { issues = [] } = call.body.safeParse(isArray ? [body] : body).error ?? {}
  return { issues: issues.map((issue) => ({ ...issue, path: isArray ? issue.path.slice(1) : issue.path })), body }
}

// A YAML file of a project: opened within bounds, in the dialect that promo writes, with the lines of its values.
import { isUtf8 } from 'node:buffer'
import type { Document, LineCounter, Tags } from 'yaml'
import { readKept } from '../base/files/kept-file.ts'
import { pathBelow } from '../base/files/path-below.ts'
import { formatNumber } from '../base/numbers.ts'
import { isRecord, ownValue } from '../base/record.ts'
import { isKept } from '../base/strict-json.ts'
import { sanitize } from '../base/text/sanitize.ts'
import { Reference } from '../model/value.ts'

export type Yaml = typeof import('yaml')

/** What is wrong with a file. */
export interface Problem {
  file: string
  line: number
  message: string
  /** It is about what the file refers to, and not about the file. */
  isReference?: true
}

/** A file while it is read; a thousand of these would take as much memory as all the rest. */
export interface OpenFile {
  /** Its path in the folder. */
  file: string
  document: Document
  lines: LineCounter
  /** The values of mappings and lists that were looked into, by name. */
  values: Map<object, ReadonlyMap<string, unknown>>
}

/** A value without quotes that is no text and would not be printed as it is written. */
export type Doubt = Problem & { isMetadata: boolean }

/** A folder while it is read. */
export interface Reading {
  root: string
  /** The texts of its files. */
  files: Map<string, string>
  problems: Problem[]
  doubts: Doubt[]
}

/** A place in a file: names of members, and indexes of lists. */
export type Path = readonly (string | number)[]

const mostMib = 4
/** Lines, and items on a line: what is read at once. */
const mostItems = 100_000

/** Reads and parses a file; undefined where there is none or it cannot be used. */
export function openYaml(yaml: Yaml, reading: Reading, file: string): OpenFile | undefined {
  const { files, problems, doubts } = reading
  const found = readKept(pathIn(reading, file), mostMib)
  if (found === undefined) return undefined
  const refuse = (message: string) => void problems.push({ file, line: 1, message })
  if ('fault' in found) return refuse(found.fault)
  if (!isUtf8(found.bytes)) return refuse('is not text in UTF-8')
  const text = found.bytes.toString('utf8')
  if (isLonger(text, mostItems)) return refuse(`has more than ${formatNumber(mostItems)} lines and items`)
  const read = asOpened(yaml, file, text)
  const { document, lines } = read
  const before = problems.length
  const report = (at: number | undefined, message: string) =>
    problems.push({ file, line: lines.linePos(at ?? 0).line, message })
  const conflict = document.errors.length > 0 ? text.search(/^<{7} /m) : -1
  if (conflict >= 0) report(conflict, 'has an unresolved merge conflict')
  for (const { pos, code, message } of conflict >= 0 ? [] : [...document.errors, ...document.warnings]) {
    const said = (message.split('\n')[0] ?? '').replace(/ at line \d+, column \d+:?$/, '')
    report(pos[0], ownValue(wordsFor, code) ?? (/call stack/.test(said) ? 'is nested too deeply' : said))
  }
  if (problems.length > before) return undefined
  yaml.visit(document, {
    Alias(_, { range }) {
      report(range?.[0], 'has an alias (*name); write the value out')
    },
    Scalar(_, { value, source = '', range }, path) {
      if (typeof value !== 'number' && typeof value !== 'boolean') return
      if (typeof value === 'boolean' || isKept(value)) {
        const isMetadata = path.some((around) => yaml.isPair(around) && String(around.key) === 'metadata')
        const { line } = lines.linePos(range?.[0] ?? 0)
        if (source !== String(value)) doubts.push({ file, line, isMetadata, message: `${source} is read as ${value}` })
        return
      }
      report(range?.[0], `has ${source}, a number too large to be kept exactly; put it in quotes, if it is a text`)
    },
    Pair(_, { key }) {
      if (!yaml.isCollection(key)) return
      report(key.range?.[0], 'has a list or a mapping in place of a name')
    },
    // The parser compares each name with all before it.
    Map(_, { items }) {
      const names = new Set<string>()
      for (const { key } of items) {
        if (!yaml.isScalar(key)) continue
        const name = String(key.value)
        if (names.has(name)) report(key.range?.[0], 'has this name twice')
        names.add(name)
      }
    },
  })
  if (problems.length > before) return undefined
  files.set(file, text)
  return read
}

function isLonger(text: string, most: number): boolean {
  let count = 0
  for (const _ of text.matchAll(/[\n,]/g)) {
    count += 1
    if (count > most) return true
  }
  return false
}

/** What a file may not have, in other words than those of the parser. */
const wordsFor = {
  MULTIPLE_DOCS: 'has a second document; one file is one object',
  TAG_RESOLVE_FAILED: 'has a tag that is not !ref',
}

/** The path of a file in a folder. Throws `input` (exit 2) for a name that would lead elsewhere. */
export function pathIn({ root }: Pick<Reading, 'root'>, file: string): string {
  return pathBelow(root, ...file.split('/'))
}

/** Parses a text of a file that was opened before. */
export function asOpened(yaml: Yaml, file: string, text: string): OpenFile {
  const lines = new yaml.LineCounter()
  return { file, document: parseYaml(yaml, text, lines), lines, values: new Map() }
}

/** Parses a text as promo's files are written: YAML 1.2, unique names, `!ref kind/key` for a reference. */
export function parseYaml(yaml: Yaml, text: string, lines?: LineCounter): Document {
  return yaml.parseDocument(text, { ...yamlOptions(), ...(lines && { lineCounter: lines }) }) as Document
}

/** The text of a document as promo's files are written. */
export function yamlText(document: Document): string {
  return document.toString({ lineWidth: 0, flowCollectionPadding: false })
}

/** The dialect of the files, for reading and for writing. */
export function yamlOptions() {
  const reference = {
    tag: '!ref',
    identify: (value: unknown) => value instanceof Reference,
    resolve: (address: string) => new Reference(address),
    stringify: ({ value }: { value: unknown }) => (value as Reference).address,
  }
  // Control and bidi characters are escaped, so that reviewers see them.
  const escaped = {
    tag: 'tag:yaml.org,2002:str',
    default: true as const,
    identify: (value: unknown) => typeof value === 'string' && sanitize(value, { lines: true }) !== value,
    resolve: (text: string) => text,
    stringify: ({ value }: { value: unknown }) => sanitize(JSON.stringify(value)),
  }
  // Of the tags that fit a value the first one writes it.
  const customTags = (tags: Tags): Tags => [escaped, ...tags, reference]
  return { version: '1.2' as const, schema: 'core', uniqueKeys: false, customTags }
}

/** Returns the content of a file, which is a mapping; anything else is a problem, and an empty one. */
export function plainOf({ document, file }: OpenFile, problems: Problem[]): Record<string, unknown> {
  const plain: unknown = document.toJS() ?? {}
  if (isRecord(plain)) return plain
  problems.push({ file, line: 1, message: 'is not a mapping of names to values' })
  return {}
}

/** Returns the line of the value at a path, else of the nearest that there is around it. */
export function lineAt(read: OpenFile, path: Path): number {
  for (let length = path.length; length >= 0; length -= 1) {
    const node = nodeAt(read, path.slice(0, length)) as { range?: [number, number, number] } | undefined
    if (node?.range) return read.lines.linePos(node.range[0]).line
  }
  return 1
}

/** Returns the node at a path; the values of each mapping are found by their names, which are collected once. */
export function nodeAt({ document, values }: OpenFile, path: Path): unknown {
  let node: unknown = document.contents
  for (const step of path) {
    const { items } = (node ?? {}) as { items?: { key?: { value?: unknown }; value?: unknown }[] }
    if (items === undefined) return undefined
    const known =
      values.get(items) ??
      new Map(items.map((item, at) => (item.key ? [String(item.key.value), item.value] : [String(at), item])))
    values.set(items, known)
    node = known.get(String(step))
  }
  return node
}

// The columns that a command reads of the rows of a file, with their units: from what it declares, for its help and for programs.
import { z } from 'zod'
import { listNames } from '../../base/name-list.ts'
import { ownValue } from '../../base/record.ts'
import { foldTitle, headingsFor } from '../../bulk/input/key-column.ts'
import { csvMember, isMoney, memberColumns } from '../../contract/bulk.ts'
import { newVoucher } from '../../contract/new-voucher.ts'
import { memberTypes } from '../request/body.ts'
import { majorColumns } from '../request/imported-cells.ts'
import { type MemberFlags, memberPath } from '../request/member-flags.ts'

/** The rows that a command reads, as it declares them. */
export interface DeclaredRows {
  /** The column of the key, and what it names. */
  key: string
  noun: string
  /** The form of what the other columns describe; absent: they are ignored. */
  body?: z.ZodType | undefined
  /** Members that have flags: a column may have the name of one. */
  members?: MemberFlags | undefined
  /** Columns that no body has. */
  also?: readonly string[] | undefined
  /** The columns of a file that the service reads itself; all others become metadata. */
  columns?: readonly string[]
}

/** A column: its name, what a cell holds and in which unit, and the other names that it may have. */
export interface ColumnFact {
  name: string
  takes: string
  also?: readonly string[]
}

/** Returns the columns of the rows of a command, that of the key first. */
export function columnFacts({ key, noun, body, members = {}, also = [], columns }: DeclaredRows): ColumnFact[] {
  const types = memberTypes(columns === undefined ? (body ?? z.strictObject({})) : newVoucher)
  const known = new Set([key, 'redeemables', ''])
  const facts: ColumnFact[] = [{ name: key, takes: `the ${noun}`, also: otherKeys(noun, key) }]
  const add = (name: string, takes: string, others: readonly string[] = []) => {
    if (!known.has(name)) facts.push({ name, takes, also: [...new Set(others)].filter((other) => other !== name) })
    known.add(name)
  }
  if (columns !== undefined) {
    for (const name of columns) add(name, importedUnit(name, types))
    add('…', 'any other column is metadata, a text')
    return facts.map(saidOnly)
  }
  const isVoucher = types.has('discount.type')
  for (const [path, type] of types) {
    const parts = path.split('.')
    const depth = path.endsWith('metadata.NAME') ? parts.length - 1 : parts.length
    const part = parts.slice(0, 2).join('.')
    // What is inside of a part of a part is named together.
    if (depth > 2) add(`${part}.…`, `its fields: ${fieldsIn(part, types)}`)
    else if (type.length !== 1 || !constants.has(type[0] ?? '')) {
      const flags = flagsOf(path)
      const asFlag = flags.find((name) => members[name]?.as !== undefined)
      const imported = isVoucher
        ? memberColumns.filter((one) => !majorColumns.includes(one) && csvMember(one, {}) === path)
        : []
      const short = path === 'customer.source_id' ? ['customer'] : []
      add(path, asFlag ? `as --${asFlag} takes it` : unitOf(path, type), [...flags, ...imported, ...short])
    }
  }
  for (const name of also) add(name, ownValue(members, name)?.about ?? unitOf(name, ['string']), flagsOf(name))
  if (isVoucher) for (const name of majorColumns) add(name, importedUnit(name, types))
  return facts.map(saidOnly)

  function flagsOf(path: string): string[] {
    return Object.keys(members).filter((name) => memberPath(members, name) === path)
  }
}

/** The name of an object in itself, which nobody has to say. */
const constants = new Set(['customer', 'order'])

function saidOnly({ also = [], ...fact }: ColumnFact): ColumnFact {
  return { ...fact, ...(also.length > 0 && { also }) }
}

/** The headings that other systems have for the key. */
function otherKeys(noun: string, key: string): string[] {
  const [[, , ...none] = [], ...others] = headingsFor(noun, key)
  return [...none, ...others.flat()].filter((one) => foldTitle(one) !== foldTitle(key))
}

function fieldsIn(part: string, types: ReadonlyMap<string, unknown>): string {
  const fields = [...types.keys()]
    .filter((path) => path.startsWith(`${part}.`))
    .map((path) => path.slice(part.length + 1))
  return listNames(fields, 4)
}

/** Amounts of a file that the service reads are in major units. */
function importedUnit(name: string, types: ReadonlyMap<string, readonly string[]>): string {
  const major = 'an amount in major units (14.50)'
  if (name === 'Value') return `a percentage, points, or ${major}, by "Discount Type" or "Voucher Type"`
  const member = csvMember(name, {}) ?? name
  if (isMoney(member) || name.endsWith('Amount')) return major
  return name.endsWith('Quantity') ? unitWords.integer : unitOf(member, types.get(member) ?? ['string'])
}

/** Returns what a cell holds, in words; `types` are those that the schema has at the path. */
function unitOf(path: string, types: readonly string[]): string {
  if (path.endsWith('NAME')) return 'a text, a number, true or false, or JSON'
  if (isMoney(path) && !path.endsWith('_formula')) return 'an amount in minor units (cents)'
  if (path.endsWith('percent_off')) return 'a percentage'
  if (/(?:^|\.)points$/.test(path)) return 'a number of points'
  const words = types.filter((type) => type !== 'null').map((type) => ownValue(unitWords, type) ?? type)
  return listNames([...new Set(words)], 4)
}

const unitWords: Readonly<Record<string, string>> & { integer: string } = {
  string: 'a text',
  date: 'a day',
  'date-time': 'a day or a time',
  integer: 'a whole number',
  number: 'a number',
  boolean: 'true or false',
  array: 'a JSON list',
  object: 'a JSON object',
  any: 'a text or JSON',
}

// The body of one row: what all rows share, overlaid by what the row itself says.

import type { z } from 'zod'
import { excerpt } from '../../bulk/input/input-error.ts'
import { customerColumn, metadataColumn } from '../../bulk/input/report-columns.ts'
import type { Row } from '../../bulk/input/row.ts'
import { isMoney } from '../../contract/bulk.ts'
import { usageError } from '../../errors.ts'
import { valueAt } from '../../output/path.ts'
import { type FieldReader, fieldReader, pathsOf, put, type Reader, type ValueFlags } from './body.ts'
import { importedValue, majorColumns } from './imported-cells.ts'
import { listedKinds } from './listed-key.ts'
import { impliedBy, type MemberFlags, memberPath, readByFlag } from './member-flags.ts'
import { mappedNames, type RowColumns } from './row-columns.ts'
import type { WrittenForms } from './written-values.ts'

/**
 * Returns the function that builds a row's body.
 *
 * The columns of CSV are wire paths, an empty cell is ignored; a row of JSON is itself the body. The key column is left
 * out, because it is sent in the path; `sendable` makes a request of a row that is an answer. What all rows share is
 * overlaid by the row, but overrides what a list that promo wrote says, because that is only what there was. Throws
 * `usage` for a cell that the contract does not allow there.
 */
export function rowBodies(
  shared: object,
  reader: FieldReader,
  keyColumn: string,
  sendable: (row: Record<string, unknown>) => Record<string, unknown> = (row) => row,
  {
    members = {},
    onAmount,
    isForeign,
  }: {
    members?: MemberFlags | undefined
    onAmount?: OnAmount
    isForeign?: (name: string, text: string) => boolean
  } = {},
) {
  // The contract checks the finished body, so the type asserted here is proved there.
  return ({ fields }: Row): Record<string, never> => {
    const isListed = listedKinds.includes(fields.object as string)
    const given = structuredClone(shared) as Record<string, unknown>
    const body = isListed ? {} : given
    const { [customerColumn]: id, [metadataColumn]: followed = {}, ...own } = fields
    const imported: [name: string, text: string][] = []
    for (const [name, value] of Object.entries(sendable(own))) {
      if (name === keyColumn || value === '' || value === undefined || (isListed && name === 'object')) continue
      if (typeof value === 'string' && isForeign?.(name, value)) continue
      if (Object.hasOwn(followed as object, name)) put(body, name.split('.'), Reflect.get(followed as object, name))
      else if (majorColumns.includes(name)) imported.push([name, String(value as string | number)])
      else if (typeof value !== 'string')
        put(body, name.split('.'), isRecord(value) && isRecord(body[name]) ? overlaid(body[name], value) : value)
      else {
        const isFound = name === 'customer' && typeof id === 'string'
        const path = isFound ? ['customer', 'id'] : pathOf(name, value, members)
        // The customer of all rows is another one.
        if (isFound && isRecord(body.customer)) delete body.customer.source_id
        const sent = isFound ? id : (readByFlag(members, name, value) ?? reader.valueAt(path, value))
        put(body, path, sent)
        if (isMoney(name)) onAmount?.(name, name, value, String(sent))
      }
    }
    for (const [name, text] of imported) {
      const { path, value } = importedValue(name, text, overlaid(body, given), reader)
      put(body, path, value)
      onAmount?.(name, path.join('.'), text, String(value))
    }
    for (const [path, value] of impliedBy(members, (path) => valueAt(body, path))) put(body, path.split('.'), value)
    return (isListed ? overlaid(body, given) : body) as Record<string, never>
  }
}

/** Returns the member that names the customer whom the key of a row names: the id that was looked up, or the key as a source id. */
export function customerOf({ key, fields }: Row): { id: string } | { source_id: string } {
  const id = fields[customerColumn]
  return typeof id === 'string' ? { id } : { source_id: key }
}

/** A text where an object goes is what the flag takes: a customer for whom no id was looked up is a source id. */
function pathOf(name: string, value: string, members: MemberFlags): string[] {
  if (value.trimStart().startsWith('{')) return name.split('.')
  return (name === 'customer' ? 'customer.source_id' : (memberPath(members, name) ?? name)).split('.')
}

/** An object with a type is complete, such as a discount; others are overlaid name by name, such as metadata. */
function overlaid(under: Record<string, unknown>, over: Record<string, unknown>): Record<string, unknown> {
  const merged = Object.entries(over).map(([name, value]) => {
    const below = under[name]
    return [name, isRecord(below) && isRecord(value) && !('type' in value) ? overlaid(below, value) : value] as const
  })
  return { ...under, ...Object.fromEntries(merged) }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Returns the body of an update. Throws `usage` for one that would change nothing. */
export function changing<Body extends object>(body: Body): Body {
  if (Object.keys(body).length > 0) return body
  throw usageError('has nothing to change', 'name a field with --set, or leave the row out')
}

/**
 * Returns what an update reads of a list that promo wrote: its fields where these are what changes, otherwise the key alone. A
 * list is old by then: sent back, it would switch on what was switched off since.
 */
export function listedChanges(given: object, columns: RowColumns = {}): RowColumns {
  return Object.keys(given).length > 0 ? { saysKeyOnly: true } : { ...columns, fromList: 'fields' }
}

/** The same by the schema of the body; `key` is the column of the key unless the command line names another. */
export async function bodiesOfRows(
  schema: z.ZodType,
  shared: object,
  { flags, run, key = 'code', sendable, isNew, members }: RowSource,
): Promise<ReturnType<typeof rowBodies>> {
  const keyColumn = isNew && isFieldToo(flags.column, schema) ? '' : (flags.column ?? key)
  const reader = await fieldReader(schema, flags, run, flags)
  const onAmount = amountsSaid(flags, run.show)
  return rowBodies(shared, reader, keyColumn, sendable, {
    members,
    onAmount,
    isForeign: foreignCells(flags, reader, run.show),
  })
}

/** Returns whether `--ignore-columns others` means a column too whose name is by accident that of a field: its value is none there. */
function foreignCells(flags: RowSource['flags'], { choicesAt }: FieldReader, { say }: Reader['show']) {
  const mapped = new Set(mappedNames(flags.map).values())
  const said = new Set<string>()
  return (name: string, text: string) => {
    if (!flags['ignore-columns']?.includes('others') || mapped.has(name)) return false
    const choices = choicesAt(name.split('.'))
    if (choices === undefined || choices.includes(text)) return false
    if (!said.has(name)) say(`the column "${name}" is left out: ${excerpt(text)} is no ${name} of what is sent`)
    said.add(name)
    return true
  }
}

/** Receives a cell that is an amount of money: its column, its member, its text, and what is sent. */
type OnAmount = (column: string, member: string, text: string, sent: string) => void

/** Says once for each column which unit its amounts have: what is taken for another is a hundred times wrong. */
function amountsSaid(flags: RowSource['flags'], { say }: Reader['show']): OnAmount {
  const titles = new Map([...mappedNames(flags.map)].map(([title, field]) => [field, title]))
  const said = new Set<string>()
  return (column, member, text, sent) => {
    // A percentage is no amount.
    if (said.has(column) || !isMoney(member)) return
    said.add(column)
    const title = titles.get(column) ?? column
    const currency = flags['amounts-in'] === undefined ? '' : ` ${flags['amounts-in']}`
    const what = title === member ? '' : ` is ${member},`
    const unit =
      sent === text
        ? `in the smallest currency unit: ${text} is ${inMajorUnits(text)} of a currency with cents`
        : `in major units: ${text}${currency} is sent as ${sent}`
    say(`the column "${title}"${what || ' is'} ${unit}`)
  }
}

function inMajorUnits(text: string): string {
  const digits = text.padStart(3, '0')
  return `${digits.slice(0, -2)}.${digits.slice(-2)}`
}

/** Returns whether the column of the key is a field of what is created, too: its e-mail address, and not another key. */
export function isFieldToo(column: string | undefined, schema: z.ZodType): boolean {
  return column !== undefined && !/^(?:id|source_id|code)$/.test(column) && pathsOf(schema)(column.split('.'))
}

interface RowSource {
  flags: ValueFlags &
    WrittenForms & {
      column?: string | undefined
      map?: string[] | undefined
      'ignore-columns'?: string[] | undefined
    }
  run: Reader
  key?: string
  sendable?: Parameters<typeof rowBodies>[3]
  /** The members that have flags: what these imply, columns imply. */
  members?: MemberFlags
  /** The rows are created. */
  isNew?: boolean
}

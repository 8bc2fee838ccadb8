// Derives the columns of a resource from the complete form of its answer. The build runs this: a bundle has only the lists.

import { z } from 'zod'
import { ownValue } from '../base/record.ts'
import { type Column, type ColumnSet, columnKinds, type Kind } from './column.ts'

/**
 * Columns as words, in their order: `path`, `path=heading`, with `:kind` where that does not follow from the form of an answer, and
 * marks: `*` for one in the table, `!` for one that stays in it, `?` for one that neither a table nor CSV has unless it is
 * requested, `-` for one that no table has.
 */
type Words = string

/** What a resource declares about its columns. Everything else follows from the form of its answer. */
export interface Showing extends Omit<ColumnSet, 'columns'> {
  /**
   * The columns that come first. Those without a mark are in CSV alone. Where none is marked with `!`, a table never leaves out the
   * first, codes, amounts, numbers, flags, states and reasons.
   */
  first: Words
  /**
   * Of the others, which follow in the order of the form: those that CSV has by default although they are members of other
   * resources, and those whose kind is declared.
   */
  inside?: Words
  /** True: CSV has the columns in `first` and `inside` by default, and all others on request. */
  isPicked?: boolean
  /** Members that are no columns, because they are secrets. */
  secret?: readonly string[]
}

/**
 * Returns the columns of an answer: those declared, then every scalar and list of its form, in the order of the form.
 *
 * A list, a map and an object without a declared form are one cell of JSON. The members of another resource, an object with
 * an id and a kind of its own, are on request, as are members that never vary. Throws when a declared path is not in the form
 * and has no kind.
 */
export function columnsOf(
  form: z.ZodType,
  { first, inside = '', isPicked = false, secret = [], ...rest }: Showing,
): ColumnSet {
  const isSecret = (path: string) => secret.some((name) => path === name || path.startsWith(`${name}.`))
  const fields = new Map<string, Field>()
  for (const field of fieldsOf(form)) if (!isSecret(field.path)) fields.set(field.path, mergeField(field, fields))
  const leading = columnsFrom(first)
  const others = columnsFrom(inside)
  const declared = new Map([...leading, ...others].map((column) => [column.name, column]))
  const column = (name: string): Column => {
    const field = fields.get(name)
    const { kind = field?.kind, ...marked } = declared.get(name) ?? {}
    if (kind === undefined) throw new Error(`the answer has no ${name}`)
    const isDefault = declared.has(name) || !(isPicked || field?.isRemote)
    return { name, kind, ...marked, ...(!isDefault && { onRequest: true }) }
  }
  const names = new Set([...leading.map(({ name }) => name), ...fields.keys(), ...declared.keys()])
  return { columns: [...names].map(column), ...rest }
}

/** Returns the columns that no answer has. Where none is marked, a table has them all. */
export function columnSet({ columns, ...rest }: Omit<ColumnSet, 'columns'> & { columns: Words }): ColumnSet {
  return { columns: columnsFrom(columns), ...rest }
}

const marks: Readonly<Record<string, Partial<Column>>> = {
  '*': { inTable: true },
  '!': { inTable: true, stays: true },
  '?': { onRequest: true },
  '-': { inTable: false },
}

/** Reads columns that are written as words. Throws for a word of another form, which the build shows. */
export function columnsFrom(words: Words): Column[] {
  return words
    .split(/\s+/)
    .filter(Boolean)
    .map((word) => {
      const [, name = '', label, called, signs = ''] = /^([\w.]+)(?:=(\w+))?(?::(\w+))?([*!?-]*)$/.exec(word) ?? []
      const kind = columnKinds.find((one) => one === called)
      if (name === '' || kind !== called) throw new Error(`"${word}" describes no column`)
      const marked = Object.assign({}, ...signs.split('').map((sign) => ownValue(marks, sign))) as Partial<Column>
      return { name, ...(kind !== undefined && { kind }), ...(label !== undefined && { label }), ...marked }
    })
}

/** A scalar, or one cell of JSON, in an answer. */
interface Field {
  path: string
  kind: Kind
  /** True for a member of another resource, and for one that never varies. */
  isRemote: boolean
}

/** The same member in several forms is a default column when it is in one of them. */
function mergeField(field: Field, others: ReadonlyMap<string, Field>): Field {
  const known = others.get(field.path)
  return known === undefined ? field : { ...known, isRemote: known.isRemote && field.isRemote }
}

/** Walks a form, and returns every scalar, list and map in it by its dotted wire path. */
export function fieldsOf(form: z.ZodType, path = '', isRemote = false): Field[] {
  const kind = scalarKind(form, path)
  if (kind !== undefined) return [{ path, kind, isRemote: isRemote || isConstant(form, path) }]
  if (form instanceof z.ZodUnion) return form.options.flatMap((option) => fieldsOf(option as z.ZodType, path, isRemote))
  const inner = innerOf(form)
  if (inner !== undefined) return fieldsOf(inner, path, isRemote)
  // ASSUMED A-out-3: metadata is not a scalar, but the one field customers fill; its names are theirs, so it is one cell of JSON.
  if (!(form instanceof z.ZodObject) || (path !== '' && isOneCell(form))) return [{ path, kind: 'text', isRemote }]
  const shape: Readonly<Record<string, z.ZodType>> = form.shape
  const isResource = path !== '' && 'id' in shape && 'object' in shape
  return Object.entries(shape).flatMap(([name, member]) =>
    fieldsOf(member, path === '' ? name : `${path}.${name}`, isRemote || isResource || isPaging(name, shape)),
  )
}

/** An object without declared members, or with nothing but lists and flags, such as `applicable_to`. */
function isOneCell({ shape }: z.ZodObject): boolean {
  return Object.values(shape).every((member) => {
    const [only, more] = fieldsOf(member as z.ZodType, 'member')
    return more === undefined && (only?.kind === 'flag' || (only?.kind === 'text' && !isText(member as z.ZodType)))
  })
}

function isText(form: z.ZodType): boolean {
  const inner = innerOf(form)
  return inner === undefined ? scalarKind(form, '') !== undefined : isText(inner)
}

/** How a list inside an answer goes on says nothing about its row. */
function isPaging(name: string, shape: object): boolean {
  return 'data_ref' in shape && ['has_more', 'more_starting_after'].includes(name)
}

function innerOf(form: z.ZodType): z.ZodType | undefined {
  const wraps = form instanceof z.ZodOptional || form instanceof z.ZodNullable || form instanceof z.ZodDefault
  return wraps ? (form.unwrap() as z.ZodType) : undefined
}

/** A member below the top that has one value says what kind of thing it is in, not what this one is. */
function isConstant(form: z.ZodType, path: string): boolean {
  return path.includes('.') && form instanceof z.ZodLiteral && form.values.size === 1
}

const formats: Readonly<Record<string, Kind>> = {
  'date-time': 'time',
  date: 'date',
  email: 'identifier',
  phone: 'identifier',
  uri: 'identifier',
  id: 'identifier',
}

function scalarKind(form: z.ZodType, path: string): Kind | undefined {
  if (form instanceof z.ZodBoolean) return 'flag'
  if (form instanceof z.ZodNumber) return 'number'
  if (!(form instanceof z.ZodString || form instanceof z.ZodEnum || form instanceof z.ZodLiteral)) return undefined
  const format = form.meta()?.format
  if (typeof format === 'string') return ownValue(formats, format)
  if (/_(?:at|date)$/.test(path)) return 'time'
  return /(?:^|[._])(?:id|url)$|(?:^|\.)code$/.test(path) ? 'identifier' : 'text'
}

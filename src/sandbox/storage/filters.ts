// Compiles `filters[field][conditions][$operator]=value` to SQL. Source: docs/service/lists.md#filter-operators.
import { dayMs } from '../../base/duration.ts'
import { isRecord } from '../../base/record.ts'
import { isInstant } from '../../contract/fields.ts'
import { columnsOf, type Declaration } from './collection.ts'
import {
  type Comparable,
  type Condition,
  comparable,
  isBeforeOrAfter,
  isBetween,
  joinedConditions,
} from './conditions.ts'
import type { Database } from './database.ts'

/** States what is wrong with a filter; the message is the `details` of the refusal. */
export class BadFilter extends Error {
  override readonly name = 'BadFilter'
}

interface Period {
  after?: string | undefined
  before?: string | undefined
}

/** What the query of a listing restricts in the same way wherever it is declared. */
export interface Restrictions {
  created_at?: Period | undefined
  updated_at?: Period | undefined
  start_date?: string | undefined
  end_date?: string | undefined
  filters?: Record<string, unknown> | undefined
}

/**
 * Restricts a listing by its query: strictly after and before the instants of `created_at` and `updated_at`, from `start_date`
 * to `end_date`, both included, and by the filters. Throws BadFilter.
 */
export function restrictionsOf(
  declared: Declaration,
  { start_date, end_date, filters, ...periods }: Restrictions,
  now: string,
): Condition[] {
  const inPeriods = (['created_at', 'updated_at'] as const).flatMap((field) =>
    (['after', 'before'] as const).flatMap((where) => {
      const instant = instantOf(periods[field]?.[where])
      return instant === undefined ? [] : [isBeforeOrAfter(declared, field, where, instant)]
    }),
  )
  const isDated = start_date !== undefined || end_date !== undefined
  return [
    ...inPeriods,
    // ASSUMED A163: start_date and end_date bound created_at, both included; a bare date is its first instant in UTC.
    ...(isDated ? [isBetween(declared, 'created_at', instantOf(start_date), instantOf(end_date))] : []),
    ...(filters ? [compileFilters(declared, filters, now)] : []),
  ]
}

function instantOf(given: string | undefined): string | undefined {
  return given === undefined ? undefined : new Date(given).toISOString()
}

/**
 * Compiles the `filters` of a listing, or of a request body, where every operator takes an array.
 *
 * Several values of a positive operator match any of them, of a negative operator none of them. A missing value is not
 * equal to anything, so `$is_not` and `$not_in` match it. `now` is an ISO instant. Throws BadFilter.
 */
export function compileFilters(declared: Declaration, filters: Record<string, unknown>, now: string): Condition {
  const { junction = 'and', ...fields } = filters
  const word = String(junction).toUpperCase()
  if (word !== 'AND' && word !== 'OR') throw new BadFilter('Property .filters.junction must be one of and, or')
  const named = Object.entries(fields)
  mustBeFew(named, mostConditions, 'Property .filters')
  const conditions = named.map(([field, filter]) => compileField(declared, field, filter, now))
  return joinedConditions(conditions, word)
}

// ASSUMED A1730: more fields in a filter, and more values to look for inside a text, are refused. Every condition and every such
// value is tried on each object, and SQLite takes no expression that is deeper than 1,000; values that are equal are looked up.
const mostConditions = 100
const mostTexts = 1_000

function mustBeFew(items: readonly unknown[], most: number, at: string): void {
  if (items.length > most) throw new BadFilter(`${at} must have at most ${most} values`)
}

function compileField(declared: Declaration, field: string, filter: unknown, now: string): Condition {
  const at = `Property .filters.${field}`
  const conditions = isRecord(filter) ? (filter.conditions ?? filter) : undefined
  if (!isRecord(conditions) || Object.keys(conditions).length === 0)
    throw new BadFilter(`${at}.conditions must be object`)
  const states = declared.states && Object.hasOwn(declared.states, field) ? declared.states[field] : undefined
  const value = comparable(declared, field)
  // ASSUMED A126: a filter on an unknown field is refused; ignoring it would list what was to be excluded.
  if (!states && !value) {
    const known = filterFields(declared).join(', ')
    throw new BadFilter(`${at} is not a field that ${declared.name} can be filtered by: ${known}`)
  }
  return joinedConditions(
    Object.entries(conditions).map(([operator, operand]) => {
      const state = states && Object.hasOwn(states, operator) ? states[operator] : undefined
      if (state !== undefined || operator === '$has_value' || operator === '$is_unknown') {
        // ASSUMED A1505: what takes no value is refused with another one than true: `false` would find the opposite.
        if (!isOn(operand)) throw new BadFilter(`${at}.conditions.${operator} must be true`)
      }
      if (state !== undefined) return bindNow(state, now)
      const compiled = value && compileOperator(value, operator, asTexts(operand), now, `${at}.conditions.${operator}`)
      if (!compiled) throw new BadFilter(`${at}.conditions.${operator} is not an operator of this field`)
      return compiled
    }),
  )
}

/** The names a filter may have, in alphabetical order. */
function filterFields(declared: Declaration): string[] {
  const { filterable = {}, computed = {}, states = {} } = declared
  const names = [columnsOf(declared), filterable, computed, states].flatMap((fields) => Object.keys(fields))
  return [...new Set(['id', 'metadata.<key>', ...names])].toSorted()
}

/** Binds the current instant wherever a state condition refers to it. */
function bindNow(sql: string, now: string): Condition {
  return { sql: `(${sql.replaceAll(':now', '?')})`, values: Array(sql.split(':now').length - 1).fill(now) }
}

function compileOperator(
  field: Comparable,
  operator: string,
  operands: string[],
  now: string,
  at: string,
): Condition | undefined {
  // A metadata value of any JSON type is compared by its text.
  const text = field.kind === 'any' ? `CAST(${field.sql} AS TEXT)` : field.sql
  const one = (sql: string, ...operand: (string | number)[]): Condition => ({
    sql,
    values: [...field.values, ...operand],
  })
  const none = ({ sql, values }: Condition): Condition => ({ sql: `(${sql}) IS NOT 1`, values })
  const equalsAny = (sql: string, wanted: readonly (string | number)[]) =>
    wanted.length === 1
      ? one(`${sql} = ?`, ...wanted)
      : one(`${sql} IN (SELECT value FROM json_each(?))`, JSON.stringify(wanted))
  const equal = (): Condition => {
    const wanted = operands.map((operand) => operandOf(field, operand, at))
    const { seeks } = field
    const [value] = wanted
    return {
      ...equalsAny(text, wanted),
      ...(seeks !== undefined && { seeks }),
      ...(seeks !== undefined && value !== undefined && wanted.length === 1 && { equals: { field: seeks, value } }),
    }
  }
  // Where one value lets more objects through than the others, only that one is compared.
  const beyond = (sign: string, bounds: readonly (string | number)[]) =>
    bounds.length === 0 ? one('0') : one(`${field.sql} ${sign} ?`, widest(sign, bounds))
  const ago = (days: string) => shiftDays(now, -whole(days, at))
  const ahead = (days: string) => shiftDays(now, whole(days, at))
  const dayOf = (instant: string) => instant.slice(0, 10)

  switch (operator) {
    case '$is':
    case '$in':
      return equal()
    case '$is_not':
    case '$not_in':
      return none(equal())
    case '$has_value':
      return one(`${field.sql} IS NOT NULL`)
    case '$is_unknown':
      return one(`${field.sql} IS NULL`)
  }
  if (field.kind === 'text' || field.kind === 'any') {
    const match = Object.hasOwn(textMatches, operator) ? textMatches[operator] : undefined
    if (match !== undefined) {
      mustBeFew(operands, mostTexts, at)
      const found = oneMatches(match, one(text), operands)
      return operator === '$not_contain' ? none(found) : found
    }
  }
  if (field.kind === 'date') {
    const instants = () => operands.map((operand) => instant(operand, at))
    if (operator === '$after') return beyond('>', instants())
    if (operator === '$before') return beyond('<', instants())
    if (operator === '$more_than' || operator === '$more_than_ago') return beyond('<', operands.map(ago))
    // ASSUMED A130: "less than 3 days ago" is between then and now, so it does not match the future.
    if (operator === '$less_than' || operator === '$less_than_ago')
      return joinedConditions([beyond('>=', operands.map(ago)), one(`${field.sql} <= ?`, now)])
    if (operator === '$more_than_future') return beyond('>', operands.map(ahead))
    if (operator === '$less_than_future')
      return joinedConditions([one(`${field.sql} >= ?`, now), beyond('<=', operands.map(ahead))])
    const day = `substr(${field.sql}, 1, 10)`
    if (operator === '$is_days_ago')
      return equalsAny(
        day,
        operands.map((days) => dayOf(ago(days))),
      )
    if (operator === '$is_days_in_future')
      return equalsAny(
        day,
        operands.map((days) => dayOf(ahead(days))),
      )
  }
  if (field.kind === 'number' || field.kind === 'any') {
    const signs: Record<string, string> = {
      $more_than: '>',
      $less_than: '<',
      $more_than_equal: '>=',
      $less_than_equal: '<=',
    }
    const sign = Object.hasOwn(signs, operator) ? signs[operator] : undefined
    if (sign === undefined) return undefined
    const bounds = operands.map((operand) => numeric(operand, at))
    if (field.kind === 'number') return beyond(sign, bounds)
    if (bounds.length === 0) return one('0')
    // SQLite puts every text after every number, and reads 0 from one that is cast.
    const number = `(SELECT value FROM (SELECT ${field.sql} AS value) WHERE typeof(value) <> 'text')`
    return one(`${number} ${sign} ?`, widest(sign, bounds))
  }
  return undefined
}

const textMatches: Readonly<Record<string, string>> = {
  $contains: 'instr(given, wanted) > 0',
  $not_contain: 'instr(given, wanted) > 0',
  $starts_with: 'substr(given, 1, length(wanted)) = wanted',
  // Every text ends with the empty text, but substr(x, -0) does not return the empty text.
  $ends_with: "CASE wanted WHEN '' THEN given IS NOT NULL ELSE substr(given, -length(wanted)) = wanted END",
}

/** Binds the values as one JSON text: SQLite binds no more than 32,766 of them, and nests no more than 1,000 comparisons. */
function oneMatches(match: string, { sql, values }: Condition, operands: readonly string[]): Condition {
  const wanted = 'SELECT value AS wanted FROM json_each(?)'
  return {
    sql: `EXISTS (SELECT 1 FROM (SELECT ${sql} AS given), (${wanted}) WHERE ${match})`,
    values: [...values, JSON.stringify(operands)],
  }
}

/** Of several bounds, returns the one that every value within another is within as well. */
function widest<Bound extends string | number>(sign: string, bounds: readonly Bound[]): Bound {
  const isLower = sign.startsWith('>')
  return bounds.reduce((one, other) => (other < one === isLower ? other : one))
}

const switchedOn: readonly unknown[] = [null, undefined, true, '', '{}', 'true']

/** The empty object and `true` switch a state on, an empty text the other operators; in a query both are texts. */
function isOn(operand: unknown): boolean {
  if (Array.isArray(operand)) return operand.every(isOn)
  if (isRecord(operand)) return Object.keys(operand).length === 0
  return switchedOn.includes(operand)
}

function asTexts(operand: unknown): string[] {
  const operands = Array.isArray(operand) ? operand : [operand]
  return operands.map((item) => (item === null || item === undefined ? '' : String(item)))
}

function operandOf(field: Comparable, operand: string, at: string): string | number {
  if (field.kind === 'number') return numeric(operand, at)
  if (field.kind === 'date') return instant(operand, at)
  if (field.kind === 'boolean') {
    if (operand !== 'true' && operand !== 'false') throw new BadFilter(`${at} must be boolean`)
    return operand === 'true' ? 1 : 0
  }
  return operand
}

function numeric(operand: string, at: string): number {
  if (operand.trim() === '' || !Number.isFinite(Number(operand))) throw new BadFilter(`${at} must be number`)
  return Number(operand)
}

function whole(operand: string, at: string): number {
  const days = numeric(operand, at)
  if (!Number.isInteger(days) || days < 0 || days > 100_000) throw new BadFilter(`${at} must be integer`)
  return days
}

function instant(operand: string, at: string): string {
  if (!isInstant(operand)) throw new BadFilter(`${at} cannot be recognized as a ISO-8601 compliant date`)
  return new Date(operand).toISOString()
}

function shiftDays(now: string, days: number): string {
  return new Date(Date.parse(now) + days * dayMs).toISOString()
}

/** Returns whether an object meets a condition as it is given, stored or not: exactly as one stored like that would. */
export function meets(
  { db }: { db: Pick<Database, 'get'> },
  declared: Declaration,
  given: Readonly<Record<string, unknown>>,
  condition: Condition,
): boolean {
  const columns = ['id', ...Object.keys(columnsOf(declared))]
  const row = `SELECT doc, ${columns.map((name) => `doc ->> '$.${name}' AS "${name}"`).join(', ')} FROM (SELECT ? AS doc)`
  const found = db.get(
    `SELECT 1 AS met FROM (${row}) WHERE ${condition.sql}`,
    JSON.stringify(given),
    ...condition.values,
  )
  return found !== undefined
}

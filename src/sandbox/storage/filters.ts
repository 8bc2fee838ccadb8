// Compiles `filters[field][conditions][$operator]=value` to SQL. Source: docs/service/lists.md#filter-operators.
import { dayMs } from '../../base/day.ts'
import { isRecord } from '../../base/record.ts'
import { isInstant } from '../../contract/fields.ts'
import type { Declaration } from './collection.ts'
import { type Comparable, type Condition, comparable, joinedConditions } from './conditions.ts'

/** States what is wrong with a filter; the message is the `details` of the refusal. */
export class BadFilter extends Error {
  override readonly name = 'BadFilter'
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
  const conditions = Object.entries(fields).map(([field, filter]) => compileField(declared, field, filter, now))
  return joinedConditions(conditions, word)
}

function compileField(declared: Declaration, field: string, filter: unknown, now: string): Condition {
  const at = `Property .filters.${field}`
  const conditions = isRecord(filter) ? (filter.conditions ?? filter) : undefined
  if (!isRecord(conditions) || Object.keys(conditions).length === 0)
    throw new BadFilter(`${at}.conditions must be object`)
  const states = declared.states && Object.hasOwn(declared.states, field) ? declared.states[field] : undefined
  const value = comparable(declared, field)
  // ASSUMED A126: a filter on an unknown field is refused; ignoring it would list what was to be excluded.
  if (!states && !value) throw new BadFilter(`${at} is not a field that ${declared.name} can be filtered by`)
  return joinedConditions(
    Object.entries(conditions).map(([operator, operand]) => {
      const state = states && Object.hasOwn(states, operator) ? states[operator] : undefined
      if (state !== undefined || operator === '$has_value' || operator === '$is_unknown') {
        // ASSUMED A1505: what takes no value is refused with another one than true: `false` would find the opposite.
        if (!isOn(operand)) throw new BadFilter(`${at}.conditions.${operator} must be true`)
      }
      if (state !== undefined) return timed(state, now)
      const compiled = value && compileOperator(value, operator, listed(operand), now, `${at}.conditions.${operator}`)
      if (!compiled) throw new BadFilter(`${at}.conditions.${operator} is not an operator of this field`)
      return compiled
    }),
  )
}

/** Binds the current instant wherever a state condition refers to it. */
function timed(sql: string, now: string): Condition {
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
  const any = (compare: (operand: string) => Condition) => joinedConditions(operands.map(compare), 'OR')
  const none = (compare: (operand: string) => Condition): Condition => {
    const { sql, values } = any(compare)
    return { sql: `(${sql}) IS NOT 1`, values }
  }
  const equal = (operand: string) => one(`${text} = ?`, typed(field, operand, at))
  const ago = (days: string) => shifted(now, -whole(days, at))
  const ahead = (days: string) => shifted(now, whole(days, at))
  const dayOf = (instant: string) => instant.slice(0, 10)

  switch (operator) {
    case '$is':
    case '$in':
      return any(equal)
    case '$is_not':
    case '$not_in':
      return none(equal)
    case '$has_value':
      return one(`${field.sql} IS NOT NULL`)
    case '$is_unknown':
      return one(`${field.sql} IS NULL`)
  }
  if (field.kind === 'text' || field.kind === 'any') {
    const contains = (operand: string) => one(`instr(${text}, ?) > 0`, operand)
    if (operator === '$contains') return any(contains)
    if (operator === '$not_contain') return none(contains)
    if (operator === '$starts_with') return any((operand) => one(`substr(${text}, 1, length(?)) = ?`, operand, operand))
    // Every text ends with the empty text, but substr(x, -0) does not return the empty text.
    if (operator === '$ends_with')
      return any((operand) =>
        operand === '' ? one(`${text} IS NOT NULL`) : one(`substr(${text}, -length(?)) = ?`, operand, operand),
      )
  }
  if (field.kind === 'date') {
    if (operator === '$after') return any((operand) => one(`${field.sql} > ?`, instant(operand, at)))
    if (operator === '$before') return any((operand) => one(`${field.sql} < ?`, instant(operand, at)))
    if (operator === '$more_than' || operator === '$more_than_ago')
      return any((operand) => one(`${field.sql} < ?`, ago(operand)))
    // ASSUMED A130: "less than 3 days ago" is between then and now, so it does not match the future.
    if (operator === '$less_than' || operator === '$less_than_ago') {
      const between = `${field.sql} BETWEEN ? AND ?`
      return any((operand) => one(between, ago(operand), now))
    }
    if (operator === '$more_than_future') return any((operand) => one(`${field.sql} > ?`, ahead(operand)))
    if (operator === '$less_than_future')
      return any((operand) => one(`${field.sql} BETWEEN ? AND ?`, now, ahead(operand)))
    if (operator === '$is_days_ago')
      return any((operand) => one(`substr(${field.sql}, 1, 10) = ?`, dayOf(ago(operand))))
    if (operator === '$is_days_in_future')
      return any((operand) => one(`substr(${field.sql}, 1, 10) = ?`, dayOf(ahead(operand))))
  }
  if (field.kind === 'number' || field.kind === 'any') {
    // SQLite puts every text after every number, and reads 0 from one that is cast.
    const number =
      field.kind === 'any'
        ? `(SELECT value FROM (SELECT ${field.sql} AS value) WHERE typeof(value) <> 'text')`
        : field.sql
    const signs: Record<string, string> = {
      $more_than: '>',
      $less_than: '<',
      $more_than_equal: '>=',
      $less_than_equal: '<=',
    }
    const sign = Object.hasOwn(signs, operator) ? signs[operator] : undefined
    if (sign) return any((operand) => one(`${number} ${sign} ?`, numeric(operand, at)))
  }
  return undefined
}

const switchedOn: readonly unknown[] = [null, undefined, true, '', '{}', 'true']

/** The empty object and `true` switch a state on, an empty text the other operators; in a query both are texts. */
function isOn(operand: unknown): boolean {
  if (Array.isArray(operand)) return operand.every(isOn)
  if (isRecord(operand)) return Object.keys(operand).length === 0
  return switchedOn.includes(operand)
}

function listed(operand: unknown): string[] {
  const operands = Array.isArray(operand) ? operand : [operand]
  return operands.map((item) => (item === null || item === undefined ? '' : String(item)))
}

function typed(field: Comparable, operand: string, at: string): string | number {
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

function shifted(now: string, days: number): string {
  return new Date(Date.parse(now) + days * dayMs).toISOString()
}

// Restrictions of a listing, as SQL. Names come from declarations, values are always bound.
import { columnsOf, type Declaration, type FieldKind } from './collection.ts'
import type { Bound } from './database.ts'
import { jsonField, quotedName } from './schema.ts'

/** One restriction of a listing. */
export interface Condition {
  sql: string
  values: Bound[]
  /** What a plain comparison compares, for those who know the result without reading. */
  equals?: { field: string; value: Bound }
  /** The indexed field whose values find the objects, where they do. */
  seeks?: string
}

/** A value of the stored document that conditions can compare. */
export interface Comparable extends Condition {
  kind: FieldKind | 'any'
}

/** Returns how to read a field: `id`, a column, a declared path, or `metadata.<key>`; undefined for an unknown field. */
export function comparable(declared: Declaration, field: string): Comparable | undefined {
  if (field === 'id') return { sql: 'id', values: [], kind: 'text' }
  const columns = columnsOf(declared)
  const kind = Object.hasOwn(columns, field) ? columns[field] : undefined
  const isSought = field === declared.key || Object.hasOwn(declared.indexed ?? {}, field)
  if (kind) return { sql: quotedName(field), values: [], kind, ...(isSought && { seeks: field }) }
  const path = declared.filterable && Object.hasOwn(declared.filterable, field) ? declared.filterable[field] : undefined
  if (path) return { sql: `(${jsonField(field)})`, values: [], kind: path }
  const computed = declared.computed && Object.hasOwn(declared.computed, field) ? declared.computed[field] : undefined
  if (computed) return { ...computed, values: [] }
  // ASSUMED A132: metadata can be filtered in every collection by the text of a value, numbers also by comparison.
  const key = /^metadata\.(.+)$/s.exec(field)?.[1]
  if (key === undefined) return undefined
  // json_each compares the key as a value; in a JSON path it would be parsed as syntax.
  const sql = `(SELECT CASE type WHEN 'true' THEN 'true' WHEN 'false' THEN 'false' ELSE atom END FROM json_each(doc, '$.metadata') WHERE key = ?)`
  return { sql, values: [key], kind: 'any' }
}

/** Restricts a listing to objects whose `field` is `value`; null matches objects without one. */
export function is(declared: Declaration, field: string, value: Bound): Condition {
  const { sql, values, seeks } = requireField(declared, field)
  // Nearly all objects may be without a value.
  const sought = value !== null && seeks !== undefined
  return { sql: `${sql} IS ?`, values: [...values, value], equals: { field, value }, ...(sought && { seeks }) }
}

/**
 * Restricts a listing as `is` does, without the index of the field: where that of another condition has fewer matches,
 * or where a scan in another order would sort all matches again for every slice.
 */
export function isWithoutIndex(declared: Declaration, field: string, value: Bound): Condition {
  const { sql, values } = requireField(declared, field)
  return { sql: `+${sql} IS ?`, values: [...values, value] }
}

/** Restricts a listing to objects whose `field` is one of `wanted`; an empty array matches nothing. */
export function isIn(declared: Declaration, field: string, wanted: readonly (string | number)[]): Condition {
  const { sql, values, seeks } = requireField(declared, field)
  return {
    sql: `${sql} IN (SELECT value FROM json_each(?))`,
    values: [...values, JSON.stringify(wanted)],
    ...(seeks !== undefined && { seeks }),
  }
}

/** Restricts a listing to objects whose date `field` is strictly after or before an instant (ISO 8601 UTC, milliseconds). */
export function isBeforeOrAfter(
  declared: Declaration,
  field: string,
  where: 'after' | 'before',
  instant: string,
): Condition {
  const { sql, values } = requireField(declared, field)
  return { sql: `${sql} ${where === 'after' ? '>' : '<'} ?`, values: [...values, instant] }
}

/** Restricts a listing to objects that have each of these values; an undefined one is no restriction. */
export function areAll(declared: Declaration, values: Readonly<Record<string, Bound | undefined>>): Condition[] {
  return Object.entries(values).flatMap(([field, value]) => (value === undefined ? [] : [is(declared, field, value)]))
}

/** Restricts a listing to objects whose date `field` is between two instants, both included; an absent one is no limit. */
export function isBetween(declared: Declaration, field: string, first?: string, last?: string): Condition {
  const { sql, values } = requireField(declared, field)
  const from: Condition[] = first === undefined ? [] : [{ sql: `${sql} >= ?`, values: [...values, first] }]
  const to: Condition[] = last === undefined ? [] : [{ sql: `${sql} <= ?`, values: [...values, last] }]
  return joinedConditions([...from, ...to])
}

/** Joins conditions; without conditions everything matches. */
export function joinedConditions(conditions: readonly Condition[], junction: 'AND' | 'OR' = 'AND'): Condition {
  const [first, ...others] = conditions
  if (first === undefined) return { sql: '1', values: [] }
  if (others.length === 0) return first
  const seeks = junction === 'AND' ? conditions.find((condition) => condition.seeks !== undefined)?.seeks : undefined
  return {
    sql: `(${conditions.map((condition) => condition.sql).join(` ${junction} `)})`,
    values: conditions.flatMap((condition) => condition.values),
    ...(seeks !== undefined && { seeks }),
  }
}

function requireField(declared: Declaration, field: string): Comparable {
  const found = comparable(declared, field)
  if (!found) throw new Error(`collection ${declared.name} declares no field ${field}`)
  return found
}

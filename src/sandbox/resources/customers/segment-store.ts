// Segments: customers listed explicitly, or found by a filter.
import { collection, columnsOf, type Stored } from '../../storage/collection.ts'
import { type Condition, isIn } from '../../storage/conditions.ts'
import { compileFilters } from '../../storage/filters.ts'
import type { Store } from '../../storage/store.ts'
import { customers } from './store.ts'

export interface StoredSegment extends Stored {
  name: string
  type: 'static' | 'auto-update' | 'passive'
  /** Ids of the customers of a static segment, each once. */
  customers?: string[]
  /** What the customers of the other types have in common, in the form of a listing's filters; null for a static one. */
  filter: Record<string, unknown> | null
  updated_at: string | null
  object: 'segment'
}

/** Segments, by id. */
export const segments = collection<StoredSegment>({
  name: 'segments',
  prefix: 'seg_',
  type: 'segment',
})

/** Restricts customers to those of a segment. Throws BadFilter for a filter that is not computed. */
export function membersOf({ filter, customers: listed = [] }: StoredSegment, now: string): Condition {
  if (filter) return compileFilters(customers, filter, now)
  return isIn(customers, 'id', listed)
}

/** Returns whether a customer meets a condition as given, stored or not: exactly as one stored like that would. */
export function meets({ db }: Pick<Store, 'db'>, customer: Readonly<Record<string, unknown>>, condition: Condition) {
  const columns = ['id', ...Object.keys(columnsOf(customers))]
  const doc = JSON.stringify(customer)
  const row = `SELECT doc, ${columns.map((name) => `doc ->> '$.${name}' AS "${name}"`).join(', ')} FROM (SELECT ? AS doc)`
  return db.get(`SELECT 1 AS met FROM (${row}) WHERE ${condition.sql}`, doc, ...condition.values) !== undefined
}

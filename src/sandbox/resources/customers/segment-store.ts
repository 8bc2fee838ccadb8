// Segments: customers listed explicitly, or found by a filter.
import { collection, type Stored } from '../../storage/collection.ts'
import { type Condition, isIn } from '../../storage/conditions.ts'
import { compileFilters } from '../../storage/filters.ts'
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

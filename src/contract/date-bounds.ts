// How a listing is restricted by a date; each list has its own form. Source: docs/service/lists.md#filters.
import type { DateBounds, DateField } from './endpoint.ts'

/** Instants in Unix milliseconds between which a date lies, both excluded. */
export interface Between {
  afterMs?: number | undefined
  beforeMs?: number | undefined
}

type Query = Readonly<Record<string, unknown>>

/**
 * Restricts a query to rows whose date lies between two instants, in addition to the bounds that it already has.
 *
 * Only what is given changes: a side without a bound stays as it is. `start_date` and `end_date` include their instants.
 */
export function withBounds(query: Query, form: DateBounds, field: DateField, { afterMs, beforeMs }: Between): Query {
  const ends = endsOf[form](field)
  let bounded = query
  if (afterMs !== undefined) {
    const ownMs = instantAt(query, ends.after)
    bounded = withValue(bounded, ends.after, isoOf(Math.max(afterMs, ownMs ?? afterMs)))
  }
  if (beforeMs !== undefined) {
    const ownMs = instantAt(query, ends.before)
    bounded = withValue(bounded, ends.before, isoOf(Math.min(beforeMs, ownMs ?? beforeMs)))
  }
  return bounded
}

/** Says whether a query leaves out the rows whose date lies before some instant. */
export function isBoundedBelow(query: Query, form: DateBounds, field: DateField): boolean {
  return instantAt(query, endsOf[form](field).after) !== undefined
}

const endsOf: Record<DateBounds, (field: DateField) => { after: readonly string[]; before: readonly string[] }> = {
  period: (field) => ({ after: [field, 'after'], before: [field, 'before'] }),
  filters: (field) => ({
    after: ['filters', field, 'conditions', '$after'],
    before: ['filters', field, 'conditions', '$before'],
  }),
  dates: () => ({ after: ['start_date'], before: ['end_date'] }),
}

function instantAt(query: unknown, path: readonly string[]): number | undefined {
  const value = path.reduce((at, name) => (at as Query | undefined)?.[name], query)
  return typeof value === 'string' ? Date.parse(value) : undefined
}

function withValue(query: Query, [name = '', ...rest]: readonly string[], value: string): Query {
  const inner = rest.length === 0 ? value : withValue((query[name] ?? {}) as Query, rest, value)
  return { ...query, [name]: inner }
}

function isoOf(ms: number): string {
  return new Date(ms).toISOString()
}

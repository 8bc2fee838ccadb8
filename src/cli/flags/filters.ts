// Filters from the command line: `field=value`, or `field:$operator=value`.
// Source: docs/service/lists.md#filter-operators.
import { usageError } from '../../errors.ts'
import { type Clock, periodFrom } from './time.ts'

const listOperators = ['$in', '$not_in']

/**
 * Builds the `filters` of a query from texts such as `promotion_id=promo_1,promo_2` and `metadata.channel:$is_not=web`.
 *
 * Without an operator a field must be one of the values. All filters must match. Throws `usage`.
 */
export function filtersFrom(texts: readonly string[]): Record<string, unknown> {
  const filters: Record<string, Record<string, unknown>> = {}
  for (const text of texts) {
    const [, field, operator = '$in', value] = /^([^=:]+)(?::(\$[a-z_]+))?=(.+)$/s.exec(text) ?? []
    if (field === undefined || value === undefined) {
      throw usageError(`--filter "${text}" does not have the form field=value`, '--filter promotion_id=promo_1')
    }
    const conditions = (filters[field] ?? { conditions: {} }) as { conditions: Record<string, unknown> }
    conditions.conditions[operator] = listOperators.includes(operator) ? value.split(',') : value
    filters[field] = conditions
  }
  return { ...filters, ...(Object.keys(filters).length > 1 && { junction: 'and' }) }
}

/** Flags that choose what the service filters: its own filters, and a period of `created_at`. */
export interface FilterFlags {
  filter?: string[] | undefined
  since?: string | undefined
  until?: string | undefined
}

/**
 * Builds the `filters` of an export from --filter, --since and --until; undefined without any of them. Throws `usage`.
 * Source: docs/service/exports.md#export-card-transactions.
 */
export function exportFilters(
  { filter = [], since, until }: FilterFlags,
  clock: Clock,
): Record<string, unknown> | undefined {
  const { after, before } = periodFrom({ from: since, until }, clock) ?? {}
  const ends = { ...(after !== undefined && { $after: after }), ...(before !== undefined && { $before: before }) }
  const hasPeriod = Object.keys(ends).length > 0
  if (hasPeriod && filter.some((text) => /^created_at[:=]/.test(text))) {
    throw usageError('--filter created_at and --since or --until say the same twice', 'use one of them')
  }
  const filters = bodyFilters({ ...filtersFrom(filter), ...(hasPeriod && { created_at: { conditions: ends } }) })
  return Object.keys(filters).length === 0 ? undefined : filters
}

/** Returns filters as a body takes them: every operand is a list, and several filters must all match. */
export function bodyFilters({ junction: _, ...filters }: Record<string, unknown>): Record<string, unknown> {
  const listed = Object.entries(filters).map(([field, filter]) => {
    const { conditions } = filter as { conditions: Record<string, unknown> }
    const lists = Object.entries(conditions).map(([operator, operand]) => [operator, [operand].flat()])
    return [field, { conditions: Object.fromEntries(lists) }]
  })
  return { ...Object.fromEntries(listed), ...(listed.length > 1 && { junction: 'and' }) }
}

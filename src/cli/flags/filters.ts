// Filters from the command line: `field=value`, or `field:$operator=value`.
// Source: docs/service/lists.md#filter-operators.
import { usageError } from '../../errors.ts'

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

// How listings of products and SKUs are restricted and ordered. Source: docs/service/products.md#list-skus.
import type { z } from 'zod'
import type { catalogueListing } from '../../../contract/skus.ts'
import type { Context } from '../../http/route.ts'
import type { Collection, Stored } from '../../storage/collection.ts'
import { type Condition, isBetween } from '../../storage/conditions.ts'
import { compileFilters } from '../../storage/filters.ts'
import type { Page } from '../../storage/table.ts'

type Query = z.output<typeof catalogueListing>

/** Lists products or SKUs, by default oldest first. `nameField` is the field of the order `code`. Throws BadFilter. */
export function cataloguePage<Doc extends Stored>(
  declared: Collection<Doc>,
  nameField: string,
  query: Query,
  where: readonly Condition[],
  context: Pick<Context, 'in' | 'now'>,
): Page<Doc> {
  const { limit = 10, page = 1, order = 'created_at', start_date, end_date, filters } = query
  const conditions = [
    ...where,
    // ASSUMED A163: start_date and end_date bound created_at, both included; a bare date is its first instant in UTC.
    isBetween(declared, 'created_at', instantOf(start_date), instantOf(end_date)),
    ...(filters ? [compileFilters(declared, filters, context.now)] : []),
  ]
  return context.in(declared).page(conditions, orderOf(order, nameField), limit, page)
}

// ASSUMED A164: `code` orders by name; type, campaign and category have no meaning here and order by created_at.
function orderOf(order: NonNullable<Query['order']>, nameField: string): string {
  const sign = order.startsWith('-') ? '-' : ''
  const field = order.slice(sign.length)
  if (field === 'code') return sign + nameField
  return sign + (field === 'updated_at' ? field : 'created_at')
}

function instantOf(given: string | undefined): string | undefined {
  return given === undefined ? undefined : new Date(given).toISOString()
}

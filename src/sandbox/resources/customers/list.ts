// Listings of customers: by page, or starting after an instant. Source: docs/service/customers.md#list.
import type { z } from 'zod'
import type { listCustomers } from '../../../contract/customers.ts'
import { invalidQuery } from '../../http/refusal.ts'
import type { Context } from '../../http/route.ts'
import { type Condition, inPeriods, is, isBeforeOrAfter, isIn } from '../../storage/conditions.ts'
import { membersOf, segments } from './segment-store.ts'
import { customers } from './store.ts'

type Query = z.output<NonNullable<(typeof listCustomers)['query']>>

/** Lists customers; `total` counts all matches, wherever the listing starts. Throws 400 for a cursor that cannot be used. */
export function customerPage(query: Query, context: Context) {
  // ASSUMED A170: customers are listed newest first.
  const { limit = 10, page = 1, order = '-created_at', starting_after } = query
  const table = context.in(customers)
  const where = restrictionsOf(query, context)
  if (starting_after === undefined) {
    const { items, total } = table.page(where, order, limit, page)
    return { items, total, has_more: page * limit < total }
  }
  // ASSUMED A171: starting_after follows the order, which must be by created_at, and cannot be combined with a page number.
  if (query.page !== undefined) throw invalidQuery('Property .starting_after cannot be combined with property .page')
  if (order !== 'created_at' && order !== '-created_at')
    throw invalidQuery('Property .starting_after requires an order by created_at')
  const side = order === 'created_at' ? 'after' : 'before'
  const beyond = isBeforeOrAfter(customers, 'created_at', side, new Date(starting_after).toISOString())
  const { items, total } = table.page([...where, beyond], order, limit, 1)
  return { items, total: table.count(where), has_more: total > items.length }
}

function restrictionsOf(query: Query, context: Context): Condition[] {
  const conditions: Condition[] = []
  // ASSUMED A172: email, name and city must be equal; an unknown segment has no customers.
  if (query.email !== undefined) conditions.push(is(customers, 'email', query.email))
  if (query.name !== undefined) conditions.push(is(customers, 'name', query.name))
  if (query.city !== undefined) conditions.push(is(customers, 'address.city', query.city))
  if (query.segment_id !== undefined) {
    const segment = context.in(segments).get(query.segment_id)
    conditions.push(segment ? membersOf(segment, context.now) : isIn(customers, 'id', []))
  }
  return [...conditions, ...inPeriods(customers, query)]
}

// Conditions for a listing of vouchers. Source: docs/service/vouchers.md#list.
import type { z } from 'zod'
import type { listVouchers } from '../../../contract/voucher-lists.ts'
import type { Context } from '../../http/route.ts'
import { type Condition, inPeriods, is, isIn, joinedConditions } from '../../storage/conditions.ts'
import { compileFilters } from '../../storage/filters.ts'
import { campaigns } from '../campaigns/store.ts'
import { customers } from '../customers/store.ts'
import { voucherAnswers } from './answer.ts'
import { vouchers } from './store.ts'

type Query = z.output<NonNullable<(typeof listVouchers)['query']>>

/** Returns the answer to a listing. Throws BadFilter. */
export function voucherPage(query: Query, context: Context) {
  const { order = '-created_at', limit = 10, page = 1 } = query
  const { items, total } = context.in(vouchers).page(voucherConditions(query, context), order, limit, page)
  return { object: 'list', data_ref: 'vouchers', vouchers: voucherAnswers(items, context), total }
}

/** Converts the query of a listing into conditions, all of which must hold. Throws BadFilter. */
function voucherConditions(query: Query, context: Context): Condition[] {
  const conditions: Condition[] = []
  const named = query.campaign_id ?? query.campaign
  // ASSUMED A119: an unknown campaign, customer or code returns an empty list, not a 404.
  if (named !== undefined) conditions.push(is(vouchers, 'campaign_id', context.in(campaigns).find(named)?.id ?? named))
  if (query.category !== undefined)
    conditions.push(
      joinedConditions([is(vouchers, 'category', query.category), is(vouchers, 'category_id', query.category)], 'OR'),
    )
  if (query.customer !== undefined)
    conditions.push(is(vouchers, 'holder_id', context.in(customers).find(query.customer)?.id ?? query.customer))
  if (query.code !== undefined) conditions.push(is(vouchers, 'code', query.code))
  if (query.ids !== undefined) conditions.push(isIn(vouchers, 'id', query.ids))
  conditions.push(...inPeriods(vouchers, query))
  if (query.filters) conditions.push(compileFilters(vouchers, query.filters, context.now))
  return conditions
}

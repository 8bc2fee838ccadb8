// Conditions for a listing of vouchers. Source: docs/service/vouchers.md#list.
import type { listVouchers } from '../../../contract/voucher-lists.ts'
import { voucherAnswers } from '../../answers/vouchers.ts'
import type { Context, QueryOf } from '../../http/route.ts'
import { areAll, type Condition, is, isIn, joinedConditions } from '../../storage/conditions.ts'
import { restrictionsOf } from '../../storage/filters.ts'
import { campaigns } from '../../stores/campaigns.ts'
import { customers } from '../../stores/customers.ts'
import { vouchers } from '../../stores/vouchers.ts'

type Query = QueryOf<typeof listVouchers>

/** Returns the answer to a listing. Throws BadFilter. */
export function voucherPage(query: Query, context: Context) {
  const { order = '-created_at', limit = 10, page = 1 } = query
  const { items, total } = context.in(vouchers).page(voucherConditions(query, context), order, limit, page)
  return { object: 'list', data_ref: 'vouchers', vouchers: voucherAnswers(items, context), total }
}

/** Converts the query of a listing into conditions, all of which must hold. Throws BadFilter. */
function voucherConditions(query: Query, context: Context): Condition[] {
  const { campaign, campaign_id: named = campaign, category, customer, code, ids } = query
  const conditions = areAll(vouchers, {
    // ASSUMED A119: an unknown campaign, customer or code returns an empty list, not a 404.
    campaign_id: named && (context.in(campaigns).find(named)?.id ?? named),
    holder_id: customer && (context.in(customers).find(customer)?.id ?? customer),
    code,
  })
  if (category !== undefined)
    conditions.push(joinedConditions([is(vouchers, 'category', category), is(vouchers, 'category_id', category)], 'OR'))
  if (ids !== undefined) conditions.push(isIn(vouchers, 'id', ids))
  return [...conditions, ...restrictionsOf(vouchers, query, context.now)]
}

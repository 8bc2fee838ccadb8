// Conditions for a listing of redemptions, and the redemptions of one voucher.
// Source: docs/service/redemptions.md#list.
import type { z } from 'zod'
import { byText } from '../../../base/list.ts'
import type { listRedemptions } from '../../../contract/redemptions.ts'
import type { Context } from '../../http/route.ts'
import { type Condition, inPeriods, is } from '../../storage/conditions.ts'
import { compileFilters } from '../../storage/filters.ts'
import { campaigns } from '../campaigns/store.ts'
import { findCustomer } from '../customers/upsert.ts'
import type { StoredVoucher } from '../vouchers/store.ts'
import { redemptionAnswers } from './answer.ts'
import { redemptions } from './store.ts'

type Query = z.output<NonNullable<(typeof listRedemptions)['query']>>

/** Converts the query of a listing into conditions, all of which must hold. Throws BadFilter. */
export function redemptionConditions(query: Query, context: Context): Condition[] {
  const conditions: Condition[] = []
  // ASSUMED A292: `result` is SUCCESS or FAILURE; any other value, unknown campaign or unknown customer lists nothing.
  if (query.result !== undefined) conditions.push(is(redemptions, 'result', query.result))
  if (query.campaign !== undefined)
    conditions.push(is(redemptions, 'campaign_id', context.in(campaigns).find(query.campaign)?.id ?? query.campaign))
  if (query.customer !== undefined)
    conditions.push(is(redemptions, 'customer_id', findCustomer(query.customer, context)?.id ?? query.customer))
  conditions.push(...inPeriods(redemptions, query))
  if (query.filters) conditions.push(compileFilters(redemptions, query.filters, context.now))
  return conditions
}

/** Shows how often a voucher was redeemed, and all of its redemptions, rollbacks and failed attempts, oldest first. */
export function voucherRedemptions({ id, code, redemption }: StoredVoucher, context: Context) {
  const entries = context
    .in(redemptions)
    .all([is(redemptions, 'related_object_id', id)])
    .toSorted((a, b) => byText(a.created_at, b.created_at))
  return {
    ...redemption,
    object: 'list',
    url: `/v1/vouchers/${encodeURIComponent(code)}/redemptions?page=1&limit=10`,
    data_ref: 'redemption_entries',
    // ASSUMED A293: all of them at once, oldest first; the call is not paged.
    redemption_entries: redemptionAnswers(entries, context),
    total: entries.length,
  }
}

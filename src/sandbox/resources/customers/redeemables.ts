// What a customer holds: the codes that were published to them. Source: docs/service/customers.md#redeemables.
import type { z } from 'zod'
import type { listCustomerRedeemables } from '../../../contract/customers.ts'
import type { Context } from '../../http/route.ts'
import { inheritedLimits } from '../../rules/eligibility/usability.ts'
import { validityState } from '../../rules/eligibility/validity.ts'
import { is } from '../../storage/conditions.ts'
import { BadFilter, compileFilters } from '../../storage/filters.ts'
import { campaigns, type StoredCampaign } from '../campaigns/store.ts'
import { voucherAnswers } from '../vouchers/answer.ts'
import { type StoredVoucher, vouchers } from '../vouchers/store.ts'
import type { StoredCustomer } from './store.ts'

type Query = z.output<NonNullable<(typeof listCustomerRedeemables)['query']>>

/** Walks the vouchers a customer holds, newest first unless requested otherwise. Throws BadFilter. */
export function customerRedeemables(customer: StoredCustomer, query: Query, context: Context) {
  const { order = '-id', limit = 10, starting_after_id, filters } = query
  const where = [is(vouchers, 'holder_id', customer.id)]
  if (filters) where.push(compileFilters(vouchers, inVoucherWords(filters), context.now))
  const page = context.in(vouchers).cursor(where, order, limit, starting_after_id)
  const shown = voucherAnswers(page.items, context)
  const data = page.items.map((voucher, index) => {
    const campaign = voucher.campaign_id === null ? undefined : context.in(campaigns).get(voucher.campaign_id)
    return {
      ...holding(voucher, customer.id, campaign),
      redeemable: { type: 'voucher', voucher: shown[index], status: statusOf(voucher, campaign, context) },
    }
  })
  return {
    object: 'list',
    data_ref: 'data',
    data,
    total: context.in(vouchers).count(where),
    has_more: page.has_more,
    ...(page.more_starting_after !== undefined && { more_starting_after: page.more_starting_after }),
  }
}

// ASSUMED A176: a holding has no id of its own here, so the entry has the id of the voucher.
function holding(voucher: StoredVoucher, customerId: string, campaign: StoredCampaign | undefined) {
  return {
    id: voucher.id,
    created_at: voucher.created_at,
    redeemable_id: voucher.id,
    redeemable_object: 'voucher',
    customer_id: customerId,
    holder_role: voucher.is_referral_code ? 'REFERRER' : 'OWNER',
    campaign_id: voucher.campaign_id,
    campaign_type: campaign?.campaign_type ?? null,
    voucher_type: voucher.type,
  }
}

/**
 * Says whether a code can be used now, in the words that clients of the service know.
 *
 * ASSUMED A1266: switched off comes before the dates, those before the uses, and those before the balance; days and hours
 * of the week do not count.
 */
function statusOf(voucher: StoredVoucher, campaign: StoredCampaign | undefined, { now, project }: Context): string {
  if (!voucher.active || campaign?.active === false) return 'DISABLED'
  const state = validityState(inheritedLimits(voucher, campaign), now, project.timezone)
  if (state === 'expired') return 'EXPIRED'
  if (state === 'not_started') return 'NOT_ACTIVE_YET'
  const { quantity, redeemed_quantity } = voucher.redemption
  if (quantity !== null && redeemed_quantity >= quantity) return 'USED'
  return (voucher.gift ?? voucher.loyalty_card)?.balance === 0 ? 'NO_BALANCE' : 'ACTIVE'
}

const voucherWords: Record<string, string> = {
  junction: 'junction',
  id: 'id',
  redeemable_id: 'id',
  created_at: 'created_at',
  campaign_id: 'campaign_id',
  voucher_type: 'type',
}

function inVoucherWords(filters: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(filters).map(([field, filter]) => {
      const word = Object.hasOwn(voucherWords, field) ? voucherWords[field] : undefined
      if (word === undefined)
        throw new BadFilter(
          `Property .filters.${field} is not a field that redeemables can be filtered by: ${Object.keys(voucherWords).slice(1).join(', ')}`,
        )
      return [word, filter]
    }),
  )
}

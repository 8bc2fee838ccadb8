// What a customer holds: the codes that were published to them. Source: docs/service/customers.md#redeemables.

import { voucherAnswers } from '../../answers/vouchers.ts'
import { type Context, type CursorQuery, cursorAnswer } from '../../http/route.ts'
import { inheritedLimits } from '../../rules/eligibility/usability.ts'
import { validityState } from '../../rules/eligibility/validity.ts'
import { is } from '../../storage/conditions.ts'
import { BadFilter } from '../../storage/filters.ts'
import { campaigns, type StoredCampaign } from '../../stores/campaigns.ts'
import type { StoredCustomer } from '../../stores/customers.ts'
import { type StoredVoucher, vouchers } from '../../stores/vouchers.ts'

/** Walks the vouchers a customer holds, newest first unless requested otherwise. Throws BadFilter. */
export function customerRedeemables(customer: StoredCustomer, query: CursorQuery, context: Context) {
  const filters = query.filters && inVoucherWords(query.filters)
  return cursorAnswer(vouchers, { ...query, filters }, context, {
    where: [is(vouchers, 'holder_id', customer.id)],
    show: (items) => {
      const shown = voucherAnswers(items, context)
      return items.map((voucher, index) => {
        const campaign = voucher.campaign_id === null ? undefined : context.in(campaigns).get(voucher.campaign_id)
        return {
          ...holding(voucher, customer.id, campaign),
          redeemable: { type: 'voucher', voucher: shown[index], status: statusOf(voucher, campaign, context) },
        }
      })
    },
  })
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

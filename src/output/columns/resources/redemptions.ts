// The columns of redemptions and of a card's balance after a change.
// Source: docs/service/redemptions.md#redemption-object; docs/service/loyalty.md#change-points; docs/service/vouchers.md#balance.
import { redemptionOrRollback } from '../../../contract/answers/evaluations.ts'
import { balance } from '../../../contract/answers/vouchers.ts'
import { columnsOf } from '../../columns-of.ts'

/** A redemption, a rollback or a failed attempt. Amounts are in the smallest currency unit, or points; of a rollback negative. */
export const redemptionColumns = columnsOf(redemptionOrRollback, {
  first: {
    // What support looks for is first and stays on a narrow terminal; the time, the id and the rest make room for it.
    'voucher.code': 'code',
    'promotion_tier.name': 'promotion',
    'customer.source_id': 'customer',
    amount: 'paid',
    'order.total_discount_amount': 'discounted',
    'order.total_amount': 'to_pay',
    status: true,
    failure_code: 'failure',
    created_at: true,
    id: true,
    // An id too, but under another name: as text it may be left out.
    redemption: 'part_of',
    object: false,
  },
  inside: [
    'voucher.campaign',
    'reward.id',
    'reward.name',
    'order.id',
    'order.source_id',
    'order.amount',
    'order.total_applied_discount_amount',
    'customer.name',
    'customer.email',
  ],
  kinds: { status: 'identifier', failure_code: 'state', result: 'identifier', tracking_id: 'identifier' },
})

/** What a card holds after a change of its balance: points, or `amount` in the smallest currency unit. */
export const balanceColumns = columnsOf(balance, {
  first: { type: true, points: true, amount: true, balance: true, total: true, 'related_object.id': 'card_id' },
})

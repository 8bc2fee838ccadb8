// The columns of redemptions and of a card's balance after a change.
// Source: docs/service/redemptions.md#redemption-object; docs/service/loyalty.md#change-points; docs/service/vouchers.md#balance.
import { redemptionOrRollback } from '../../../contract/answers/evaluations.ts'
import { balance } from '../../../contract/answers/vouchers.ts'
import { columnsOf } from '../../columns-of.ts'

/**
 * A redemption, a rollback or a failed attempt; `outcome`, `kind` and `taken` are composed by promo for a table and CSV. Amounts are in
 * the smallest currency unit, or points; of a rollback negative.
 */
export const redemptionColumns = columnsOf(redemptionOrRollback, {
  first: {
    created_at: true,
    'voucher.code': 'code',
    'promotion_tier.name': 'promotion',
    'customer.source_id': 'customer',
    outcome: true,
    kind: false,
    taken: false,
    'order.total_amount': 'to_pay',
    failure_code: false,
    'order.source_id': 'order',
    id: true,
    redemption: 'part_of',
    object: false,
    status: false,
    amount: false,
    'order.total_discount_amount': false,
  },
  told: ['outcome'],
  stays: ['created_at', 'voucher.code', 'outcome', 'id'],
  inside: [
    'voucher.campaign',
    'reward.id',
    'reward.name',
    'order.id',
    'order.amount',
    'order.total_applied_discount_amount',
    'customer.name',
    'customer.email',
  ],
  kinds: {
    outcome: 'state',
    kind: 'state',
    taken: 'state',
    status: 'identifier',
    failure_code: 'state',
    result: 'identifier',
    tracking_id: 'identifier',
  },
})

/** What a card holds after a change of its balance: points, or `amount` in the smallest currency unit. */
export const balanceColumns = columnsOf(balance, {
  first: { type: true, points: true, amount: true, balance: true, total: true, 'related_object.id': 'card_id' },
})

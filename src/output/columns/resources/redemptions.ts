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
  first: `
    created_at! voucher.code=code! promotion_tier.name=promotion* customer.source_id=customer* outcome:state!?
    kind:state taken:state order.total_amount=to_pay! failure_code:state order.source_id=order! id!
    redemption=part_of* object status:identifier amount order.total_discount_amount
  `,
  inside: `
    voucher.campaign reward.id reward.name order.id order.amount order.total_applied_discount_amount customer.name
    customer.email result:identifier tracking_id:identifier
  `,
})

/** What a card holds after a change of its balance: points, or `amount` in the smallest currency unit. */
export const balanceColumns = columnsOf(balance, {
  first: 'type* points* amount* balance* total* related_object.id=card_id*',
})

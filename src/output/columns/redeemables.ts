// The columns of a validation: one row per redeemable. Source: docs/service/validations.md#redeemable-results.
import { redeemable } from '../../contract/answers/evaluations.ts'
import { columnsOf } from '../columns-of.ts'

/** The result of each redeemable. Amounts are those of this redeemable alone; `why` is composed by promo. */
export const redeemableColumns = columnsOf(redeemable, {
  isPicked: true,
  first: `
    id* object* status:identifier* order.total_applied_discount_amount=applied* order.total_amount=to_pay* why:reason*
  `,
  inside: `
    result.discount.type result.discount.effect result.discount.percent_off result.discount.amount_off
    result.discount.fixed_amount result.discount.unit_type result.discount.unit_off result.gift.credits
    result.gift.balance result.loyalty_card.points result.error.code result.error.key:identifier
    result.error.message:reason result.error.details result.details.key:identifier result.details.message:reason name
    campaign_name campaign_id
  `,
})

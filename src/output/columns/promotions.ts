// The columns of validated promotions. Source: docs/service/validations.md#promotions-in-answers.
import { validatedPromotion } from '../../contract/answers/evaluations.ts'
import { columnsOf } from '../columns-of.ts'

/** One promotion tier that applies; each is evaluated on its own, so amounts must not be added across rows. */
export const promotionColumns = columnsOf(validatedPromotion, {
  isPicked: true,
  first: `
    id* name! hierarchy* discount.type=type* discount.percent_off=percent_off* discount.amount_off=amount_off*
    discount_amount=discounted! order.total_amount=to_pay!
  `,
  inside: `
    banner discount.effect discount.fixed_amount discount.unit_off discount.unit_type applied_discount_amount
    category_id metadata valid object order.amount order.total_discount_amount campaign.id campaign.start_date
    campaign.expiration_date campaign.active
  `,
})

// The columns of promotion tiers and stacks. Source: docs/service/promotions.md#tier-fields; docs/service/promotions.md#stacks.
import { promotionStack, promotionTier } from '../../../contract/answers/campaigns.ts'
import { columnsOf } from '../../columns-of.ts'

/** A promotion tier as it is stored; amounts are in the smallest currency unit. */
export const tierColumns = columnsOf(promotionTier, {
  first: `
    id* name* campaign.name=campaign* hierarchy* action.discount.type=discount_type*
    action.discount.percent_off=percent_off* action.discount.amount_off=amount_off* active* expiration_date=expires*
  `,
})

/** A promotion stack: tiers that apply together, in this order. */
export const stackColumns = columnsOf(promotionStack, { first: 'id* name* campaign_id* tiers.ids=tiers* created_at*' })

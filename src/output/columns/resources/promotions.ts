// The columns of promotion tiers and stacks. Source: docs/service/promotions.md#tier-fields; docs/service/promotions.md#stacks.
import { promotionStack, promotionTier } from '../../../contract/answers/campaigns.ts'
import { columnsOf } from '../../columns-of.ts'

/** A promotion tier as it is stored; amounts are in the smallest currency unit. */
export const tierColumns = columnsOf(promotionTier, {
  first: {
    id: true,
    name: true,
    'campaign.name': 'campaign',
    hierarchy: true,
    'action.discount.type': 'discount_type',
    'action.discount.percent_off': 'percent_off',
    'action.discount.amount_off': 'amount_off',
    active: true,
    expiration_date: 'expires',
  },
})

/** A promotion stack: tiers that apply together, in this order. */
export const stackColumns = columnsOf(promotionStack, {
  first: { id: true, name: true, campaign_id: true, 'tiers.ids': 'tiers', created_at: true },
})

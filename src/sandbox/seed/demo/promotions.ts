// The demo shop's promotions: two tiers that need no code, a stack of both, and their rule assignments.
import { campaignIds, daysOpen, demoId, ruleIds } from './shop.ts'

const tierIds = { bigOrder: demoId('promo_', 1), readers: demoId('promo_', 2) }

const tier = { campaign_id: campaignIds.terrace, active: true, updated_at: null, object: 'promotion_tier' }

/** Tiers of the terrace season: one for big orders, one for readers of the newsletter. */
export const tiers = [
  {
    ...tier,
    id: tierIds.bigOrder,
    name: 'Ten percent from 40 euros',
    banner: '10 % off from 40 €',
    action: { discount: { type: 'PERCENT', percent_off: 10, effect: 'APPLY_TO_ORDER' } },
    hierarchy: 1,
    metadata: { shelf: 'terrace' },
    created_at: daysOpen(90),
  },
  {
    ...tier,
    id: tierIds.readers,
    name: 'Three euros for readers',
    banner: '3 € off for readers of our newsletter',
    action: { discount: { type: 'AMOUNT', amount_off: 300, effect: 'APPLY_TO_ORDER' } },
    hierarchy: 2,
    metadata: {},
    created_at: daysOpen(91),
  },
]

/** Both tiers, the percentage first. */
export const stacks = [
  {
    id: demoId('stack_', 1),
    name: 'Terrace and newsletter',
    campaign_id: campaignIds.terrace,
    tiers: { ids: [tierIds.bigOrder, tierIds.readers], hierarchy_mode: 'MANUAL' },
    created_at: daysOpen(92),
    updated_at: null,
    object: 'promotion_stack',
  },
]

/** Which rule is assigned to which promotion, and to the leaked mailing. */
export const promotionAssignments = [
  [ruleIds.thirty, campaignIds.spring, 'campaign'],
  [ruleIds.forty, tierIds.bigOrder, 'promotion_tier'],
  [ruleIds.readers, tierIds.readers, 'promotion_tier'],
].map(([rule_id, related_object_id, related_object_type], index) => ({
  id: demoId('asgm_', 2 + index),
  rule_id,
  related_object_id,
  related_object_type,
  created_at: daysOpen(90),
  updated_at: null,
  object: 'validation_rules_assignment',
}))

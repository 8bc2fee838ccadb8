// The complete form of the `data` of every event that the embedded service records, by name. Source: docs/service/webhooks.md#data.
import { z } from 'zod'
import { campaign, promotionStack, promotionTier } from './campaigns.ts'
import { customer, customerSummary, segment } from './customers.ts'
import { publication, redemption, rollback } from './evaluations.ts'
import { count, instant, namedForm, referenceTo, text } from './form.ts'
import {
  earningRule,
  loyaltyTier,
  memberTier,
  pendingBalance,
  pointsBucket,
  reward,
  rewardAssignment,
} from './loyalty.ts'
import { order } from './orders.ts'
import { assignment, validationRule } from './rules.ts'
import { balance, pendingPoints, transaction, transactionCauses, voucher } from './vouchers.ts'

/** The campaign of the thing that an event is about: without its tiers, its rules and the number of its vouchers. */
const relatedCampaign = namedForm(
  'RelatedCampaign',
  campaign.omit({
    access_settings_assignments: true,
    promotion: true,
    validation_rules_assignments: true,
    vouchers_count: true,
  }).shape,
)
const ofCampaign = { campaign: relatedCampaign.optional() }

/** The balance of a card after a change, with all of its members. */
const balanceAfter = balance.required({
  type: true,
  total: true,
  object: true,
  operation_type: true,
  related_object: true,
})

const change = { voucher, ...ofCampaign, balance: balanceAfter, transaction }

const redeemed = {
  customer: customerSummary.nullable(),
  order: order.nullable(),
  ...ofCampaign,
  voucher: voucher.optional(),
  promotion_tier: promotionTier.optional(),
  promotion_stack: promotionStack.optional(),
  holder: customer.optional(),
  created_at: instant,
}
const apart = { voucher: true, promotion_tier: true, customer: true } as const
const redemptionFacts = redemption.omit(apart)
const redemptionEvent = z.object({ ...redeemed, redemption: redemptionFacts })
const rollbackFacts = rollback.omit(apart)
const rollbackEvent = z.object({ ...redeemed, redemption: redemptionFacts, redemption_rollback: rollbackFacts })

const published = { customer, ...ofCampaign, publication, created_at: instant }
const customerEvent = z.object({ customer })
const customEvent = z.object({ id: text, type: text, metadata: z.record(text, z.unknown()).optional() })

const rewarded = {
  customer,
  holder: customer.nullable(),
  campaign: relatedCampaign,
  voucher,
  balance: balanceAfter,
  transaction,
}
const referralReward = z.object({
  related_object_parent: z.looseObject({ id: text }),
  type: text,
  amount: count,
  kind: z.enum(['referee_reward', 'referrer_reward']),
})

const anyTier = z.union([memberTier, loyaltyTier])
const memberEvent = { customer, ...ofCampaign, created_at: instant }
const tierOfMember = z.object({ ...memberEvent, loyalty_tier: anyTier })
const tierChanged = z.object({ ...memberEvent, loyalty_tier_from: memberTier, loyalty_tier_to: memberTier })
const ofHolder = { holder_loyalty_tier: memberTier.optional() }

const pendingEvent = {
  customer: customer.nullable(),
  ...ofCampaign,
  voucher,
  order: order.nullable(),
  pending_points: pendingPoints,
}
const pendingChanged = z.object({ ...pendingEvent, voucher_pending_points_balance: pendingBalance })
const pendingActivated = z.object({ ...pendingEvent, balance: balanceAfter, transaction })

const voucherEvent = z.object({ voucher, ...ofCampaign })
const someVouchers = { campaign, count }
const earningRuleEvent = z.object({ campaign: relatedCampaign, earning_rule: earningRule })
const tierEvent = z.object({ promotion_tier: promotionTier, ...ofCampaign })
const stackEvent = z.object({ promotion_stack: promotionStack, ...ofCampaign })
const offerEvent = z.object({ campaign: relatedCampaign, reward, reward_assignment: rewardAssignment })
const orderEvent = z.object({ order, customer: customer.optional() })
const assignmentEvent = z.object({
  rule: validationRule,
  assignment,
  voucher: voucher.optional(),
  promotion_tier: promotionTier.optional(),
  ...ofCampaign,
})

const at = <Name extends string>(name: Name) => ({ [name]: instant }) as Record<Name, typeof instant>

/** The events of one kind of object that have the same data. */
function each(prefix: string, form: z.ZodType, ...ends: readonly string[]) {
  return Object.fromEntries(ends.map((end) => [`${prefix}.${end}`, form]))
}

/** By name as it is delivered. Events of orders are recorded, and webhooks cannot ask for them. */
export const eventData: Readonly<Record<string, z.ZodType>> = {
  ...each('redemption', redemptionEvent, 'succeeded', 'failed'),
  'redemption.rollback.succeeded': rollbackEvent,
  // What cannot be rolled back may be unknown, or a rollback itself.
  'redemption.rollback.failed': rollbackEvent.extend({
    redemption: z.union([redemptionFacts, rollbackFacts]).nullable(),
  }),
  'publication.succeeded': z.object({ ...published, voucher: voucher.optional() }),
  ...each('customer', customerEvent, 'created', 'updated'),
  // Of a customer who was removed for good only the id is left.
  'customer.deleted': z.object({ customer: z.union([customer, referenceTo('customer')]) }),
  ...each('customer.segment', customerEvent.extend({ segment }), 'entered', 'left'),
  'customer.rewarded': z.union([
    z.object({ ...rewarded, reward: referralReward, redemption }),
    z.object({ ...rewarded, reward: referralReward, event: customEvent }),
  ]),
  'customer.rewarded.loyalty_points': z.union([
    z.object({ ...rewarded, earning_rule: earningRule, loyalty_tier: anyTier.nullable(), order }),
    z.object({ ...rewarded, earning_rule: earningRule, loyalty_tier: anyTier.nullable(), event: customEvent }),
  ]),
  ...each('voucher', voucherEvent, 'created', 'updated', 'deleted', 'enabled', 'disabled'),
  'voucher.published': z.object({ ...published, voucher }),
  'voucher.gift.balance_added': z.object({ ...change, customer: customer.optional() }),
  'voucher.gift.transaction.created': z.object({ ...change, holder: customer.optional() }),
  'voucher.loyalty_card.points_added': z.object({ ...change, ...ofHolder, customer: customer.optional() }),
  'voucher.loyalty_card.points_expired': z.object({
    ...change,
    ...ofHolder,
    customer: customer.optional(),
    points: count,
    buckets: z.array(pointsBucket),
  }),
  ...each('voucher.loyalty_card.pending_points', pendingChanged, 'added', 'updated', 'canceled'),
  'voucher.loyalty_card.pending_points.activated': pendingActivated,
  ...each('customer.voucher.loyalty_card.pending_points', pendingChanged, 'added', 'updated', 'canceled'),
  'customer.voucher.loyalty_card.pending_points.activated': pendingActivated,
  'voucher.loyalty_card.transaction.created': z.object({
    ...transactionCauses,
    loyalty_tier: anyTier.nullable(),
    holder_loyalty_tier: memberTier.nullable(),
    ...change,
    holder: customer.optional(),
  }),
  ...each('customer.loyalty.tier', tierOfMember, 'joined', 'left', 'prolonged'),
  ...each('customer.loyalty.tier', tierChanged, 'upgraded', 'downgraded'),
  'customer.loyalty.tier.expiration.changed': tierOfMember.extend({ expiration_date: text.nullable() }),
  'campaign.loyalty_tier.created': z.object({ campaign: relatedCampaign, loyalty_tier: loyaltyTier }),
  'campaign.created': z.object({ campaign, ...at('created_at') }),
  'campaign.updated': z.object({ campaign, ...at('updated_at') }),
  'campaign.deleted': z.object({ campaign, ...at('deleted_at') }),
  'campaign.enabled': z.object({ campaign, ...at('enabled_at') }),
  'campaign.disabled': z.object({ campaign, ...at('disabled_at') }),
  'campaign.vouchers.added': z.object(someVouchers),
  'campaign.vouchers.generation.started': z.object(someVouchers),
  'campaign.vouchers.generation.completed': z.object({ ...someVouchers, ...at('completed_at') }),
  'campaign.vouchers.generation.failed': z.object({ ...someVouchers, ...at('failed_at') }),
  ...each('campaign.earning_rule', earningRuleEvent, 'assigned', 'updated', 'deleted', 'enabled', 'disabled'),
  ...each('campaign.promotion_tier', tierEvent, 'created', 'updated', 'deleted', 'enabled', 'disabled'),
  ...each('campaign.promotion_stack', stackEvent, 'created', 'updated'),
  ...each('campaign.reward.assignment', offerEvent, 'created', 'updated', 'deleted'),
  'business_validation_rule.created': z.object({ rule: validationRule, ...at('created_at') }),
  'business_validation_rule.updated': z.object({ rule: validationRule, ...at('updated_at') }),
  'business_validation_rule.deleted': z.object({ rule: validationRule, ...at('deleted_at') }),
  ...each('business_validation_rule.assignment', assignmentEvent, 'created', 'deleted'),
  ...each('order', orderEvent, 'created', 'updated', 'paid', 'canceled', 'fulfilled'),
}

/** Who caused an event. */
const eventSource = z.object({ channel: text, api_key: z.object({ name: text, app_id: text }) })

/** A delivery to a webhook, whose `data` is that of the event. Source: docs/service/webhooks.md#envelope. */
export const delivery = namedForm('WebhookDelivery', {
  id: text,
  project_id: text,
  created_at: instant,
  type: text,
  data: z.looseObject({}),
  source: z.object({ id: text, object: z.literal('webhook'), target_url: text }),
  event: z.object({
    id: text,
    type: text,
    created_at: instant,
    entity_id: text,
    group_id: text,
    event_source: eventSource,
  }),
})

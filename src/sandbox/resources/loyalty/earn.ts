// Points for customers' actions.
// Source: docs/service/loyalty.md#when-points-are-earned; docs/service/webhooks.md#what-emits-what; docs/service/loyalty.md#transaction-types.

import { ownValue } from '../../../base/record.ts'
import { campaignFacts } from '../../answers/campaign-facts.ts'
import { customerFacts, holderAnswer } from '../../answers/customers.ts'
import { memberTierAnswer, namedTier, tierOf } from '../../answers/loyalty.ts'
import { voucherAnswer } from '../../answers/vouchers.ts'
import type { Context } from '../../http/route.ts'
import { earnedPoints, reactsTo } from '../../rules/balances/points-earning.ts'
import { pointsWith } from '../../rules/balances/tier-mapping.ts'
import { evaluateRules } from '../../rules/conditions/evaluate.ts'
import type { Customer } from '../../rules/eligibility/customer.ts'
import { ruleContext } from '../../rules/eligibility/eligibility.ts'
import type { OrderState } from '../../rules/pricing/order.ts'
import type { Snapshot } from '../../rules/snapshot.ts'
import { is } from '../../storage/conditions.ts'
import { campaigns, type StoredCampaign } from '../../stores/campaigns.ts'
import type { StoredCustomer } from '../../stores/customers.ts'
import {
  anyTier,
  earningRules,
  type StoredEarningRule,
  type StoredLoyaltyTier,
  type StoredPendingPoints,
} from '../../stores/loyalty.ts'
import { validationRules } from '../../stores/validation-rules.ts'
import { type StoredVoucher, vouchers } from '../../stores/vouchers.ts'
import { snapshotOf } from '../evaluation/snapshot.ts'
import { issueCard } from '../publications/publish.ts'
import { applyBalanceChange } from './balance.ts'
import { customerCards, isUsable } from './cards.ts'
import { earningRuleAnswer } from './earning-rules.ts'
import { lastInstantOf } from './next-due.ts'
import { addPending } from './pending-points.ts'

/** Something that earning rules may react to. */
export interface EarningEvent extends EarningFacts {
  /** `order.paid`, an event of a segment or of a tier, or the name of a custom event. */
  event: string
  customer: StoredCustomer
  /** The only card that may receive points; otherwise every card the customer holds. */
  cardId?: string
  /** What the transactions record about it: `event`, `order`, `custom_event`, `event_schema`. */
  details: Record<string, unknown>
  /** What the announcements tell of it: the whole order, or the event. */
  cause: { order: object } | { event: object }
  /** The tier that a member joined, left or stayed in. */
  tier?: StoredLoyaltyTier
  /** The id of the segment that the customer came into. */
  segmentId?: string
}

/**
 * Adds points by every earning rule that reacts, one transaction per rule and card.
 *
 * A customer without a card receives one of programs that customers join automatically (`auto_join`). Records
 * `customer.rewarded.loyalty_points` for each.
 */
export function earnPoints(earning: EarningEvent, context: Context): void {
  const snapshot = snapshotOf(context)
  for (const [campaign, rules] of reactingPrograms(earning, context))
    for (const card of cardsFor(campaign, earning, context))
      for (const rule of rules) earnByRule(rule, card.id, campaign, earning, snapshot, context)
}

function reactingPrograms(earning: EarningEvent, context: Context): Map<StoredCampaign, StoredEarningRule[]> {
  const { event } = earning
  const reacting = context
    .in(earningRules)
    .all([is(earningRules, 'event', event)])
    .filter((rule) => reactsTo(rule, event, context.now, context.project.timezone) && isAbout(rule, earning))
  const programs = new Map<StoredCampaign, StoredEarningRule[]>()
  for (const [id, rules] of Map.groupBy(reacting, (rule) => rule.campaign_id)) {
    const campaign = context.in(campaigns).get(id)
    if (campaign && isUsable(campaign, context)) programs.set(campaign, rules)
  }
  return programs
}

/** Returns whether a rule names this segment, or this tier or any of its program; other rules are about neither. */
function isAbout(
  { loyalty_tier, segment, campaign_id }: StoredEarningRule,
  { tier, segmentId }: EarningEvent,
): boolean {
  if (segment) return segment.id === segmentId
  if (!loyalty_tier || !tier) return !loyalty_tier
  return loyalty_tier.id === anyTier ? tier.campaign_id === campaign_id : tier.id === loyalty_tier.id
}

function cardsFor(campaign: StoredCampaign, { customer, cardId }: EarningEvent, context: Context): StoredVoucher[] {
  if (cardId !== undefined) {
    const card = context.in(vouchers).get(cardId)
    return card?.campaign_id === campaign.id && isUsable(card, context) ? [card] : []
  }
  const held = customerCards(campaign.id, customer.id, context)
  if (held.length > 0 || campaign.auto_join !== true) return held
  const joined = issueCard(campaign, customer.id, context)
  return joined ? [joined] : []
}

function earnByRule(
  rule: StoredEarningRule,
  cardId: string,
  campaign: StoredCampaign,
  earning: EarningEvent,
  snapshot: Snapshot,
  context: Context,
): void {
  const stored = context.in(vouchers).get(cardId)
  if (!stored) return
  const { customer, details } = earning
  const points = pointsByRule(rule, stored, campaign, earning, snapshot, context)
  if (points === 0) return
  const used = mappingOf(rule, stored, context) && namedTier(tierOf(stored, context))
  const told = {
    ...details,
    earning_rule: { id: rule.id, source: { banner: rule.source.banner } },
    ...(used && { loyalty_tier: used }),
  }
  if (rule.pending_points && 'order' in details) {
    addPending(
      stored,
      { points, days: rule.pending_points.period_value, details: ofLater(told, stored, context) },
      context,
    )
    return
  }
  const { voucher, transaction } = applyBalanceChange(context, stored, {
    type: 'POINTS_ACCRUAL',
    units: points,
    details: told,
    expires_at: lastInstantOf(stored, context, rule.expiration_rules),
  })
  context.emit('customer.rewarded.loyalty_points', customer.id, {
    customer: customerFacts(customer),
    // The event may name a card of somebody else.
    holder: holderAnswer(voucher, context) ?? null,
    voucher: voucherAnswer(voucher, context),
    campaign: campaignFacts(campaign),
    earning_rule: earningRuleAnswer(rule),
    balance: transaction.details.balance,
    transaction,
    loyalty_tier: (used && memberTierAnswer(stored, context)) ?? null,
    ...earning.cause,
  })
}

type OrderDetails = StoredPendingPoints['details']

/** What pending points remember: the tiers at the time of the order, and its event in full. */
function ofLater(told: Record<string, unknown>, card: StoredVoucher, context: Context): OrderDetails {
  const { caller, project, requestId, now } = context
  const held = namedTier(tierOf(card, context))
  const event = {
    id: context.id('ev_'),
    type: 'customer.order.paid',
    group_id: requestId,
    entity_id: card.holder_id,
    created_at: now,
    category: 'EFFECT',
    event_source: { channel: caller.channel, api_key: { name: 'Sandbox', app_id: project.app_id } },
  }
  return { ...(told as OrderDetails), event, ...(held && { holder_loyalty_tier: held }) }
}

/** What points depend on besides the rule and the card; the customer need not be stored. */
export interface EarningFacts {
  customer?: Customer | undefined
  order?: OrderState | undefined
  metadata?: Record<string, unknown> | undefined
}

/** Computes the points of a rule on a card, or on the card that the customer would get; 0 when its conditions do not hold. */
export function pointsByRule(
  rule: StoredEarningRule,
  card: StoredVoucher | undefined,
  campaign: StoredCampaign,
  facts: EarningFacts,
  snapshot: Snapshot,
  context: Context,
): number {
  if (!isMet(rule, card, campaign, facts, snapshot, context)) return 0
  const { customer, order, metadata } = facts
  const counted = { customer, order, eventMetadata: metadata, isInCollection: snapshot.isInCollection }
  const mapping = card && mappingOf(rule, card, context)
  return pointsWith(mapping, rule.loyalty, (earning) => earnedPoints(earning, counted))
}

/** What the points of a rule become in the tier that the holder of a card is in before they are added. */
function mappingOf({ id }: StoredEarningRule, card: StoredVoucher, context: Context) {
  return ownValue(tierOf(card, context)?.earning_rules, id)
}

function isMet(
  { id, validation_rule_id }: StoredEarningRule,
  voucher: StoredVoucher | undefined,
  campaign: StoredCampaign,
  { customer, order, metadata = {} }: EarningFacts,
  snapshot: Snapshot,
  context: Context,
): boolean {
  if (validation_rule_id === null) return true
  const named = context.in(validationRules).get(validation_rule_id)
  // ASSUMED A256: an earning rule whose validation rule was deleted adds no points: deletion must not make it more generous.
  if (!named) return false
  const rules = [named, ...snapshot.rulesOf('earning_rule', id).filter((rule) => rule.id !== named.id)]
  const evaluation = { snapshot, now: context.now, metadata, customer, order, initialOrder: order }
  const seen = ruleContext({ voucher, campaign }, evaluation, undefined)
  return evaluateRules(rules, { ...seen, orderAfter: order, eventMetadata: metadata }).satisfied
}

// Finds loyalty programs and their cards by the parameters of a path.
// Source: docs/service/loyalty.md#list-transactions; docs/service/exports.md#export-card-transactions; docs/service/loyalty.md#programs.

import { ownValue } from '../../base/record.ts'
import type { TierSettings } from '../../contract/loyalty-tiers.ts'
import { notFound } from '../http/refusal.ts'
import type { Context, Tables } from '../http/route.ts'
import { byBalance } from '../rules/balances/loyalty-tiers.ts'
import { mappedPrice } from '../rules/balances/tier-mapping.ts'
import type { Voucher } from '../rules/redeemable.ts'
import { is } from '../storage/conditions.ts'
import { campaigns, type StoredCampaign } from '../stores/campaigns.ts'
import {
  loyaltyTiers,
  rewardAssignments,
  rewards,
  type StoredLoyaltyTier,
  type StoredReward,
  type StoredRewardAssignment,
} from '../stores/loyalty.ts'
import { type StoredVoucher, vouchers } from '../stores/vouchers.ts'
import { findOr404 } from './existing.ts'

/** Finds a loyalty program by id or name. Throws 404. */
export function findLoyaltyProgram(idOrName: string, context: Tables): StoredCampaign {
  const campaign = findOr404(campaigns, idOrName, context)
  // ASSUMED A250: a campaign of another kind is not a loyalty program, so it is not found as one.
  if (campaign.campaign_type !== 'LOYALTY_PROGRAM') throw notFound('campaign', idOrName)
  return campaign
}

/** Finds a loyalty card by code or id; if the path names a campaign, it must belong to it. Throws 404. */
export function findCard(path: { memberId: string; campaignId?: string }, context: Tables): StoredVoucher {
  const campaign = path.campaignId === undefined ? undefined : findLoyaltyProgram(path.campaignId, context)
  const card = context.in(vouchers).find(path.memberId)
  // ASSUMED A251: other vouchers, and cards of a program other than the one in the path, are not found as members.
  if (card?.type !== 'LOYALTY_CARD' || (campaign && card.campaign_id !== campaign.id))
    throw notFound('voucher', path.memberId)
  return card
}

// Tiers of loyalty programs as the service shows them. Source: docs/service/loyalty-tiers.md#fields.

/** Shows a tier; its range is told twice. */
export function loyaltyTierAnswer({ id, name, campaign_id, points, ...tier }: StoredLoyaltyTier) {
  const { metadata, earning_rules, rewards, created_at, updated_at } = tier
  return {
    id,
    name,
    campaign_id,
    metadata,
    created_at,
    updated_at,
    earning_rules,
    rewards,
    config: { points },
    points,
    object: 'loyalty_tier',
  }
}

/** Finds the tier that the holder of a card is in. */
export function tierOf({ tier }: Pick<StoredVoucher, 'tier'>, context: Tables): StoredLoyaltyTier | undefined {
  return tier && context.in(loyaltyTiers).get(tier.tier_id)
}

/** Shows the tier that the holder of a card is in, with the days on which it began and ends; undefined for none. */
export function memberTierAnswer(card: StoredVoucher, context: Tables) {
  const tier = tierOf(card, context)
  if (!tier || !card.tier) return undefined
  const { tier_id, start_date, expiration_date, created_at, updated_at } = card.tier
  return {
    ...loyaltyTierAnswer(tier),
    expiration: {
      customer_id: card.holder_id,
      campaign_id: card.campaign_id,
      tier_id,
      start_date,
      ...(expiration_date !== undefined && { expiration_date }),
      created_at,
      updated_at,
    },
  }
}

/** Names a tier in the details of a transaction. */
export function namedTier(tier: StoredLoyaltyTier | undefined) {
  return tier && { id: tier.id, name: tier.name }
}

// By which points the members of a program are in its tiers, and when that is decided.
// Source: docs/service/loyalty-tiers.md#qualification; docs/service/loyalty-tiers.md#when.

/** The tiers of a program. */
export function tiersOf(campaignId: string, context: Tables): readonly StoredLoyaltyTier[] {
  return context.in(loyaltyTiers).all([is(loyaltyTiers, 'campaign_id', campaignId)])
}

/** The settings that decide about the tier of a card's holder; undefined where there is nothing to decide. */
export function settingsOfTiers(
  { campaign_id, holder_id, tier }: StoredVoucher,
  context: Tables,
): TierSettings | undefined {
  if (campaign_id === null || campaign_id === undefined || holder_id === null) return undefined
  if (!tier && tiersOf(campaign_id, context).length === 0) return undefined
  return context.in(campaigns).get(campaign_id)?.loyalty_tiers_expiration ?? byBalance
}

/** The job that decides about the tier of a member; tier-member.ts. */
export const memberKind = 'loyalty.tier.member'

/** Queues the decision after a change of points, behind the reward that may redeem itself. */
export function scheduleTier(card: StoredVoucher, context: Pick<Context, 'in' | 'later'>): void {
  if (settingsOfTiers(card, context)) context.later(memberKind, { voucher_id: card.id })
}

/** The job that decides about all members of a program; tier-refresh.ts. */
export const refreshKind = 'loyalty.tiers.refresh'

/**
 * What happens to each member: `DECIDE` moves those whose tier has no last day, and others up; `RECALCULATE` moves all of them
 * up or to new dates; `KEEP` moves nobody, and only queues what becomes due by the new settings.
 */
export interface TierRefresh {
  campaign_id: string
  how: 'DECIDE' | 'RECALCULATE' | 'KEEP'
  after?: string
}

/** Queues the decision about every member of a program. */
export function refreshMembers(
  program: { id: string },
  how: TierRefresh['how'],
  context: Pick<Context, 'later'>,
): void {
  context.later(refreshKind, { campaign_id: program.id, how } satisfies TierRefresh)
}

// What programs offer for points: looked up, with the price for the holder of a card.
// Source: docs/service/loyalty.md#rewards; docs/service/loyalty.md#rewards-that-redeem-themselves.

/** Finds a reward that the program of a card offers, with the price of one piece for its holder; undefined when it is not offered. */
export function offeredReward(
  id: string,
  card: Pick<Voucher, 'campaign_id' | 'tier'>,
  context: Tables,
): StoredReward | undefined {
  const reward = context.in(rewards).get(id)
  // ASSUMED A1103: a card pays only for what its program offers; any other reward is not found.
  const offer = reward && card.campaign_id != null ? offerIn(card.campaign_id, id, context) : undefined
  if (!reward || !offer) return undefined
  return {
    ...reward,
    assignment_id: offer.id,
    parameters: priceFor(reward, offer, card, context),
    ...(card.tier && priceMapping(offer, card, context) && { loyalty_tier_id: card.tier.tier_id }),
  }
}

/** Lists what the program of a card offers, newest first, each reward beside its price; with `isAffordable` what the card can pay. */
export function rewardsFor(card: StoredVoucher, isAffordable: boolean, context: Context) {
  const balance = card.loyalty_card?.balance ?? 0
  const canPay = (reward: StoredReward, assignment: StoredRewardAssignment) => {
    const { coin, loyalty } = priceFor(reward, assignment, card, context)
    return (loyalty?.points ?? coin?.points_ratio ?? 0) <= balance
  }
  return offersOf(card.campaign_id ?? '', context)
    .filter(({ reward, assignment }) => !isAffordable || canPay(reward, assignment))
    .map((offer) => ({ ...offer, object: 'loyalty_reward' as const }))
}

/** Lists what a program offers, newest first: each reward beside its price. */
export function offersOf(campaignId: string, context: Tables) {
  const offers = context.in(rewardAssignments).all([is(rewardAssignments, 'related_object_id', campaignId)])
  return offers.toReversed().flatMap((assignment) => {
    const reward = context.in(rewards).get(assignment.reward_id)
    return reward ? [{ reward, assignment }] : []
  })
}

/** The parameters of a reward with the price that the holder of a card pays: that of the holder's tier, else the program's. */
function priceFor(
  reward: StoredReward,
  offer: StoredRewardAssignment,
  card: Pick<Voucher, 'tier'>,
  context: Tables,
): StoredReward['parameters'] {
  const parameters = { ...reward.parameters, ...offer.parameters }
  const mapping = priceMapping(offer, card, context)
  return mapping ? mappedPrice(parameters, mapping) : parameters
}

function priceMapping({ id }: StoredRewardAssignment, { tier }: Pick<Voucher, 'tier'>, context: Tables) {
  return tier && ownValue(context.in(loyaltyTiers).get(tier.tier_id)?.rewards, id)
}

/** Finds the offer of a program that is redeemed by itself. */
export function automaticOffer(campaignId: string, context: Tables): StoredRewardAssignment | undefined {
  return context
    .in(rewardAssignments)
    .all([is(rewardAssignments, 'related_object_id', campaignId)])
    .find(({ parameters }) => parameters?.loyalty.auto_redeem === true)
}

/** Finds the assignment by which a program offers a reward. */
export function offerIn(campaignId: string, rewardId: string, context: Tables): StoredRewardAssignment | undefined {
  const offers = context.in(rewardAssignments).all([is(rewardAssignments, 'reward_id', rewardId)])
  return offers.find(({ related_object_id }) => related_object_id === campaignId)
}

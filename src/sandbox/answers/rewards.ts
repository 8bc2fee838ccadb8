// What programs offer for points: looked up, with the price for the holder of a card.
// Source: docs/service/loyalty.md#rewards; docs/service/loyalty.md#rewards-that-redeem-themselves.
import { ownValue } from '../../base/record.ts'
import type { Context } from '../http/route.ts'
import { mappedPrice } from '../rules/balances/tier-mapping.ts'
import type { Voucher } from '../rules/redeemable.ts'
import { is } from '../storage/conditions.ts'
import { rewardAssignments, rewards, type StoredReward, type StoredRewardAssignment } from '../stores/loyalty.ts'
import { loyaltyTiers } from '../stores/loyalty-tiers.ts'
import type { StoredVoucher } from '../stores/vouchers.ts'

/** Finds a reward that the program of a card offers, with the price of one piece for its holder; undefined when it is not offered. */
export function offeredReward(
  id: string,
  card: Pick<Voucher, 'campaign_id' | 'tier'>,
  context: Pick<Context, 'in'>,
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
export function offersOf(campaignId: string, context: Pick<Context, 'in'>) {
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
  context: Pick<Context, 'in'>,
): StoredReward['parameters'] {
  const parameters = { ...reward.parameters, ...offer.parameters }
  const mapping = priceMapping(offer, card, context)
  return mapping ? mappedPrice(parameters, mapping) : parameters
}

function priceMapping({ id }: StoredRewardAssignment, { tier }: Pick<Voucher, 'tier'>, context: Pick<Context, 'in'>) {
  return tier && ownValue(context.in(loyaltyTiers).get(tier.tier_id)?.rewards, id)
}

/** Finds the offer of a program that is redeemed by itself. */
export function automaticOffer(campaignId: string, context: Pick<Context, 'in'>): StoredRewardAssignment | undefined {
  return context
    .in(rewardAssignments)
    .all([is(rewardAssignments, 'related_object_id', campaignId)])
    .find(({ parameters }) => parameters?.loyalty.auto_redeem === true)
}

/** Finds the assignment by which a program offers a reward. */
export function offerIn(
  campaignId: string,
  rewardId: string,
  context: Pick<Context, 'in'>,
): StoredRewardAssignment | undefined {
  const offers = context.in(rewardAssignments).all([is(rewardAssignments, 'reward_id', rewardId)])
  return offers.find(({ related_object_id }) => related_object_id === campaignId)
}

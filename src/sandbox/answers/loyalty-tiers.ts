// Tiers of loyalty programs as the service shows them. Source: docs/service/loyalty-tiers.md#fields.
import type { Context } from '../http/route.ts'
import { loyaltyTiers, type StoredLoyaltyTier } from '../stores/loyalty-tiers.ts'
import type { StoredVoucher } from '../stores/vouchers.ts'

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
export function tierOf(
  { tier }: Pick<StoredVoucher, 'tier'>,
  context: Pick<Context, 'in'>,
): StoredLoyaltyTier | undefined {
  return tier && context.in(loyaltyTiers).get(tier.tier_id)
}

/** Shows the tier that the holder of a card is in, with the days on which it began and ends; undefined for none. */
export function memberTierAnswer(card: StoredVoucher, context: Pick<Context, 'in'>) {
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

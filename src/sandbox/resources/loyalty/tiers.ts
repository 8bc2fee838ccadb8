// New tiers of a loyalty program. Source: docs/service/loyalty-tiers.md#create.
import type { z } from 'zod'
import { newLoyaltyTier, type TierMapping } from '../../../contract/loyalty-tiers.ts'
import { findLoyaltyProgram, offerIn } from '../../answers/loyalty.ts'
import { identityOf, requestOf } from '../../http/fixture-object.ts'
import { invalidPayload, notFound } from '../../http/refusal.ts'
import type { Context, FixtureContext, Tables } from '../../http/route.ts'
import type { StoredCampaign } from '../../stores/campaigns.ts'
import { earningRules, loyaltyTiers, rewardAssignments, rewards, type StoredLoyaltyTier } from '../../stores/loyalty.ts'
import { checkMetadata } from '../metadata/check.ts'

type NewTier = z.output<typeof newLoyaltyTier>

/** Stores a tier of a program. Throws 400 for a range or a price that nobody could have, 404 for unknown references. */
export function createLoyaltyTier(campaign: StoredCampaign, body: NewTier, context: Context): StoredLoyaltyTier {
  checkMetadata(context, 'loyalty_tier', body.metadata)
  return context.in(loyaltyTiers).insert({
    id: context.id(loyaltyTiers.prefix),
    ...contentOf(campaign, body, context),
    created_at: context.now,
    updated_at: null,
  })
}

/** Reads a tier of a fixture; its program is the `campaign_id`. Throws the refusal of an unsupported one. */
export function loadLoyaltyTier(wire: Record<string, unknown>, loading: FixtureContext): StoredLoyaltyTier {
  if (typeof wire.campaign_id !== 'string') throw invalidPayload("Payload must have required property 'campaign_id'")
  const campaign = findLoyaltyProgram(wire.campaign_id, loading)
  return {
    ...identityOf(loyaltyTiers, wire, loading),
    ...contentOf(campaign, requestOf(newLoyaltyTier, wire), loading),
  }
}

function contentOf(campaign: StoredCampaign, body: NewTier, context: Tables) {
  const { from, to } = body.points
  if (to != null && to < from) throw invalidPayload('Property .points.to must be >= .points.from')
  return {
    campaign_id: campaign.id,
    name: body.name,
    points: { from, ...(to != null && { to }) },
    earning_rules: mapKeys(body.earning_rules, (id) => ruleIn(campaign, id, context)),
    rewards: mapKeys(body.rewards, (id, mapping) => offerOf(campaign, id, mapping, context)),
    metadata: body.metadata ?? null,
  }
}

function mapKeys(
  mappings: Record<string, TierMapping> | null | undefined,
  keyOf: (id: string, mapping: TierMapping) => string,
): Record<string, TierMapping> {
  return Object.fromEntries(Object.entries(mappings ?? {}).map(([id, mapping]) => [keyOf(id, mapping), mapping]))
}

// ASSUMED A1768: a mapping of what the program does not have is a 404: it would never be applied.
function ruleIn({ id: campaignId }: StoredCampaign, id: string, context: Tables): string {
  if (context.in(earningRules).get(id)?.campaign_id !== campaignId) throw notFound('earning_rule', id)
  return id
}

function offerOf({ id: campaignId }: StoredCampaign, id: string, mapping: TierMapping, context: Tables): string {
  const named = context.in(rewardAssignments).get(id)
  // ASSUMED A1766: prices are kept by the offer, as every sample has them; the id of a reward names its offer in the program.
  const offer = named?.related_object_id === campaignId ? named : offerIn(campaignId, id, context)
  if (!offer) throw notFound('reward_assignment', id)
  const isCoin = context.in(rewards).get(offer.reward_id)?.type === 'COIN'
  if (mapping.type === 'CUSTOM' && isCoin)
    throw invalidPayload(`Property .rewards.${id}.type must be MULTIPLY: paying with points has a ratio, not a price`)
  if (mapping.type === 'CUSTOM' && mapping.points === 0)
    throw invalidPayload(`Property .rewards.${id}.points must be >= 1`)
  return offer.id
}

// Promotion tiers: made, changed, switched, deleted.
// Source: docs/service/promotions.md#tier-fields; docs/service/promotions.md#create-a-tier.
import type { z } from 'zod'
import { newPromotionTier } from '../../../contract/promotions.ts'
import { invalidPayload, notFound, refused } from '../../http/refusal.ts'
import type { Context, Loading } from '../../http/route.ts'
import { identityOf, requestOf } from '../../seed/loaded.ts'
import type { Stored } from '../../storage/collection.ts'
import { is } from '../../storage/conditions.ts'
import { campaigns, type StoredCampaign } from '../campaigns/store.ts'
import { type Change, mergedMetadata, saved } from '../change.ts'
import { assignRules, removeAssignments } from '../validation-rules/assignments.ts'
import { assignments } from '../validation-rules/store.ts'
import { checkedDiscount, limitsOf, mustBePossible } from '../vouchers/limits.ts'
import { categoryNamed, rulesNamed } from '../vouchers/related.ts'
import { promotionStacks } from './stack-store.ts'
import { promotionTiers, type StoredTier } from './tier-store.ts'

type NewTier = z.output<typeof newPromotionTier>
type TierUpdate = z.output<ReturnType<typeof newPromotionTier.partial>>

type Collections = Pick<Context, 'in'>

/** Adds a tier to a campaign. Throws 400 for another kind of campaign or an impossible tier, 404 for an unknown rule or category. */
export function createTier(campaign: StoredCampaign, body: NewTier, context: Context): StoredTier {
  mustBePromotion(campaign)
  const rules = rulesNamed(body.validation_rules ?? [], context)
  const identity = { id: context.id(promotionTiers.prefix), created_at: context.now, updated_at: null }
  const tier = tierOf(campaign, body, identity, context)
  context.in(promotionTiers).insert(tier)
  assignRules(rules, { id: tier.id, type: 'promotion_tier' }, context)
  return tier
}

/** Changes a tier. Members left out keep their value, null clears; rules named are added to those it has. Throws 400 or 404. */
export function updateTier(tier: StoredTier, body: TierUpdate, context: Context): Change<StoredTier> {
  const { name, banner, action, hierarchy, active, category, category_id, metadata, validation_rules, ...limits } = body
  const next: StoredTier = {
    ...tier,
    ...limitsOf({ ...tier, ...limits }),
    ...(name !== undefined && { name }),
    ...(banner !== undefined && { banner }),
    ...(action && { action: { discount: checkedDiscount(action.discount) } }),
    ...(hierarchy !== undefined && { hierarchy }),
    ...(active !== undefined && { active }),
    ...((category !== undefined || category_id !== undefined) && categoryNamed({ category, category_id }, context)),
    ...(metadata && { metadata: mergedMetadata(tier.metadata, metadata) }),
  }
  mustBePossible(next)
  // ASSUMED A197: an update adds rules; taking them off is the assignments' call.
  const added = rulesNamed(validation_rules ?? [], context).filter((rule) => !has(tier, rule, context))
  assignRules(added, { id: tier.id, type: 'promotion_tier' }, context)
  const { doc, isChanged } = saved(promotionTiers, tier, next, context)
  return { doc, isChanged: isChanged || added.length > 0 }
}

/** Switches a tier on or off; one that is so already is left as it is. */
export function switchTier(tier: StoredTier, active: boolean, context: Context): Change<StoredTier> {
  return saved(promotionTiers, tier, { ...tier, active }, context)
}

/** Removes a tier and its rule assignments. Throws 400 `resource_in_use` while a stack is made of it. */
export function deleteTier(tier: StoredTier, context: Context): void {
  const stacks = context.in(promotionStacks).all([is(promotionStacks, 'campaign_id', tier.campaign_id)])
  const stack = stacks.find(({ tiers }) => tiers.ids.includes(tier.id))
  // ASSUMED A198: otherwise the stack would be left with a tier that nobody can find, and never apply again.
  if (stack) throw refused('resource_in_use', 'Resource in use', `Promotion Stack with id: ${stack.id} uses the tier`)
  context.in(promotionTiers).remove(tier.id)
  removeAssignments(tier.id, context)
}

/** Reads a tier of a fixture. Throws the refusal of one that is impossible or belongs to no promotion campaign. */
export function loadTier(wire: Record<string, unknown>, loading: Loading): StoredTier {
  const campaign = promotionOf(wire, loading)
  return tierOf(campaign, requestOf(newPromotionTier, wire), identityOf(promotionTiers, wire, loading), loading)
}

/** Finds the promotion campaign of a fixture's tier or stack. Throws the refusal of one that does not exist or has codes instead. */
export function promotionOf({ campaign_id }: Record<string, unknown>, context: Collections): StoredCampaign {
  if (typeof campaign_id !== 'string') throw invalidPayload("Payload must have required property 'campaign_id'")
  const campaign = context.in(campaigns).get(campaign_id)
  if (!campaign) throw notFound(campaigns.type, campaign_id)
  mustBePromotion(campaign)
  return campaign
}

/** Refuses a campaign that has codes instead of tiers. Throws 400. */
export function mustBePromotion(campaign: StoredCampaign): void {
  if (campaign.campaign_type !== 'PROMOTION')
    throw refused('invalid_campaign', 'Invalid Campaign', `A ${campaign.campaign_type} campaign has no promotion tiers`)
}

function tierOf(
  campaign: StoredCampaign,
  body: NewTier,
  { id, created_at, updated_at }: Required<Stored>,
  context: Collections,
): StoredTier {
  const limits = limitsOf(body)
  mustBePossible(limits)
  return {
    id,
    name: body.name,
    banner: body.banner ?? null,
    campaign_id: campaign.id,
    action: { discount: checkedDiscount(body.action.discount) },
    hierarchy: body.hierarchy ?? lastHierarchy(campaign, context) + 1,
    active: body.active ?? true,
    ...limits,
    ...categoryNamed(body, context),
    metadata: body.metadata ?? {},
    created_at,
    updated_at,
    object: 'promotion_tier',
  }
}

// ASSUMED A199: a tier without a hierarchy comes last; one that is given is kept, also when another tier has it.
function lastHierarchy({ id }: StoredCampaign, context: Collections): number {
  const { items } = context.in(promotionTiers).page([is(promotionTiers, 'campaign_id', id)], '-hierarchy', 1, 1)
  return items[0]?.hierarchy ?? 0
}

function has(tier: StoredTier, ruleId: string, context: Collections): boolean {
  const there = context.in(assignments).all([is(assignments, 'related_object_id', tier.id)])
  return there.some(({ rule_id }) => rule_id === ruleId)
}

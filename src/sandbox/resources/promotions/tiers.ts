// Promotion tiers created, updated, enabled and disabled, deleted.
// Source: docs/service/promotions.md#tier-fields; docs/service/promotions.md#create-a-tier.
import type { z } from 'zod'
import { newPromotionTier } from '../../../contract/promotions.ts'
import { assignRules, removeAssignments } from '../../answers/assignments.ts'
import { existingById } from '../../answers/existing.ts'
import { identityOf, requestOf } from '../../http/fixture-object.ts'
import { invalidPayload, refused } from '../../http/refusal.ts'
import type { Context, FixtureContext, Tables } from '../../http/route.ts'
import type { Stored } from '../../storage/collection.ts'
import { is } from '../../storage/conditions.ts'
import { campaigns, type StoredCampaign } from '../../stores/campaigns.ts'
import { promotionStacks, promotionTiers, type StoredTier } from '../../stores/promotions.ts'
import { checkMetadata } from '../metadata/check.ts'
import { mergeMetadata, storeUpdate, type UpdateResult } from '../update.ts'
import { addRules } from '../validation-rules/assign.ts'
import {
  checkedDiscount,
  checkValidity,
  findReferencedCategory,
  findReferencedRules,
  validityLimitsOf,
} from '../vouchers/parts.ts'

type NewTier = z.output<typeof newPromotionTier>
type TierUpdate = z.output<ReturnType<typeof newPromotionTier.partial>>

/** Adds a tier to a campaign. Throws 400 (another kind of campaign, invalid tier) or 404 (rule, category). */
export function createTier(campaign: StoredCampaign, body: NewTier, context: Context): StoredTier {
  checkIsPromotion(campaign)
  const rules = findReferencedRules(rulesOf(body), context)
  const identity = { id: context.id(promotionTiers.prefix), created_at: context.now, updated_at: null }
  const tier = tierOf(campaign, body, identity, context)
  checkMetadata(context, 'promotion_tier', tier.metadata)
  context.in(promotionTiers).insert(tier)
  assignRules(rules, { id: tier.id, type: 'promotion_tier' }, context)
  return tier
}

/** Changes a tier. Omitted members keep their value, null clears; named rules are added. Throws 400 or 404. */
export function updateTier(tier: StoredTier, body: TierUpdate, context: Context): UpdateResult<StoredTier> {
  const { name, banner, action, hierarchy, active, category, category_id, metadata, ...limits } = body
  const next: StoredTier = {
    ...tier,
    ...validityLimitsOf({ ...tier, ...limits }),
    ...(name !== undefined && { name }),
    ...(banner !== undefined && { banner }),
    ...(action && { action: actionOf(action) }),
    ...(hierarchy !== undefined && { hierarchy }),
    ...(active !== undefined && { active }),
    ...((category !== undefined || category_id !== undefined) &&
      findReferencedCategory({ category, category_id }, context)),
    metadata: mergeMetadata(tier.metadata, metadata),
  }
  checkValidity(next)
  if (metadata !== undefined) checkMetadata(context, 'promotion_tier', next.metadata)
  const rulesChanged = addRules(rulesOf(body), { id: tier.id, type: 'promotion_tier' }, context)
  const { doc, isChanged } = storeUpdate(promotionTiers, tier, next, context)
  return { doc, isChanged: isChanged || rulesChanged }
}

/** The ids of the rules that a request names, in either form. */
function rulesOf({ validation_rules = [], validation_rule_assignments }: TierUpdate): string[] {
  return [...validation_rules, ...(validation_rule_assignments?.data ?? []).map(({ rule_id }) => rule_id)]
}

/** Enables or disables a tier; one that already is in that state is left as it is. */
export function setTierActive(tier: StoredTier, active: boolean, context: Context): UpdateResult<StoredTier> {
  return storeUpdate(promotionTiers, tier, { ...tier, active }, context)
}

/** Removes a tier and its rule assignments. Throws 400 `resource_in_use` while a stack contains it. */
export function deleteTier(tier: StoredTier, context: Context): void {
  const stacks = context.in(promotionStacks).all([is(promotionStacks, 'campaign_id', tier.campaign_id)])
  const stack = stacks.find(({ tiers }) => tiers.ids.includes(tier.id))
  // ASSUMED A198: otherwise the stack would contain a tier that cannot be found, and would never apply again.
  if (stack) throw refused('resource_in_use', `Promotion Stack with id: ${stack.id} uses the tier`)
  context.in(promotionTiers).remove(tier.id)
  removeAssignments(tier.id, context)
}

/** Reads a tier of a fixture. Throws the refusal of one that is invalid or belongs to no promotion campaign. */
export function loadTier(wire: Record<string, unknown>, loading: FixtureContext): StoredTier {
  const campaign = promotionCampaignOf(wire, loading)
  return tierOf(campaign, requestOf(newPromotionTier, wire), identityOf(promotionTiers, wire, loading), loading)
}

/** Finds the promotion campaign of a fixture's tier or stack. Throws the refusal of an unknown one or one with codes. */
export function promotionCampaignOf({ campaign_id }: Record<string, unknown>, context: Tables): StoredCampaign {
  if (typeof campaign_id !== 'string') throw invalidPayload("Payload must have required property 'campaign_id'")
  const campaign = existingById(campaigns, campaign_id, context)
  checkIsPromotion(campaign)
  return campaign
}

/** Refuses a campaign that has codes instead of tiers. Throws 400. */
export function checkIsPromotion(campaign: StoredCampaign): void {
  if (campaign.campaign_type !== 'PROMOTION')
    throw refused('invalid_campaign', `A ${campaign.campaign_type} campaign has no promotion tiers`)
}

function tierOf(
  campaign: StoredCampaign,
  body: NewTier,
  { id, created_at, updated_at }: Required<Stored>,
  context: Tables,
): StoredTier {
  const limits = validityLimitsOf(body)
  checkValidity(limits)
  return {
    id,
    name: body.name,
    banner: body.banner ?? null,
    campaign_id: campaign.id,
    action: actionOf(body.action),
    hierarchy: body.hierarchy ?? lastHierarchy(campaign, context) + 1,
    active: body.active ?? true,
    ...limits,
    ...findReferencedCategory(body, context),
    metadata: body.metadata ?? {},
    created_at,
    updated_at,
    object: 'promotion_tier',
  }
}

function actionOf(action: NewTier['action']): StoredTier['action'] {
  return { discount: checkedDiscount('discount' in action ? action.discount : action) }
}

// ASSUMED A199: a tier without a hierarchy comes last; a given hierarchy is kept, even when another tier has it.
function lastHierarchy({ id }: StoredCampaign, context: Tables): number {
  const { items } = context.in(promotionTiers).page([is(promotionTiers, 'campaign_id', id)], '-hierarchy', 1, 1)
  return items[0]?.hierarchy ?? 0
}

// Promotion stacks: tiers of one campaign, combined. Source: docs/service/promotions.md#stacks.
import type { z } from 'zod'
import { newPromotionStack } from '../../../contract/promotion-stacks.ts'
import { invalidPayload, notFound } from '../../http/refusal.ts'
import type { FixtureContext } from '../../http/resource.ts'
import type { Context } from '../../http/route.ts'
import { identityOf, requestOf } from '../../seed/fixture-object.ts'
import type { Stored } from '../../storage/collection.ts'
import type { StoredCampaign } from '../campaigns/store.ts'
import { storeUpdate, type UpdateResult } from '../update.ts'
import { findReferencedCategory } from '../vouchers/references.ts'
import { promotionStacks, type StoredStack } from './stack-store.ts'
import { promotionTiers } from './tier-store.ts'
import { checkIsPromotion, promotionCampaignOf } from './tiers.ts'

type NewStack = z.output<typeof newPromotionStack>
type StackUpdate = z.output<ReturnType<typeof newPromotionStack.partial>>

/** Creates a stack. Throws 404 for a tier that the campaign does not have, 400 for one named twice. */
export function createStack(campaign: StoredCampaign, body: NewStack, context: Context): StoredStack {
  checkIsPromotion(campaign)
  const identity = { id: context.id(promotionStacks.prefix), created_at: context.now, updated_at: null }
  const stack = stackOf(campaign, body, identity, context)
  context.in(promotionStacks).insert(stack)
  return stack
}

/** Changes a stack; omitted members keep their value. Throws like `createStack`. */
export function updateStack(stack: StoredStack, body: StackUpdate, context: Context): UpdateResult<StoredStack> {
  const next: StoredStack = {
    ...stack,
    ...(body.name !== undefined && { name: body.name }),
    ...(body.tiers && { tiers: tiersOf(stack.campaign_id, body.tiers, context) }),
    ...(body.category_id !== undefined && { category_id: findReferencedCategory(body, context).category_id }),
  }
  return storeUpdate(promotionStacks, stack, next, context)
}

/** Reads a stack of a fixture. Throws the refusal of one whose campaign or tiers do not exist. */
export function loadStack(wire: Record<string, unknown>, loading: FixtureContext): StoredStack {
  return stackOf(
    promotionCampaignOf(wire, loading),
    requestOf(newPromotionStack, wire),
    identityOf(promotionStacks, wire, loading),
    loading,
  )
}

function stackOf(
  campaign: StoredCampaign,
  body: NewStack,
  { id, created_at, updated_at }: Required<Stored>,
  context: Pick<Context, 'in'>,
): StoredStack {
  return {
    id,
    name: body.name,
    campaign_id: campaign.id,
    tiers: tiersOf(campaign.id, body.tiers, context),
    category_id: findReferencedCategory(body, context).category_id,
    created_at,
    updated_at,
    object: 'promotion_stack',
  }
}

function tiersOf(campaignId: string, { ids }: NewStack['tiers'], context: Pick<Context, 'in'>): StoredStack['tiers'] {
  for (const id of ids) {
    const tier = context.in(promotionTiers).get(id)
    // ASSUMED A200: a tier of another campaign is not found here.
    if (tier?.campaign_id !== campaignId) throw notFound(promotionTiers.type, id)
  }
  if (new Set(ids).size < ids.length) throw invalidPayload('Property .tiers.ids must NOT have duplicate items')
  return { ids, hierarchy_mode: 'MANUAL' }
}

// The calls of promotion stacks. Source: docs/service/promotions.md#stack-calls; docs/service/promotions.md#stacks.
import type { z } from 'zod'
import * as contract from '../../contract/promotion-stacks.ts'
import { newPromotionStack } from '../../contract/promotion-stacks.ts'
import { campaignOf } from '../answers/campaign-facts.ts'
import { existingPart, findOr404, routesFor, routesOf } from '../answers/existing.ts'
import { stackAnswer } from '../answers/promotions.ts'
import { identityOf, requestOf } from '../http/fixture-object.ts'
import { invalidPayload, notFound } from '../http/refusal.ts'
import { type Context, type FixtureContext, pageAnswer, type Resource, route, type Tables } from '../http/route.ts'
import { checkIsPromotion, promotionCampaignOf } from '../resources/promotions/tiers.ts'
import { storeUpdate, type UpdateResult } from '../resources/update.ts'
import { findReferencedCategory } from '../resources/vouchers/parts.ts'
import type { Stored } from '../storage/collection.ts'
import { type Condition, is } from '../storage/conditions.ts'
import { campaigns, type StoredCampaign } from '../stores/campaigns.ts'
import { promotionStacks, promotionTiers, type StoredStack } from '../stores/promotions.ts'

const routeForCampaign = routesFor('campaignId', (id, context) => findOr404(campaigns, id, context))
const about = routesOf((path: { campaignId: string; stackId: string }, context) => {
  const { id } = findOr404(campaigns, path.campaignId, context)
  return existingPart(promotionStacks, path.stackId, { campaign_id: id }, context)
})

/** Promotion stacks, by the campaign and their id. */
export const promotionStackResource: Resource = {
  collections: [promotionStacks],
  load: { promotion_stacks: loadStack },
  routes: [
    routeForCampaign(contract.createPromotionStack, (campaign, context, { body }) => {
      const stack = createStack(campaign, body, context)
      recordEvent('campaign.promotion_stack.created', stack, context)
      return stackAnswer(stack, context)
    }),
    about(contract.getPromotionStack, (stack, context) => stackAnswer(stack, context)),
    route(contract.listPromotionStacks, ({ query }, context) => listStacks(query, [], context)),
    routeForCampaign(contract.listCampaignStacks, ({ id }, context, { query }) =>
      listStacks(query, [is(promotionStacks, 'campaign_id', id)], context),
    ),
    about(contract.updatePromotionStack, (stack, context, { body }) => {
      const { doc, isChanged } = updateStack(stack, body, context)
      if (isChanged) recordEvent('campaign.promotion_stack.updated', doc, context)
      return stackAnswer(doc, context)
    }),
    // No event: the specification's list has none for a deleted stack.
    about(contract.deletePromotionStack, ({ id }, context) => context.in(promotionStacks).remove(id)),
  ],
}

function listStacks(query: Parameters<typeof pageAnswer>[1], where: Condition[], context: Context) {
  const show = (stacks: StoredStack[]) => stacks.map((stack) => stackAnswer(stack, context))
  return pageAnswer(promotionStacks, query, context, { where, show })
}

function recordEvent(type: string, stack: StoredStack, context: Context): void {
  context.emit(type, stack.id, { promotion_stack: stackAnswer(stack, context), ...campaignOf(stack, context) })
}

type NewStack = z.output<typeof newPromotionStack>
type StackUpdate = z.output<ReturnType<typeof newPromotionStack.partial>>

/** Creates a stack. Throws 404 for a tier that the campaign does not have, 400 for one named twice. */
function createStack(campaign: StoredCampaign, body: NewStack, context: Context): StoredStack {
  checkIsPromotion(campaign)
  const identity = { id: context.id(promotionStacks.prefix), created_at: context.now, updated_at: null }
  return context.in(promotionStacks).insert(stackOf(campaign, body, identity, context))
}

/** Changes a stack; omitted members keep their value. Throws like `createStack`. */
function updateStack(stack: StoredStack, body: StackUpdate, context: Context): UpdateResult<StoredStack> {
  const next: StoredStack = {
    ...stack,
    ...(body.name !== undefined && { name: body.name }),
    ...(body.tiers && { tiers: tiersOf(stack.campaign_id, body.tiers, context) }),
    ...(body.category_id !== undefined && { category_id: findReferencedCategory(body, context).category_id }),
  }
  return storeUpdate(promotionStacks, stack, next, context)
}

/** Reads a stack of a fixture. Throws the refusal of one whose campaign or tiers do not exist. */
function loadStack(wire: Record<string, unknown>, loading: FixtureContext): StoredStack {
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
  context: Tables,
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

function tiersOf(campaignId: string, { ids }: NewStack['tiers'], context: Tables): StoredStack['tiers'] {
  for (const id of ids) {
    const tier = context.in(promotionTiers).get(id)
    // ASSUMED A200: a tier of another campaign is not found here.
    if (tier?.campaign_id !== campaignId) throw notFound(promotionTiers.type, id)
  }
  if (new Set(ids).size < ids.length) throw invalidPayload('Property .tiers.ids must NOT have duplicate items')
  return { ids, hierarchy_mode: 'MANUAL' }
}

// The calls of promotion stacks. Source: docs/service/promotions.md#stack-calls.
import * as contract from '../../../contract/promotion-stacks.ts'
import { notFound } from '../../http/refusal.ts'
import type { Resource } from '../../http/resource.ts'
import { type Context, noContent, ok, route } from '../../http/route.ts'
import { type Condition, inPeriods, is } from '../../storage/conditions.ts'
import { campaignOf } from '../campaigns/facts.ts'
import { campaigns } from '../campaigns/store.ts'
import { existing } from '../existing.ts'
import { pageAnswer } from '../listing.ts'
import { stackAnswer } from './answer.ts'
import { promotionStacks, type StoredStack } from './stack-store.ts'
import { createStack, loadStack, updateStack } from './stacks.ts'

/** Promotion stacks, by the campaign and their id. */
export const promotionStackResource: Resource = {
  collections: [promotionStacks],
  load: { promotion_stacks: loadStack },
  routes: [
    route(contract.createPromotionStack, ({ path, body }, context) => {
      const stack = createStack(existing(campaigns, path.campaignId, context), body, context)
      recordEvent('campaign.promotion_stack.created', stack, context)
      return ok(stackAnswer(stack, context))
    }),
    route(contract.getPromotionStack, ({ path }, context) => ok(stackAnswer(known(path, context), context))),
    route(contract.listPromotionStacks, ({ query }, context) =>
      listed(query, inPeriods(promotionStacks, query), context),
    ),
    route(contract.listCampaignStacks, ({ path, query }, context) => {
      const { id } = existing(campaigns, path.campaignId, context)
      return listed(query, [is(promotionStacks, 'campaign_id', id), ...inPeriods(promotionStacks, query)], context)
    }),
    route(contract.updatePromotionStack, ({ path, body }, context) => {
      const { doc, isChanged } = updateStack(known(path, context), body, context)
      if (isChanged) recordEvent('campaign.promotion_stack.updated', doc, context)
      return ok(stackAnswer(doc, context))
    }),
    // No event: the specification's list has none for a deleted stack.
    route(contract.deletePromotionStack, ({ path }, context) => {
      context.in(promotionStacks).remove(known(path, context).id)
      return noContent()
    }),
  ],
}

function listed(query: Parameters<typeof pageAnswer>[1], where: Condition[], context: Context) {
  const show = (stacks: StoredStack[]) => stacks.map((stack) => stackAnswer(stack, context))
  return pageAnswer(promotionStacks, query, context, { where, show })
}

function known({ campaignId, stackId }: { campaignId: string; stackId: string }, context: Context): StoredStack {
  const campaign = existing(campaigns, campaignId, context)
  const stack = context.in(promotionStacks).get(stackId)
  if (stack?.campaign_id !== campaign.id) throw notFound(promotionStacks.type, stackId)
  return stack
}

function recordEvent(type: string, stack: StoredStack, context: Context): void {
  context.emit(type, stack.id, { promotion_stack: stackAnswer(stack, context), ...campaignOf(stack, context) })
}

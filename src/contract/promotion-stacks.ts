// Promotion stacks: tiers of one campaign that are applied together, in a fixed order.
// Source: docs/service/promotions.md#stack-calls.
import { z } from 'zod'
import { bothWays, byPage, callsAbout, pageListing, period } from './calls-about.ts'
import { endpoint } from './endpoint.ts'

/** A stack to create; its tiers are applied in the order of `ids`. */
export const newPromotionStack = z.strictObject({
  name: z.string().min(1),
  tiers: z.strictObject({
    // A stack is expanded into redeemables, of which one request may contain 30 (docs/service/promotions.md#stacks).
    ids: z.array(z.string().min(1)).min(1).max(30),
    hierarchy_mode: z.enum(['MANUAL']).optional(),
  }),
  category_id: z.string().nullish(),
})

/** A stack as the service returns it. */
export const promotionStack = z.looseObject({
  id: z.string(),
  object: z.literal('promotion_stack'),
  name: z.string().nullish(),
})

const listedStacks = {
  ...pageListing,
  query: z.strictObject({
    ...byPage,
    order: bothWays('created_at', 'updated_at').optional(),
    created_at: period.optional(),
    updated_at: period.optional(),
  }),
  source: 'docs/service/promotions.md#stack-calls',
} as const

export const listPromotionStacks = endpoint('promotions.stacks.list', 'List promotion stacks', {
  ...listedStacks,
  call: 'GET /v1/promotions/stacks',
})

export const listCampaignStacks = endpoint(
  'promotions.campaign-stacks.list',
  'List the promotion stacks of a campaign',
  {
    ...listedStacks,
    call: 'GET /v1/promotions/{campaignId}/stacks',
  },
)

const calls = callsAbout('promotions.stacks', '/v1/promotions/{campaignId}/stacks/{stackId}', {
  response: promotionStack,
  source: 'docs/service/promotions.md#stack-calls',
})

/** Creates a stack from tiers of a campaign. */
export const createPromotionStack = calls.create(
  newPromotionStack,
  { repeat: 'reconcile', proof: { by: 'list', read: { call: () => listCampaignStacks } } },
  'Create a promotion stack',
)

export const getPromotionStack = calls.get('Get a promotion stack')

/** Changes a stack; omitted fields keep their values. */
export const updatePromotionStack = calls.update(newPromotionStack.partial(), 'Update a promotion stack')

/** Removes a stack; its tiers stay. */
export const deletePromotionStack = calls.delete('Delete a promotion stack')

// The members that objects of a fixture may have: those that the service returns, and those that a creation takes. What else a fixture has
// would be dropped without a word. Loaded only for a fixture of the user.
import type { z } from 'zod'
import { isRecord } from '../../base/record.ts'
import { campaign, promotionStack, promotionTier, template } from '../../contract/answers/campaigns.ts'
import { customer, holder, segment } from '../../contract/answers/customers.ts'
import { publication, redemption } from '../../contract/answers/evaluations.ts'
import { earningRule, loyaltyTier, pointsBucket, reward, rewardAssignment } from '../../contract/answers/loyalty.ts'
import { order } from '../../contract/answers/orders.ts'
import { product, productCollection, sku } from '../../contract/answers/products.ts'
import { eventSchema, metadataSchema, webhook } from '../../contract/answers/projects.ts'
import { assignment, category, validationRule } from '../../contract/answers/rules.ts'
import { pendingPoints, transaction, voucher } from '../../contract/answers/vouchers.ts'

/** The form of the answers about each collection, and what only a fixture or a creation has. */
const collections: Record<string, [form: z.ZodType, ...more: string[]]> = {
  campaigns: [campaign],
  categories: [category],
  customers: [customer],
  earning_rules: [earningRule],
  event_schemas: [eventSchema],
  gift_transactions: [transaction],
  loyalty_tiers: [loyaltyTier],
  loyalty_transactions: [transaction],
  metadata_schemas: [metadataSchema],
  orders: [order],
  pending_points: [pendingPoints],
  points_buckets: [pointsBucket, 'points', 'total_points'],
  product_collections: [productCollection],
  products: [product],
  promotion_stacks: [promotionStack],
  promotion_tiers: [promotionTier],
  publications: [publication],
  redeemable_holders: [holder],
  redemptions: [redemption],
  reward_assignments: [rewardAssignment],
  rewards: [reward],
  segments: [segment, 'customers'],
  skus: [sku],
  templates: [template],
  validation_rules: [validationRule],
  validation_rules_assignments: [assignment],
  vouchers: [voucher, 'tier'],
  webhooks: [webhook],
}

/**
 * Returns each unknown member of the objects of a fixture, as a sentence. What is no list of objects is left to those who load it.
 */
export function unknownMembers(fixture: unknown): string[] {
  if (!isRecord(fixture)) return []
  return Object.entries(fixture).flatMap(([name, objects]) => {
    if (!Object.hasOwn(collections, name) || !Array.isArray(objects)) return []
    const [form, ...more] = collections[name] as [z.ZodType]
    const known = new Set([...membersOf(form), ...more, 'id', 'object', 'created_at', 'updated_at'])
    return objects.flatMap((wire, index) =>
      Object.keys(isRecord(wire) ? wire : {})
        .filter((member) => !known.has(member))
        .map((member) => `${name}[${index}] has an unknown member "${member}"`),
    )
  })
}

/** The part of zod's definitions that is read here. */
interface Readable {
  shape?: Record<string, unknown>
  options?: Readable[]
}

function membersOf(schema: unknown): string[] {
  const { shape, options } = schema as Readable
  return shape === undefined ? (options ?? []).flatMap(membersOf) : Object.keys(shape)
}

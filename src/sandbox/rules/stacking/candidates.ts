// Looks up the redeemables of a request, and checks the request as a whole.
// Source: docs/service/validations.md#request-checks; docs/service/validations.md#promotion-stacks.
import { invalidPayload, notFound, type RefusalBody, refuse } from '../failures.ts'
import type { Campaign, Category, PromotionTier, RedeemableRequest, Voucher } from '../redeemable.ts'
import type { Snapshot } from '../snapshot.ts'

/** A redeemable with its stored objects. */
export interface RedeemableCandidate {
  /** As sent; for a tier of a stack, as if the tier had been sent. */
  request: RedeemableRequest
  voucher?: Voucher | undefined
  tier?: PromotionTier | undefined
  campaign?: Campaign | undefined
  /** Its own category, else its campaign's. */
  category?: Category | undefined
  /** No object has this id. */
  unknown?: RefusalBody | undefined
}

/** Returns why a request is refused before the evaluation (HTTP 400), or undefined. */
export function redeemablesProblem(snapshot: Snapshot, redeemables: unknown): RefusalBody | undefined {
  if (!Array.isArray(redeemables)) return invalidPayload("Payload must have required property 'redeemables'")
  const limit = Math.min(30, snapshot.stackingRules.redeemables_limit)
  if (redeemables.length < 1) return invalidPayload('Property .redeemables must NOT have fewer than 1 items')
  if (redeemables.length > limit) return invalidPayload(`Property .redeemables must NOT have more than ${limit} items`)
  for (const [index, redeemable] of redeemables.entries()) {
    const problem = shapeProblem(redeemable, `.redeemables[${index}]`)
    if (problem) return invalidPayload(problem)
  }
  return togetherProblem(snapshot, redeemables as RedeemableRequest[])
}

/** Looks up the redeemables, in the order of the request; a promotion stack becomes its tiers in their order. */
export function candidatesOf(snapshot: Snapshot, redeemables: readonly RedeemableRequest[]): RedeemableCandidate[] {
  return redeemables.flatMap((request) => {
    if (request.object !== 'promotion_stack') return [candidateOf(snapshot, request)]
    const stack = snapshot.promotionStack(request.id)
    if (!stack) return [{ request, unknown: notFound('promotion_stack', request.id) }]
    return stack.tiers.ids.map((id) => candidateOf(snapshot, { object: 'promotion_tier', id }))
  })
}

/** Looks up one voucher or tier with its campaign and category. */
export function candidateOf(snapshot: Snapshot, request: RedeemableRequest): RedeemableCandidate {
  const voucher = request.object === 'voucher' ? snapshot.voucher(request.id) : undefined
  const tier = request.object === 'promotion_tier' ? snapshot.promotionTier(request.id) : undefined
  const found = voucher ?? tier
  if (!found) return { request, unknown: notFound(request.object, request.id) }
  const campaign = found.campaign_id ? snapshot.campaign(found.campaign_id) : undefined
  return { request, voucher, tier, campaign, category: categoryOf(snapshot, voucher, tier, campaign) }
}

function categoryOf(
  snapshot: Snapshot,
  ...owners: readonly ({ category_id?: string | null; category?: string | null } | undefined)[]
): Category | undefined {
  for (const owner of owners) {
    const reference = owner?.category_id ?? owner?.category
    if (reference) return snapshot.category(reference)
  }
  return undefined
}

function shapeProblem(redeemable: unknown, path: string): string | undefined {
  if (typeof redeemable !== 'object' || redeemable === null) return `Property ${path} must be object`
  const fields = redeemable as Record<string, unknown>
  for (const name of ['object', 'id']) {
    // "should": the published wording for redeemables; elsewhere it is "must".
    if (fields[name] === undefined) return `Property ${path} should have required property '${name}'`
    if (typeof fields[name] !== 'string') return `Property ${path}.${name} must be string`
  }
  if (!['voucher', 'promotion_tier', 'promotion_stack'].includes(String(fields.object)))
    return `Property ${path}.object must be equal to one of the allowed values`
  return undefined
}

function togetherProblem(snapshot: Snapshot, redeemables: readonly RedeemableRequest[]): RefusalBody | undefined {
  if (redeemables.length > 1 && redeemables.some(({ object }) => object === 'promotion_stack'))
    return refuse('invalid_redeemables', 'Promotion Stack cannot be use with other redeemables')
  snapshot.prefetchVouchers?.(redeemables.filter(({ object }) => object === 'voucher').map(({ id }) => id))
  // A code and the id of the same voucher are the same voucher.
  const identities = redeemables.map(
    ({ object, id }) => `${object} ${object === 'voucher' ? (snapshot.voucher(id)?.id ?? id) : id}`,
  )
  if (new Set(identities).size === identities.length) return undefined
  return refuse('duplicated_redeemables', 'Duplicated redeemables detected in one redemption')
}

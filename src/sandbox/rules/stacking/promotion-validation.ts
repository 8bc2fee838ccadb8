// The answer to POST /v1/promotions/validation: every tier alone on the same order.
// Source: docs/service/validations.md#validate-promotions.

import { checkEligibility } from '../eligibility/eligibility.ts'
import { type EvaluationRequest, evaluationOf } from '../evaluation.ts'
import type { RefusalBody } from '../failures.ts'
import type { Incentive } from '../pricing/incentive.ts'
import { orderAnswer } from '../pricing/order-answer.ts'
import { type PromotionTier, tierCampaign } from '../redeemable.ts'
import type { Snapshot } from '../snapshot.ts'
import { candidateOf, type RedeemableCandidate } from './candidates.ts'
import type { EvaluationCall } from './validation.ts'
import { categoriesAnswer, type Expansion } from './validation-entry.ts'

export interface PromotionsRequest extends Omit<EvaluationRequest, 'tracking_id'> {
  options?: { expand?: Expansion[] }
}

export interface PromotionsQuery {
  audienceRulesOnly?: boolean
  /** The tiers that match the query's filters; all when absent. */
  filter?: (tier: PromotionTier) => boolean
}

/**
 * Lists the promotion tiers that apply to the order, newest first; each is evaluated alone on the original order.
 *
 * ASSUMED A17: `valid` says whether at least one tier applies; a tier without effect on the order still applies.
 */
export function validatePromotions(
  snapshot: Snapshot,
  request: PromotionsRequest,
  call: Pick<EvaluationCall, 'now'>,
  query: PromotionsQuery = {},
): { body: Record<string, unknown> } | { refusal: RefusalBody } {
  const found = evaluationOf(snapshot, request, call.now, { audienceOnly: query.audienceRulesOnly ?? false })
  if ('refusal' in found) return found
  const { evaluation, tracked } = found
  const promotions = snapshot
    .promotionTiers()
    .filter(query.filter ?? (() => true))
    .flatMap((tier) => {
      const candidate = candidateOf(snapshot, { object: 'promotion_tier', id: tier.id })
      const verdict = checkEligibility(candidate, evaluation)
      if (!verdict.applicable) return []
      return [tierAnswer(tier, candidate, verdict.incentive, tracked, request.options?.expand, snapshot)]
    })
  return { body: { valid: promotions.length > 0, ...tracked, promotions } }
}

function tierAnswer(
  tier: PromotionTier,
  { campaign, category }: RedeemableCandidate,
  { order, amount, applicable_to, inapplicable_to, result }: Incentive,
  tracked: { tracking_id?: string },
  expand: readonly Expansion[] | undefined,
  snapshot: Snapshot,
): Record<string, unknown> {
  const discount = 'discount' in result ? result.discount : tier.action.discount
  const categories = expand?.includes('category') ? categoriesAnswer(category, snapshot.stackingRules) : undefined
  return {
    valid: true,
    applicable_to,
    inapplicable_to,
    ...tracked,
    ...(order && { order: orderAnswer(order) }),
    id: tier.id,
    name: tier.name,
    ...(tier.banner != null && { banner: tier.banner }),
    discount,
    ...(tier.start_date != null && { start_date: tier.start_date }),
    ...(tier.expiration_date != null && { expiration_date: tier.expiration_date }),
    ...(campaign && {
      campaign: {
        ...shownCampaign(campaign),
        ...(categories && {
          categories: categoriesAnswer(campaignCategory(snapshot, campaign), snapshot.stackingRules),
        }),
      },
    }),
    hierarchy: tier.hierarchy,
    // Money only: a tier with free units shows its effect in the order (docs/service/validations.md#promotions-in-answers).
    ...(amount > 0 && discount.type !== 'UNIT' && { discount_amount: amount, applied_discount_amount: amount }),
    metadata: tier.metadata ?? {},
    ...(tier.category_id != null && { category_id: tier.category_id }),
    ...(categories && { categories }),
    object: 'promotion_tier',
  }
}

function campaignCategory(snapshot: Snapshot, campaign: NonNullable<RedeemableCandidate['campaign']>) {
  const reference = campaign.category_id ?? campaign.category
  return reference ? snapshot.category(reference) : undefined
}

/** The specification lists the campaign of a tier here without its name; a category is shown where there is one. */
function shownCampaign(campaign: NonNullable<RedeemableCandidate['campaign']>) {
  const { name: _, category_id, ...shown } = tierCampaign(campaign)
  return { ...shown, ...(category_id !== null && { category_id }) }
}

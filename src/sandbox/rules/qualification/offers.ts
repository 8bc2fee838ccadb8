// Finds what a customer and an order could use: held vouchers, promotion tiers, stacks, campaigns.
// Source: docs/service/qualifications.md#scenarios.

import { evaluateRules } from '../conditions/evaluate.ts'
import { applicableRules, ruleContext } from '../eligibility/eligibility.ts'
import { lockedBy } from '../eligibility/session.ts'
import { usabilityRefusal } from '../eligibility/usability.ts'
import { type EvaluationContext, type Incentive, incentiveOf, noIncentive } from '../pricing/incentive.ts'
import { totals } from '../pricing/order.ts'
import { orderAnswer } from '../pricing/order-answer.ts'
import type { PromotionStack, Voucher } from '../redeemable.ts'
import { candidateOf, candidatesOf, type RedeemableCandidate } from '../stacking/candidates.ts'
import { stack } from '../stacking/stacking.ts'
import { categoriesAnswer } from '../stacking/validation-entry.ts'
import { campaignIncentive, isOffered } from './campaigns.ts'

/** The supported scenarios. */
export const scenarios = ['ALL', 'CUSTOMER_WALLET', 'AUDIENCE_ONLY', 'PROMOTION_STACKS'] as const

export type Scenario = (typeof scenarios)[number]

/** Queries that a snapshot does not have. */
export interface Offers {
  /** Returns what a customer holds. */
  wallet: (customerId: string) => readonly Voucher[]
  stacks: () => readonly (PromotionStack & { created_at: string })[]
}

/** A matching object, with the values that lists are ordered by. `amount` is its discount. */
export interface QualifiedOffer {
  object: 'campaign' | 'voucher' | 'promotion_tier' | 'promotion_stack'
  id: string
  created_at: string
  amount: number
  answer: Record<string, unknown>
}

/** Returns all matches of a scenario, each alone on the order of the evaluation; in no particular order. */
export function findOffers(
  scenario: Scenario,
  evaluation: EvaluationContext,
  offers: Offers,
  expand: readonly string[],
): QualifiedOffer[] {
  const { snapshot, customer } = evaluation
  const wallet = () =>
    (customer?.id === undefined ? [] : offers.wallet(customer.id)).flatMap(({ code }) =>
      single('voucher', candidateOf(snapshot, { object: 'voucher', id: code }), evaluation, expand),
    )
  const tiers = () =>
    snapshot
      .promotionTiers()
      .flatMap(({ id }) =>
        single('promotion_tier', candidateOf(snapshot, { object: 'promotion_tier', id }), evaluation, expand),
      )
  const stacks = () => offers.stacks().flatMap((one) => wholeStack(one, evaluation))
  switch (scenario) {
    case 'CUSTOMER_WALLET':
      return wallet()
    case 'PROMOTION_STACKS':
      return stacks()
    default:
      return [...wallet(), ...tiers(), ...stacks(), ...campaigns(evaluation, expand)]
  }
}

function campaigns(evaluation: EvaluationContext, expand: readonly string[]): QualifiedOffer[] {
  return evaluation.snapshot.campaigns().flatMap((campaign) => {
    const incentive = isOffered(campaign, evaluation) ? campaignIncentive(campaign, evaluation) : undefined
    if (!incentive) return []
    const reference = campaign.category_id ?? campaign.category
    const category = reference ? evaluation.snapshot.category(reference) : undefined
    const candidate = {
      request: { object: 'voucher' as const, id: campaign.id },
      campaign,
      ...(category && { category }),
    }
    return [foundOf('campaign', campaign.id, campaign.created_at, incentive, candidate, evaluation, expand)]
  })
}

function single(
  object: 'voucher' | 'promotion_tier',
  candidate: RedeemableCandidate,
  evaluation: EvaluationContext,
  expand: readonly string[],
): QualifiedOffer[] {
  const { voucher, tier, request } = candidate
  const held = lockedBy(voucher ? evaluation.snapshot.locks(voucher.id) : [], undefined, evaluation.now)
  if (candidate.unknown || usabilityRefusal(candidate, evaluation, held)) return []
  const rules = applicableRules(candidate, evaluation)
  const computed = incentiveOf(candidate, evaluation, rules, held)
  if ('refusal' in computed && !computed.refusal.key?.startsWith('missing_')) return []
  // Without an order there is nothing to discount yet; the incentive is returned nevertheless.
  const incentive = 'refusal' in computed ? { ...noIncentive(evaluation.order), result: promised(candidate) } : computed
  if (!evaluateRules(rules, ruleContext(candidate, evaluation, incentive)).satisfied) return []
  const created = tier?.created_at ?? (voucher as { created_at?: string } | undefined)?.created_at ?? ''
  return [foundOf(object, request.id, created, incentive, candidate, evaluation, expand)]
}

function wholeStack(
  { id, name, campaign_id, created_at }: PromotionStack & { created_at: string },
  evaluation: EvaluationContext,
): QualifiedOffer[] {
  const { snapshot } = evaluation
  const stacked = stack(candidatesOf(snapshot, [{ object: 'promotion_stack', id }]), evaluation, snapshot.stackingRules)
  if (!stacked.valid) return []
  const order = stacked.order && { order: orderAnswer(stacked.order) }
  const amount = stacked.order ? totals(stacked.order).total_applied_discount_amount : 0
  return [
    {
      object: 'promotion_stack',
      id,
      created_at,
      amount,
      answer: { id, object: 'promotion_stack', created_at, name, campaign_id, result: {}, ...order },
    },
  ]
}

function foundOf(
  object: QualifiedOffer['object'],
  id: string,
  created_at: string,
  incentive: Incentive,
  { voucher, tier, campaign, category }: RedeemableCandidate,
  { snapshot }: EvaluationContext,
  expand: readonly string[],
): QualifiedOffer {
  const { order, applicable_to, inapplicable_to, result, amount } = incentive
  const metadata = (voucher ?? tier ?? campaign)?.metadata ?? {}
  const answer = {
    id,
    object,
    created_at,
    result,
    ...(order && { order: orderAnswer(order) }),
    applicable_to,
    inapplicable_to,
    ...(expand.includes('redeemable') && {
      ...((tier ?? (object === 'campaign' ? campaign : undefined)) && { name: (tier ?? campaign)?.name }),
      ...(campaign && object !== 'campaign' && { campaign_name: campaign.name, campaign_id: campaign.id }),
      metadata,
    }),
    ...(expand.includes('category') && { categories: categoriesAnswer(category, snapshot.stackingRules) }),
  }
  return { object, id, created_at, amount, answer }
}

function promised({ voucher, tier }: RedeemableCandidate): Incentive['result'] {
  if (voucher?.gift) return { gift: { credits: 0, balance: voucher.gift.balance } }
  if (voucher?.loyalty_card) return { loyalty_card: { points: voucher.loyalty_card.balance } }
  return { discount: tier?.action.discount ?? voucher?.discount ?? { type: 'AMOUNT', amount_off: 0 } }
}

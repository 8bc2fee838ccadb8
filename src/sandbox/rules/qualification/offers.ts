// What a customer and an order could use: held vouchers, promotion tiers, stacks, campaigns.
// Source: docs/service/qualifications.md#scenarios.

import { judgeRules } from '../conditions/logic.ts'
import { ruleContext, rulesFor } from '../eligibility/eligibility.ts'
import { lockedBy } from '../eligibility/session.ts'
import { usabilityRefusal } from '../eligibility/usability.ts'
import type { PromotionStack, Voucher } from '../model.ts'
import { type Incentive, incentiveOf, noIncentive, type Situation } from '../pricing/incentive.ts'
import { totals } from '../pricing/order.ts'
import { orderAnswer } from '../pricing/order-answer.ts'
import { type Candidate, candidateOf, candidatesOf } from '../stacking/redeemables.ts'
import { stack } from '../stacking/stacking.ts'
import { categoriesAnswer } from '../stacking/validation-entry.ts'
import { campaignIncentive, isOffered } from './campaigns.ts'

/** The questions that can be answered here. */
export const scenarios = ['ALL', 'CUSTOMER_WALLET', 'AUDIENCE_ONLY', 'PROMOTION_STACKS'] as const

export type Scenario = (typeof scenarios)[number]

/** What a snapshot has no question for. */
export interface Offers {
  /** What a customer holds. */
  wallet: (customerId: string) => readonly Voucher[]
  stacks: () => readonly (PromotionStack & { created_at: string })[]
}

/** Something that fits, with what lists are ordered by. `amount` is what it takes off. */
export interface Found {
  object: 'campaign' | 'voucher' | 'promotion_tier' | 'promotion_stack'
  id: string
  created_at: string
  amount: number
  answer: Record<string, unknown>
}

/** Finds everything of a scenario that fits, each thing alone on the order of the situation; in no particular order. */
export function findOffers(
  scenario: Scenario,
  situation: Situation,
  offers: Offers,
  expand: readonly string[],
): Found[] {
  const { snapshot, customer } = situation
  const wallet = () =>
    (customer?.id === undefined ? [] : offers.wallet(customer.id)).flatMap(({ code }) =>
      single('voucher', candidateOf(snapshot, { object: 'voucher', id: code }), situation, expand),
    )
  const tiers = () =>
    snapshot
      .promotionTiers()
      .flatMap(({ id }) =>
        single('promotion_tier', candidateOf(snapshot, { object: 'promotion_tier', id }), situation, expand),
      )
  const stacks = () => offers.stacks().flatMap((one) => wholeStack(one, situation))
  switch (scenario) {
    case 'CUSTOMER_WALLET':
      return wallet()
    case 'PROMOTION_STACKS':
      return stacks()
    default:
      return [...wallet(), ...tiers(), ...stacks(), ...campaigns(situation, expand)]
  }
}

function campaigns(situation: Situation, expand: readonly string[]): Found[] {
  return situation.snapshot.campaigns().flatMap((campaign) => {
    const incentive = isOffered(campaign, situation) ? campaignIncentive(campaign, situation) : undefined
    if (!incentive) return []
    const reference = campaign.category_id ?? campaign.category
    const category = reference ? situation.snapshot.category(reference) : undefined
    const candidate = {
      request: { object: 'voucher' as const, id: campaign.id },
      campaign,
      ...(category && { category }),
    }
    return [foundOf('campaign', campaign.id, campaign.created_at, incentive, candidate, situation, expand)]
  })
}

function single(
  object: 'voucher' | 'promotion_tier',
  candidate: Candidate,
  situation: Situation,
  expand: readonly string[],
): Found[] {
  const { voucher, tier, request } = candidate
  const held = lockedBy(voucher ? situation.snapshot.locks(voucher.id) : [], undefined, situation.now)
  if (candidate.unknown || usabilityRefusal(candidate, situation, held)) return []
  const rules = rulesFor(candidate, situation)
  const computed = incentiveOf(candidate, situation, rules, held)
  if ('refusal' in computed && !computed.refusal.key?.startsWith('missing_')) return []
  // Without an order there is nothing to take off yet; what it would be is told all the same.
  const incentive = 'refusal' in computed ? { ...noIncentive(situation.order), result: promised(candidate) } : computed
  if (!judgeRules(rules, ruleContext(candidate, situation, incentive)).satisfied) return []
  const created = tier?.created_at ?? (voucher as { created_at?: string } | undefined)?.created_at ?? ''
  return [foundOf(object, request.id, created, incentive, candidate, situation, expand)]
}

function wholeStack(
  { id, name, campaign_id, created_at }: PromotionStack & { created_at: string },
  situation: Situation,
): Found[] {
  const { snapshot } = situation
  const stacked = stack(candidatesOf(snapshot, [{ object: 'promotion_stack', id }]), situation, snapshot.stackingRules)
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
  object: Found['object'],
  id: string,
  created_at: string,
  incentive: Incentive,
  { voucher, tier, campaign, category }: Candidate,
  { snapshot }: Situation,
  expand: readonly string[],
): Found {
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

function promised({ voucher, tier }: Candidate): Incentive['result'] {
  if (voucher?.gift) return { gift: { credits: 0, balance: voucher.gift.balance } }
  if (voucher?.loyalty_card) return { loyalty_card: { points: voucher.loyalty_card.balance } }
  return { discount: tier?.action.discount ?? voucher?.discount ?? { type: 'AMOUNT', amount_off: 0 } }
}

// Whether one redeemable may be used now, by this customer, on this order; the first failure is told. Source: evaluation 2.17.
import { refused, violated } from './failures.ts'
import { type Incentive, incentiveOf, noIncentive, referrerOf, type Situation } from './incentive.ts'
import { judgeRules } from './logic.ts'
import type { Campaign, Locked, Refusal, RuleContext, ValidationRule, WindowLimits } from './model.ts'
import type { Candidate } from './redeemables.ts'
import { lockedBy } from './session.ts'
import { windowState } from './windows.ts'

export type Verdict = { applicable: true; incentive: Incentive } | { applicable: false; refusal: Refusal }

/**
 * Judges one redeemable on the order of the situation.
 *
 * The checks run in a fixed order and the first that fails is the answer. The rules see the order before and after the
 * incentive, so the incentive is computed first and thrown away when a rule fails.
 */
export function judge(candidate: Candidate, situation: Situation): Verdict {
  const held = locksOn(candidate, situation)
  const early =
    candidate.unknown ??
    stateRefusal(candidate) ??
    windowRefusal(candidate, situation) ??
    quantityRefusal(candidate, held) ??
    referralRefusal(candidate, situation)
  if (early) return { applicable: false, refusal: early }

  const rules = rulesFor(candidate, situation)
  const computed = incentiveOrNothing(candidate, situation, rules, held)
  const incentive = 'refusal' in computed ? undefined : computed
  const verdict = judgeRules(rules, ruleContext(candidate, situation, incentive))
  const impossible = 'refusal' in computed ? computed.refusal : undefined
  const broken = verdict.satisfied ? undefined : violated(verdict, kindOf(candidate))
  const refusal =
    (isMissing(broken) ? broken : undefined) ??
    (isMissing(impossible) || impossible?.key === 'missing_reward' ? impossible : undefined) ??
    cardHolderRefusal(candidate, situation) ??
    broken ??
    impossible ??
    amountRefusal(situation)
  if (refusal) return { applicable: false, refusal }
  return { applicable: true, incentive: incentive ?? noIncentive(situation.order) }
}

/** The rules a redeemable is under: its own and its campaign's, each once. */
export function rulesFor({ voucher, tier, campaign }: Candidate, { snapshot }: Situation): ValidationRule[] {
  const rules = [
    ...(voucher ? snapshot.rulesOf('voucher', voucher.id) : []),
    ...(tier ? snapshot.rulesOf('promotion_tier', tier.id) : []),
    ...(campaign ? snapshot.rulesOf('campaign', campaign.id) : []),
  ]
  return rules.filter(({ id }, at) => rules.findIndex((rule) => rule.id === id) === at)
}

/** What every judgement of rules needs, whatever they hang on. */
export function ruleContext(
  { voucher, tier, campaign }: Pick<Candidate, 'voucher' | 'tier' | 'campaign'>,
  situation: Situation,
  incentive: Incentive | undefined,
): RuleContext {
  const { snapshot, customer, order, initialOrder } = situation
  return {
    now: situation.now,
    timeZone: snapshot.timeZone,
    weekStartsOn: snapshot.weekStartsOn,
    audienceOnly: situation.audienceOnly ?? false,
    redeemable: voucher
      ? { object: 'voucher', id: voucher.id, metadata: voucher.metadata ?? {} }
      : tier
        ? { object: 'promotion_tier', id: tier.id, metadata: tier.metadata ?? {} }
        : { object: 'campaign', id: campaign?.id ?? '', metadata: campaign?.metadata ?? {} },
    ...(voucher && { voucher }),
    ...(campaign && { campaign }),
    ...(customer && { customer }),
    isInSegment: (segmentId) => customer !== undefined && snapshot.isInSegment(segmentId, customer),
    isHolder: holds({ ...(voucher && { voucher }) }, situation),
    ...(order && { order }),
    ...(incentive?.order && { orderAfter: incentive.order }),
    ...(initialOrder && { initialOrder }),
    metadata: situation.metadata,
    ...(incentive && 'gift' in incentive.result && { giftCredits: incentive.credits }),
    ...(incentive && 'loyalty_card' in incentive.result && { pointsUsed: incentive.points }),
    discountAmount: incentive?.amount ?? 0,
    isInCollection: snapshot.isInCollection,
    redemptions: snapshot.redemptions,
  }
}

/** Own limits in time, and the campaign's where the own are null or absent. */
export function limitsOf(own: WindowLimits, campaign: Campaign | undefined): WindowLimits {
  const limits: WindowLimits = {}
  for (const name of limitNames) Object.assign(limits, { [name]: own[name] ?? campaign?.[name] ?? null })
  return limits
}

const limitNames = [
  'start_date',
  'expiration_date',
  'validity_timeframe',
  'validity_day_of_week',
  'validity_hours',
] as const

function stateRefusal({ voucher, tier, campaign }: Candidate): Refusal | undefined {
  const isOff = [voucher, tier, campaign].some((owner) => owner?.active === false)
  if (!isOff) return undefined
  if (voucher) return refused('voucher_disabled', 'voucher is disabled', voucher.code)
  return refused('promotion_inactive', 'Inactive Promotion', `Promotion Tier with id: ${tier?.id} is disabled.`)
}

function windowRefusal({ voucher, tier, campaign }: Candidate, situation: Situation): Refusal | undefined {
  const own = voucher ?? tier
  if (!own) return undefined
  const state = windowState(limitsOf(own, campaign), situation.now, situation.snapshot.timeZone)
  if (state === 'open') return undefined
  if (!voucher) return refused('promotion_not_active_now', 'promotion not active now', own.id)
  switch (state) {
    case 'expired':
      return refused('voucher_expired', 'voucher expired', voucher.code)
    case 'not_started':
      // ASSUMED A13: the wording; only the key is documented.
      return refused('voucher_not_active', 'voucher is not active yet', voucher.code)
    case 'outside':
      return refused('voucher_not_active_now', 'voucher not active now', voucher.code)
  }
}

function quantityRefusal({ voucher }: Candidate, held: Locked): Refusal | undefined {
  const quantity = voucher?.redemption?.quantity
  if (!voucher || quantity === null || quantity === undefined) return undefined
  const used = (voucher.redemption?.redeemed_quantity ?? 0) + held.quantity
  // ASSUMED A13: the wording; only the key is documented.
  return used >= quantity ? refused('quantity_exceeded', 'quantity exceeded', voucher.code) : undefined
}

function referralRefusal({ voucher }: Candidate, { customer, snapshot }: Situation): Refusal | undefined {
  if (!voucher?.is_referral_code) return undefined
  const referrer = referrerOf(voucher)
  if (customer?.id !== undefined && customer.id === referrer) {
    return refused('referrer_not_permitted_to_redeem', 'voucher cannot be redeemed by referrer', voucher.code)
  }
  // ASSUMED A14: a referral code that nobody holds yet is refused with the key of the holder calls.
  const isPublished = referrer !== undefined || snapshot.isPublished(voucher.id)
  return isPublished ? undefined : refused('not_published', 'Voucher is not published', voucher.code)
}

function cardHolderRefusal(candidate: Candidate, situation: Situation): Refusal | undefined {
  const { voucher } = candidate
  // Only where a customer is given: the documents validate a card without any.
  if (voucher?.type !== 'LOYALTY_CARD' || !situation.customer || holds(candidate, situation)) return undefined
  return refused('invalid_customer', 'Customer must be a holder of a loyalty card.', voucher.code)
}

function amountRefusal({ initialOrder }: Situation): Refusal | undefined {
  const amount = initialOrder?.amount
  if (amount === undefined || (Number.isInteger(amount) && amount > 0)) return undefined
  return refused('invalid_amount', 'Invalid Amount', 'Amount has to be a valid positive number')
}

function incentiveOrNothing(
  candidate: Candidate,
  situation: Situation,
  rules: readonly ValidationRule[],
  held: Locked,
) {
  const computed = incentiveOf(candidate, situation, rules, held)
  // Asked for the audience alone, nobody minds that there is no order to discount.
  const isForgiven = situation.audienceOnly && 'refusal' in computed && isMissing(computed.refusal)
  return isForgiven ? noIncentive(situation.order) : computed
}

function locksOn({ voucher }: Candidate, { snapshot, sessionKey, now }: Situation): Locked {
  if (!voucher) return { quantity: 0, credits: 0, points: 0 }
  return lockedBy(snapshot.locks(voucher.id), sessionKey, now)
}

function holds({ voucher }: Pick<Candidate, 'voucher'>, { customer, snapshot }: Situation): boolean {
  if (!voucher || customer?.id === undefined) return false
  return voucher.holder_id === customer.id || snapshot.holdsVoucher(customer.id, voucher.id)
}

function isMissing(refusal: Refusal | undefined): boolean {
  return refusal?.key?.startsWith('missing_') === true && refusal.key !== 'missing_reward'
}

function kindOf({ voucher }: Candidate): string {
  if (!voucher) return 'Promotion Tier'
  return { DISCOUNT_VOUCHER: 'Discount Coupon', GIFT_VOUCHER: 'Gift Card', LOYALTY_CARD: 'Loyalty Card' }[voucher.type]
}

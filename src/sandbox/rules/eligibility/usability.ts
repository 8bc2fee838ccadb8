// Decides whether a redeemable can be used at all now, before rules and order are checked.
// Source: docs/service/validations.md#eligibility-checks, checks 2-6.
import { type RefusalBody, refuse } from '../failures.ts'
import { type EvaluationContext, referrerOf } from '../pricing/incentive.ts'
import type { Campaign } from '../redeemable.ts'
import type { RedeemableCandidate } from '../stacking/candidates.ts'
import type { LockedAmounts } from './session.ts'
import { type ValidityLimits, validityState } from './validity.ts'

/** Returns why it cannot: disabled, outside its dates and windows, used up, or not redeemable by this customer. */
export function usabilityRefusal(
  candidate: RedeemableCandidate,
  evaluation: EvaluationContext,
  held: LockedAmounts,
): RefusalBody | undefined {
  return (
    stateRefusal(candidate) ??
    windowRefusal(candidate, evaluation) ??
    quantityRefusal(candidate, held) ??
    referralRefusal(candidate, evaluation)
  )
}

/** Returns the object's own time limits, and the campaign's where its own are null or absent. */
export function inheritedLimits(own: ValidityLimits, campaign: Campaign | undefined): ValidityLimits {
  return {
    start_date: own.start_date ?? campaign?.start_date ?? null,
    expiration_date: own.expiration_date ?? campaign?.expiration_date ?? null,
    validity_timeframe: own.validity_timeframe ?? campaign?.validity_timeframe ?? null,
    validity_day_of_week: own.validity_day_of_week ?? campaign?.validity_day_of_week ?? null,
    validity_hours: own.validity_hours ?? campaign?.validity_hours ?? null,
  }
}

function stateRefusal({ voucher, tier, campaign }: RedeemableCandidate): RefusalBody | undefined {
  const isOff = [voucher, tier, campaign].some((owner) => owner?.active === false)
  if (!isOff) return undefined
  if (voucher) return refuse('voucher_disabled', voucher.code)
  return refuse('promotion_inactive', `Promotion Tier with id: ${tier?.id} is disabled.`)
}

function windowRefusal(
  { voucher, tier, campaign }: RedeemableCandidate,
  evaluation: EvaluationContext,
): RefusalBody | undefined {
  const own = voucher ?? tier
  if (!own) return undefined
  const state = validityState(inheritedLimits(own, campaign), evaluation.now, evaluation.snapshot.timeZone)
  if (state === 'open') return undefined
  if (!voucher) return refuse('promotion_not_active_now', own.id)
  switch (state) {
    case 'expired':
      return refuse('voucher_expired', voucher.code)
    case 'not_started':
      // ASSUMED A13: the wording; only the key is documented.
      return refuse('voucher_not_active', voucher.code)
    case 'outside':
      return refuse('voucher_not_active_now', voucher.code)
  }
}

function quantityRefusal({ voucher }: RedeemableCandidate, held: LockedAmounts): RefusalBody | undefined {
  const quantity = voucher?.redemption?.quantity
  if (!voucher || quantity === null || quantity === undefined) return undefined
  const used = (voucher.redemption?.redeemed_quantity ?? 0) + held.quantity
  // ASSUMED A13: the wording; only the key is documented.
  return used >= quantity ? refuse('quantity_exceeded', voucher.code) : undefined
}

function referralRefusal(
  { voucher }: RedeemableCandidate,
  { customer, snapshot }: EvaluationContext,
): RefusalBody | undefined {
  if (!voucher?.is_referral_code) return undefined
  const referrer = referrerOf(voucher)
  if (customer?.id !== undefined && customer.id === referrer)
    return refuse('referrer_not_permitted_to_redeem', voucher.code)
  // ASSUMED A14: a referral code without a holder is refused with the key of the holder calls.
  const isPublished = referrer !== undefined || snapshot.isPublished(voucher.id)
  return isPublished ? undefined : refuse('not_published', voucher.code)
}

// Whether a redeemable can be used at all just now, before anybody looks at rules or at the order.
// Source: docs/service/validations.md#eligibility-checks, checks 2-6.
import { refused } from '../failures.ts'
import type { Campaign, Locked, Refusal, WindowLimits } from '../model.ts'
import { referrerOf, type Situation } from '../pricing/incentive.ts'
import type { Candidate } from '../stacking/redeemables.ts'
import { windowState } from './windows.ts'

/** Says why it cannot: switched off, outside its dates and windows, used up, or not this customer's to redeem. */
export function usabilityRefusal(candidate: Candidate, situation: Situation, held: Locked): Refusal | undefined {
  return (
    stateRefusal(candidate) ??
    windowRefusal(candidate, situation) ??
    quantityRefusal(candidate, held) ??
    referralRefusal(candidate, situation)
  )
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

// Decides when a referral counts: a referee redeems, or triggers the program's event, once.
// Source: docs/service/referrals.md#conversion.

/** The part of a referral campaign that defines a conversion. */
export interface ReferralProgram {
  conversion_event_type: string
  custom_event?: { id?: string | null; name?: string | null } | null
}

/** What happened: a redemption of the code, or a custom event with the code. */
export type ReferralTrigger = { type: 'redemption' } | { type: 'custom_event'; event: string }

export type ConversionResult =
  | { converts: true; referrerId: string }
  | { converts: false; reason: 'other_event' | 'unpublished_code' | 'self_referral' | 'already_converted' }

/** The facts of the decision: the customers' ids, not their source ids. */
export interface ReferralCase {
  program: ReferralProgram
  trigger: ReferralTrigger
  /** The holder of the code, who is rewarded; absent while it is not published. */
  referrerId: string | undefined
  refereeId: string
  /** Whether this referee has converted on this code before. */
  hasConverted: boolean
}

/** Decides whether an action of a customer converts a referral. Being added as a holder is not a conversion. */
export function conversionOf({
  program,
  trigger,
  referrerId,
  refereeId,
  hasConverted,
}: ReferralCase): ConversionResult {
  if (!isAskedFor(program, trigger)) return { converts: false, reason: 'other_event' }
  if (referrerId === undefined) return { converts: false, reason: 'unpublished_code' }
  if (referrerId === refereeId) return { converts: false, reason: 'self_referral' }
  return hasConverted ? { converts: false, reason: 'already_converted' } : { converts: true, referrerId }
}

function isAskedFor(program: ReferralProgram, trigger: ReferralTrigger): boolean {
  if (program.conversion_event_type !== trigger.type) return false
  return trigger.type === 'redemption' || program.custom_event?.name === trigger.event
}

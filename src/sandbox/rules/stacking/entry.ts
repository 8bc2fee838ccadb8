// A redeemable after its evaluation: applied, refused or skipped.

import type { RefusalBody } from '../failures.ts'
import type { Bundle } from '../pricing/bundle.ts'
import type { Incentive } from '../pricing/incentive.ts'
import type { RedeemableCandidate } from './candidates.ts'
import type { SkipKey } from './limits.ts'

export type EvaluatedEntry =
  | { status: 'APPLICABLE'; candidate: RedeemableCandidate; incentive: Incentive }
  | { status: 'INAPPLICABLE'; candidate: RedeemableCandidate; refusal: RefusalBody; bundle?: Bundle }
  | { status: 'SKIPPED'; candidate: RedeemableCandidate; reason: SkipKey }

export type AppliedEntry = Extract<EvaluatedEntry, { status: 'APPLICABLE' }>

/** Returns the entries that took effect, in the order of application. */
export function appliedEntries(entries: readonly EvaluatedEntry[]): AppliedEntry[] {
  return entries.filter((entry) => entry.status === 'APPLICABLE')
}

// One redeemable after its evaluation: applied, refused or skipped.

import type { Refusal } from '../failures.ts'
import type { Incentive } from '../pricing/incentive.ts'
import type { SkipKey } from './limits.ts'
import type { Candidate } from './redeemables.ts'

export type Entry =
  | { status: 'APPLICABLE'; candidate: Candidate; incentive: Incentive }
  | { status: 'INAPPLICABLE'; candidate: Candidate; refusal: Refusal }
  | { status: 'SKIPPED'; candidate: Candidate; reason: SkipKey }

export type AppliedEntry = Extract<Entry, { status: 'APPLICABLE' }>

/** The entries that took effect, in the order of application. */
export function appliedEntries(entries: readonly Entry[]): AppliedEntry[] {
  return entries.filter((entry) => entry.status === 'APPLICABLE')
}

// Limits on how many redeemables may apply together, and the messages for those beyond.
// Source: docs/service/validations.md#exclusive-and-joint; docs/service/validations.md#limits.

import type { RefusalBody } from '../failures.ts'
import type { Bundle } from '../pricing/bundle.ts'
import type { Incentive } from '../pricing/incentive.ts'
import type { RedeemableCandidate } from './candidates.ts'
import type { StackingRules } from './stacking-rules.ts'

/** Why a valid redeemable was not applied; the values are the wire messages. */
export const skipMessages = {
  applicable_redeemables_limit_exceeded: 'Applicable redeemables limit exceeded',
  applicable_redeemables_per_category_limit_exceeded: 'Applicable redeemables limit per category exceeded',
  applicable_exclusive_redeemables_limit_exceeded: 'Applicable exclusive redeemables limit exceeded',
  applicable_exclusive_redeemables_per_category_limit_exceeded:
    'Applicable exclusive redeemables limit per category exceeded',
  exclusion_rules_not_met: 'Redeemable cannot be applied due to exclusion rules',
  preceding_validation_failed: 'Redeemable cannot be applied due to preceding validation failure',
  no_effect: 'Redeemable cannot be applied due to no effect',
} as const

export type SkipKey = keyof typeof skipMessages

/** Returns whether a redeemable's category never stacks with common ones. */
export function isExclusive({ category }: RedeemableCandidate, rules: StackingRules): boolean {
  return category !== undefined && rules.exclusive_categories.includes(category.id)
}

/** Returns whether a redeemable's category stacks with everything. */
export function isJoint({ category }: RedeemableCandidate, rules: StackingRules): boolean {
  return category !== undefined && rules.joint_categories.includes(category.id)
}

/**
 * Returns the limit that one more redeemable would exceed, counting those applied before it.
 *
 * ASSUMED A15: only redeemables with a category count towards limits per category; when several limits are exceeded,
 * the first in the documents' order is reported.
 */
export function limitExceeded(
  candidate: RedeemableCandidate,
  applied: readonly RedeemableCandidate[],
  rules: StackingRules,
): SkipKey | undefined {
  const { category } = candidate
  const inCategory = category ? applied.filter((other) => other.category?.id === category.id).length : 0
  if (applied.length >= rules.applicable_redeemables_limit) return 'applicable_redeemables_limit_exceeded'
  if (category) {
    const limit =
      rules.applicable_redeemables_category_limits[category.id] ?? rules.applicable_redeemables_per_category_limit
    if (inCategory >= limit) return 'applicable_redeemables_per_category_limit_exceeded'
  }
  if (!isExclusive(candidate, rules)) return undefined
  const exclusive = applied.filter((other) => isExclusive(other, rules)).length
  if (exclusive >= rules.applicable_exclusive_redeemables_limit)
    return 'applicable_exclusive_redeemables_limit_exceeded'
  // Either all or none of one category are exclusive, so the count above is valid here too.
  return inCategory >= rules.applicable_exclusive_redeemables_per_category_limit
    ? 'applicable_exclusive_redeemables_per_category_limit_exceeded'
    : undefined
}

// A redeemable after its evaluation: applied, refused or skipped.

export type EvaluatedEntry =
  | { status: 'APPLICABLE'; candidate: RedeemableCandidate; incentive: Incentive }
  | { status: 'INAPPLICABLE'; candidate: RedeemableCandidate; refusal: RefusalBody; bundle?: Bundle }
  | { status: 'SKIPPED'; candidate: RedeemableCandidate; reason: SkipKey }

export type AppliedEntry = Extract<EvaluatedEntry, { status: 'APPLICABLE' }>

/** Returns the entries that took effect, in the order of application. */
export function appliedEntries(entries: readonly EvaluatedEntry[]): AppliedEntry[] {
  return entries.filter((entry) => entry.status === 'APPLICABLE')
}

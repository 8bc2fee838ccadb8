// What the answer to a validation says about each redeemable, whichever of its three lists contains it.
import type { Validation } from '../../../contract/validations.ts'

/** One redeemable of an answer. */
export type Result = Validation['redeemables'][number]

/**
 * Returns every redeemable of an answer once: those of the main list in its order, then those of the other lists.
 *
 * In `PARTIAL` mode, redeemables that do not apply are in lists of their own; if none applies, they are in both.
 */
export function resultsOf(answer: Validation): Result[] {
  const { redeemables, inapplicable_redeemables = [], skipped_redeemables = [] } = answer
  const all = [...redeemables, ...inapplicable_redeemables, ...skipped_redeemables]
  return all.filter(({ object, id }, at) => all.findIndex((other) => other.object === object && other.id === id) === at)
}

/** The name of a redeemable in sentences: `voucher SUMMER`, `tier promo_1`. */
export function titleOf({ object, id }: Pick<Result, 'object' | 'id'>): string {
  return `${object.replace(/^promotion_/, '')} ${id}`
}

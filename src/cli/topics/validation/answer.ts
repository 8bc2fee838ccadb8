// What the answer to a validation says of each redeemable, whichever of its three lists it stands in.
import type { Validation } from '../../../contract/validations.ts'

/** One redeemable of an answer. */
export type Result = Validation['redeemables'][number]

/**
 * Gives every redeemable of an answer once: those of the main list in its order, then what was set aside.
 *
 * In the `PARTIAL` mode what does not apply stands in lists of its own, and, where nothing applies, in both.
 */
export function resultsOf(answer: Validation): Result[] {
  const { redeemables, inapplicable_redeemables = [], skipped_redeemables = [] } = answer
  const all = [...redeemables, ...inapplicable_redeemables, ...skipped_redeemables]
  return all.filter(({ object, id }, at) => all.findIndex((other) => other.object === object && other.id === id) === at)
}

/** How a redeemable is called in sentences: `voucher SUMMER`, `tier promo_1`. */
export function titleOf({ object, id }: Pick<Result, 'object' | 'id'>): string {
  return `${object.replace(/^promotion_/, '')} ${id}`
}

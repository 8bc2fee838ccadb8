// An answer, reduced to what a cart test compares, and where it differs from what was expected.
import type { Validation } from '../../../contract/validations.ts'
import { cellText } from '../../../output/form/cell.ts'
import { valueAt } from '../../../output/path.ts'
import { resultsOf } from './answer.ts'
import type { NewValidation } from './body.ts'

/** An answer as a cart test sees it. Amounts are in the smallest currency unit. */
export interface ComparedAnswer {
  valid: boolean
  /** 0 where the answer has none: the service omits amounts of zero. */
  total_discount_amount: unknown
  /** Absent when the service calculated no order. */
  total_amount?: unknown
  /** In the order in which the cart names its redeemables; the tiers of a stack in the order of the answer. */
  statuses: string[]
}

/** The part of an answer that is expected; what is absent is not compared. */
export type ExpectedAnswer = Partial<ComparedAnswer>

/** One difference. */
export interface Mismatch {
  field: keyof ComparedAnswer
  expected: unknown
  got: unknown
}

/** The fields that can be compared. */
export const comparedFields = ['valid', 'total_discount_amount', 'total_amount', 'statuses'] as const

/** Reduces an answer to what is compared. */
export function comparedAnswer(
  answer: Validation,
  { redeemables }: Pick<NewValidation, 'redeemables'>,
): ComparedAnswer {
  const results = resultsOf(answer)
  const placeOf = ({ object, id }: { object: string; id: string }) => {
    const at = redeemables.findIndex((asked) => asked.object === object && asked.id === id)
    return at === -1 ? redeemables.length : at
  }
  const total_amount = valueAt(answer.order, 'total_amount')
  return {
    valid: answer.valid,
    total_discount_amount: valueAt(answer.order, 'total_discount_amount') ?? 0,
    ...(total_amount !== undefined && { total_amount }),
    statuses: results.toSorted((one, other) => placeOf(one) - placeOf(other)).map(({ status }) => status),
  }
}

/** Returns the fields in which an answer differs from what was expected. */
export function mismatchesOf(expected: ExpectedAnswer, got: ComparedAnswer): Mismatch[] {
  return comparedFields
    .filter((field) => expected[field] !== undefined && cellText(expected[field]) !== cellText(got[field]))
    .map((field) => ({ field, expected: expected[field], got: got[field] ?? null }))
}

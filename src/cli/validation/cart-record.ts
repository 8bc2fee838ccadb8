// What became of one cart of many: as a record for programs and a row for people.
import type { Outcome } from '../../bulk/run.ts'
import type { Summary } from '../../bulk/summary.ts'
import type { Validation } from '../../contract/validations.ts'
import { cellText } from '../../output/cell.ts'
import type { Format } from '../../output/shape.ts'
import type { NewValidation } from './body.ts'
import type { Expectations } from './expectations.ts'
import { mismatchesOf, verdictOf } from './verdict.ts'

/**
 * Gives the record of one cart, and whether it is not what was expected of it: or, where nothing is expected, not valid.
 *
 * A cart without an answer is not wrong here; its `state` and `error` say what became of it.
 */
export function cartRecord(
  { row, state, value, error, requestId, attempts }: Outcome,
  expected: Expectations | undefined,
  format: Format,
) {
  const about = {
    t: 'item',
    line: row.line,
    state,
    ...(error !== undefined && { error: { kind: error.kind, message: error.message, ...error.facts } }),
    ...(requestId !== undefined && { request_id: requestId }),
    ...(attempts !== undefined && { attempts }),
  }
  if (state !== 'ok') return { record: about, isWrong: false }
  const answer = value as Validation
  const verdict = verdictOf(answer, row.fields as Pick<NewValidation, 'redeemables'>)
  const mismatches = mismatchesOf(expected?.get(row.line) ?? {}, verdict)
  const words = mismatches.map(
    ({ field, expected: wanted, got }) => `${field}: expected ${inWords(wanted)}, got ${inWords(got)}`,
  )
  return {
    record: {
      ...about,
      ...verdict,
      // One cell of words; as such it can be expected of the next run.
      ...((format === 'table' || format === 'csv') && { statuses: verdict.statuses.join(' ') }),
      ...(expected && { mismatches, mismatch: words.join('; ') }),
      validation: answer,
    },
    isWrong: expected === undefined ? !verdict.valid : mismatches.length > 0,
  }
}

function inWords(value: unknown): string {
  return Array.isArray(value) ? value.join(' ') : value === null ? 'none' : cellText(value)
}

/** The summary for people: `validated 12 carts: 10 as expected, 2 not (0.3 s)`. */
export function suiteLine({ total, counts, elapsedMs }: Summary, wrong: number, isCompared: boolean): string {
  const well = isCompared ? 'as expected' : 'valid'
  const parts = [`${counts.ok - wrong} ${well}`]
  if (wrong > 0) parts.push(`${wrong} not`)
  const unanswered = total - counts.ok
  if (unanswered > 0) parts.push(`${unanswered} without an answer`)
  return `validated ${total} cart${total === 1 ? '' : 's'}: ${parts.join(', ')} (${(elapsedMs / 1000).toFixed(1)} s)`
}

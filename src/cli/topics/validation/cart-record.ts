// The outcome of one cart of a file: as a record for programs and a row for people.
import { formatCount, formatNumber } from '../../../base/numbers.ts'
import type { Row } from '../../../bulk/input/row.ts'
import type { RowOutcome, RowResult } from '../../../bulk/run.ts'
import type { Summary } from '../../../bulk/summary.ts'
import type { Validation } from '../../../contract/validations.ts'
import { cellText } from '../../../output/form/cell.ts'
import { valueAt } from '../../../output/path.ts'
import { type Format, hasColumns } from '../../../output/shape.ts'
import { problemsIn } from '../../bulk/outcome-records.ts'
import type { NewValidation } from './body.ts'
import { comparedAnswer, type Mismatch, mismatchesOf } from './comparison.ts'
import type { Reached } from './coverage.ts'
import type { Expectations } from './expectations.ts'

/** How an answer differs from what it should be, as the journal keeps it; undefined: not at all. */
export function cartProblem(answer: Validation, row: Row, expected: Expectations | undefined): RowResult['error'] {
  const compared = comparedAnswer(answer, row.fields as Pick<NewValidation, 'redeemables'>)
  if (expected === undefined) return compared.valid ? undefined : noteError('not_valid', 'the cart is not valid')
  const mismatches = mismatchesOf(expected.get(row.line) ?? {}, compared)
  return mismatches.length === 0 ? undefined : noteError('not_as_expected', wordsOf(mismatches))
}

function noteError(key: string, message: string): NonNullable<RowResult['error']> {
  return { kind: 'partial', message, facts: { api: { key } } }
}

/**
 * Returns the record of one cart. `error` says why a row has no answer; `mismatches` lists where an answer is not as
 * expected.
 */
export function cartRecord(
  { row, state, value, error, requestId, attempts }: RowOutcome,
  expected: Expectations | undefined,
  format: Format,
): object {
  const about = {
    t: 'item',
    line: row.line,
    state,
    ...(error !== undefined &&
      state !== 'ok' && { error: { kind: error.kind, message: error.message, ...error.facts } }),
    ...(requestId !== undefined && { request_id: requestId }),
    ...(attempts !== undefined && { attempts }),
  }
  if (state !== 'ok') return about
  const answer = value as Validation
  const compared = comparedAnswer(answer, row.fields as Pick<NewValidation, 'redeemables'>)
  const mismatches = mismatchesOf(expected?.get(row.line) ?? {}, compared)
  return {
    ...about,
    ...compared,
    // One cell of words, which can serve as an expectation of the next run.
    ...(hasColumns(format) && { statuses: compared.statuses.join(' ') }),
    ...(expected && { mismatches, mismatch: wordsOf(mismatches) }),
    validation: answer,
  }
}

function wordsOf(mismatches: readonly Mismatch[]): string {
  return mismatches
    .map(({ field, expected, got }) => `${field}: expected ${inWords(expected)}, got ${inWords(got)}`)
    .join('; ')
}

function inWords(value: unknown): string {
  return Array.isArray(value) ? value.join(' ') : value === null ? 'none' : cellText(value)
}

/** What was taken off a cart. */
interface Loss {
  line: number
  amount: number
  discount: number
}

/** What was taken off many carts, and the carts that lost the largest part. */
export interface Losses {
  carts: number
  discount: number
  worst: Loss[]
}

const mostNamed = 3
const percentOf = ({ amount, discount }: Loss) => (discount * 100) / amount

/** Adds what an answer takes off the cart of a row. */
export function addLoss(losses: Losses, { order }: Validation, { line }: Row): void {
  const [amount = 0, discount = 0] = ['amount', 'total_discount_amount'].map((name) =>
    Number(valueAt(order, name) ?? 0),
  )
  if (!(amount > 0 && discount > 0)) return
  losses.carts += 1
  losses.discount += discount
  losses.worst = [...losses.worst, { line, amount, discount }]
    .toSorted((one, other) => percentOf(other) - percentOf(one) || other.discount - one.discount)
    .slice(0, mostNamed)
}

/** Returns what was taken off all carts, for programs. */
export function moneyOf({ carts, discount: total, worst }: Losses): object {
  return { carts, total, average: carts === 0 ? 0 : Math.round(total / carts), worst }
}

interface Suite {
  isCompared: boolean
  losses: Losses
  /** What the carts reached, where that is asked for. */
  reached: readonly Reached[] | undefined
}

/** The summary for people: `validated 12 carts: 10 as expected, 2 not (0.3 s); 840 off 7 carts, 120 on average, …`. */
export function suiteLine(
  { total, before, counts, noted, elapsedMs }: Summary,
  { isCompared, losses, reached }: Suite,
): string {
  const well = isCompared ? 'as expected' : 'valid'
  const parts = [`${counts.ok - noted} ${well}`]
  if (noted > 0) parts.push(`${noted} not`)
  const carts = [...parts, ...problemsIn(counts)].join(', ')
  const part = before > 0 ? ', by the carts of this run (--restart takes all)' : ''
  const coverage = reached === undefined ? '' : `; ${reachedInWords(reached)}${part}`
  return `validated ${formatCount(total, 'cart')}: ${carts} (${(elapsedMs / 1000).toFixed(1)} s)${inMoney(losses)}${coverage}`
}

function inMoney({ carts, discount, worst }: Losses): string {
  if (carts === 0) return ''
  const named = worst.map(
    (one) =>
      `line ${one.line} (${formatNumber(one.discount)} of ${formatNumber(one.amount)}, ${Math.round(percentOf(one))} %)`,
  )
  const average = formatNumber(Math.round(discount / carts))
  return `; ${formatNumber(discount)} off ${formatCount(carts, 'cart')}, ${average} on average, most off ${named.join(', ')}`
}

/** `3 of 8 conditions met and not met, 2 of 6 redeemables never asked for` */
function reachedInWords(rows: readonly Reached[]): string {
  const conditions = rows.filter(({ condition }) => condition !== null)
  const offers = rows.filter(({ condition }) => condition === null)
  const both = conditions.filter(({ result }) => result === 'both').length
  const missed = offers.filter(({ result }) => result === 'never asked').length
  return `${both} of ${formatCount(conditions.length, 'condition')} met and not met, ${missed} of ${formatCount(offers.length, 'redeemable')} never asked for`
}

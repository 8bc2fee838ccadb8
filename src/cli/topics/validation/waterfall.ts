// The arithmetic of an order, from its first amount to its last, as the service sent the figures.
import type { Validation } from '../../../contract/validations.ts'
import { cellText } from '../../../output/form/cell.ts'
import { type Result, resultsOf, titleOf } from './answer.ts'

/** One step: what happened, by how much the amount changed, and what was left; all as texts. */
export interface Step {
  step: string
  /** With its sign; absent in the first and the last line. */
  change?: string
  left?: string
}

interface Order {
  amount?: unknown
  initial_amount?: unknown
  total_amount?: unknown
  total_discount_amount?: unknown
  total_applied_discount_amount?: unknown
}

/**
 * Returns the steps from the initial amount to the total; none when the service calculated no order with an amount.
 *
 * The changes add up: where they would not (an amount below zero is raised to zero), a separate step says so. Figures are
 * the service's own, and no currency is assumed.
 */
export function waterfall(answer: Validation): Step[] {
  const order = answer.order as Order | undefined
  const start = order?.initial_amount ?? order?.amount
  if (order === undefined || start === undefined) return []
  const steps: Step[] = [{ step: 'initial amount', left: cellText(start) }]
  const applied = numberOf(order.total_applied_discount_amount)
  const earlier = difference(order.total_discount_amount, applied)
  if (earlier > 0) steps.push({ step: 'taken off by earlier redemptions', change: `-${earlier}` })

  const results = resultsOf(answer).filter(({ status, order: own }) => status === 'APPLICABLE' && own !== undefined)
  if (results.length > 0) steps.push(...stepsOf(results, start))
  else if (order.total_applied_discount_amount !== undefined) {
    steps.push({ step: 'taken off by all together', change: `-${cellText(order.total_applied_discount_amount)}` })
  }
  const sum = steps.reduce((total, { change }) => total + numberOf(change), numberOf(start))
  const rest = difference(order.total_amount, sum)
  if (rest !== 0) {
    const why = numberOf(order.total_amount) === 0 ? 'held at zero' : 'not explained by the answer'
    steps.push({ step: why, change: withSign(rest) })
  }
  return [...steps, { step: 'total', left: cellText(order.total_amount) }]
}

function stepsOf(results: readonly Result[], start: unknown): Step[] {
  let amount = start
  return results.flatMap((result): Step[] => {
    const order = result.order as Order
    const added = difference(order.amount ?? amount, amount)
    amount = order.amount ?? amount
    const left = order.total_amount === undefined ? {} : { left: cellText(order.total_amount) }
    const taken = order.total_applied_discount_amount
    return [
      ...(added === 0 ? [] : [{ step: `units added by ${titleOf(result)}`, change: withSign(added) }]),
      { step: titleOf(result), change: taken === undefined ? '0' : `-${cellText(taken)}`, ...left },
    ]
  })
}

function difference(one: unknown, other: unknown): number {
  return numberOf(one) - numberOf(other)
}

// A figure too large for a number is kept as text and ignored here: it is shown, but not used in calculations.
function numberOf(figure: unknown): number {
  const number = typeof figure === 'string' ? Number(figure) : figure
  return typeof number === 'number' && Number.isSafeInteger(number) ? number : 0
}

function withSign(change: number): string {
  return change > 0 ? `+${change}` : String(change)
}

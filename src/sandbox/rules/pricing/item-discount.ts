// Distributes a discount over the applicable lines of an order.
// Source: docs/service/pricing.md#rounding; docs/service/pricing.md#discount-types.

import type { LineSelection, LineShare } from './applicable.ts'
import { roundHalfUp } from './money.ts'
import { type OrderLine, subtotal } from './order.ts'

/** The discount of one line. */
export interface LineDiscount {
  line: OrderLine
  amount: number
}

/** Returns the part of a line's value that belongs to its applicable units. */
export function forCountedUnits(value: number, { line, units }: LineShare): number {
  return units >= line.quantity ? value : (value * units) / line.quantity
}

/** Returns what the applicable units of a line still cost. */
export function countedSubtotal(share: LineShare): number {
  return forCountedUnits(subtotal(share.line), share)
}

/** Discounts each line by `wanted`, within the line's own limit and what its applicable units still cost. */
export function discountPerLine(selection: LineSelection, wanted: (share: LineShare) => number): LineDiscount[] {
  return selection.shares.map((share) => {
    const amount = Math.min(roundHalfUp(wanted(share)), roundHalfUp(countedSubtotal(share)), share.amountLimit)
    return { line: share.line, amount: Math.max(0, amount) }
  })
}

/**
 * Splits one amount over the lines by weight.
 *
 * Shares are rounded half up; the rounding remainder goes to the last lines that can take it. The sum is the amount,
 * unless all lines together cannot take that much.
 */
export function splitByWeight(
  selection: LineSelection,
  amount: number,
  weight: (share: LineShare) => number,
): LineDiscount[] {
  // A line that costs nothing is excluded, or the others would get too little because of its weight.
  const rooms = discountPerLine(selection, countedSubtotal).map(({ line, amount: room }, at) => {
    const share = selection.shares[at]
    return { line, room, weight: share && room > 0 ? weight(share) : 0 }
  })
  const whole = rooms.reduce((sum, room) => sum + room.weight, 0)
  const total = Math.min(
    amount,
    rooms.reduce((sum, { room }) => sum + room, 0),
  )
  const parts = rooms.map((room) => ({
    ...room,
    amount: whole > 0 ? Math.min(room.room, roundHalfUp((total * room.weight) / whole)) : 0,
  }))
  let remainder = total - parts.reduce((sum, part) => sum + part.amount, 0)
  for (const part of parts.toReversed()) {
    const moved = Math.max(-part.amount, Math.min(remainder, part.room - part.amount))
    part.amount += moved
    remainder -= moved
  }
  return parts.map(({ line, amount: part }) => ({ line, amount: part }))
}

/** Limits the discounts, in order, to a total; with `lines`, only those are counted and limited. */
export function capDiscounts(
  discounts: readonly LineDiscount[],
  limit: number,
  lines?: readonly OrderLine[],
): LineDiscount[] {
  let room = limit
  return discounts.map(({ line, amount }) => {
    if (lines && !lines.includes(line)) return { line, amount }
    const taken = Math.min(amount, Math.max(0, room))
    room -= taken
    return { line, amount: taken }
  })
}

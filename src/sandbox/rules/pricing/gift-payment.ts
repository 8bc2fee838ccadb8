// Payment with a gift card. Source: docs/service/pricing.md#gift-cards.

import { missing, type RefusalBody, refuse } from '../failures.ts'
import type { Voucher } from '../redeemable.ts'
import type { LineSelection } from './applicable.ts'
import { countedSubtotal } from './item-discount.ts'
import { roundHalfUp } from './money.ts'
import { amountDue, discountOrder, type OrderLine, type OrderState } from './order.ts'

export interface GiftPayment {
  order: OrderState
  /** What the card pays. */
  credits: number
  /** The card's balance before, minus what other sessions hold. */
  balance: number
}

/**
 * Pays an order from a gift card: the requested credits, or as much as the balance allows, never more than is left to pay.
 *
 * Counts as an order-level discount, also when only some lines may be paid. `held` is what other sessions hold.
 */
export function payWithGift(
  order: OrderState | undefined,
  card: Voucher,
  asked: number | undefined,
  held: number,
  select: (lines: readonly OrderLine[]) => LineSelection,
): GiftPayment | { refusal: RefusalBody } {
  if (order?.amount === undefined) return { refusal: missing('amount') }
  const balance = Math.max(0, (card.gift?.balance ?? 0) - held)
  let payable = amountDue(order)
  if (card.gift?.effect === 'APPLY_TO_ITEMS') {
    const shares = select(order.items).shares.filter(({ line }) => line.amount !== undefined)
    if (shares.length === 0) return { refusal: missing('order_items_amount') }
    const lines = shares.reduce((sum, share) => sum + roundHalfUp(countedSubtotal(share)), 0)
    payable = Math.min(payable, lines)
  }
  if (asked !== undefined && asked > balance) {
    return { refusal: refuse('gift_amount_exceeded', card.code) }
  }
  const credits = Math.min(Math.max(0, asked ?? balance), payable)
  return { order: discountOrder(order, credits), credits, balance }
}

// Balances of gift and loyalty cards: every change is a transaction, and the balance is their sum.
// Source: docs/service/pricing.md#gift-cards; docs/service/pricing.md#pay-with-points; docs/service/loyalty.md#transaction.
import { type RefusalBody, refuse } from '../failures.ts'

/** The four counters of a balance. Gift cards count in the smallest currency unit, loyalty cards in points. */
export interface Card {
  kind: 'gift_voucher' | 'loyalty_card'
  voucher_id: string
  code: string
  campaign_id: string | null
  /** All units ever added to the card. */
  income: number
  subtracted: number
  expired: number
  redeemed: number
}

/** The change of a card as the listing of transactions shows it. */
export interface CardTransaction {
  id: string
  source_id: string | null
  voucher_id: string
  campaign_id: string | null
  source: string | null
  reason: string | null
  type: TransactionType
  details: Record<string, unknown> & { balance: BalanceDetails }
  related_transaction_id: string | null
  created_at: string
}

/** `points` (or `amount` on a gift card) is the signed change, `balance` the balance after it. */
export interface BalanceDetails {
  type: Card['kind']
  /** What was added to the card, minus manual removals and what expired; redemptions do not change it. */
  total: number
  object: 'balance'
  points?: number
  amount?: number
  balance: number
  operation_type: 'MANUAL' | 'AUTOMATIC'
  related_object: { id: string; type: 'voucher' }
}

/** A change to make to a card. `units` is an integer above zero; `type` determines the direction. */
export interface Movement {
  type: TransactionType
  units: number
  /** Channel label, such as `API`. Rules use `Automation`; redemptions have none. */
  source?: string | null
  reason?: string | null
  source_id?: string | null
  /** Whether a person or a rule changes the card, where the type leaves it open: credits are added by both. */
  operation_type?: 'MANUAL' | 'AUTOMATIC'
  /** Further details of the transaction: `redemption`, `reward`, `order`, `rollback`, `event`, `earning_rule`… */
  details?: Record<string, unknown>
  related_transaction_id?: string
}

/** The id and the instant of a transaction. */
export interface Stamp {
  id: string
  now: string
}

export type Moved = { card: Card; transaction: CardTransaction } | { refusal: RefusalBody }

export type TransactionType = keyof typeof effects

interface Effect {
  counter: 'income' | 'subtracted' | 'expired' | 'redeemed'
  /** The direction of the counter; the balance falls with every counter except income. */
  sign: 1 | -1
  operation_type: 'MANUAL' | 'AUTOMATIC'
  source?: string
}

const effects = {
  POINTS_ADDITION: { counter: 'income', sign: 1, operation_type: 'MANUAL' },
  POINTS_REMOVAL: { counter: 'subtracted', sign: 1, operation_type: 'MANUAL' },
  POINTS_ACCRUAL: { counter: 'income', sign: 1, operation_type: 'AUTOMATIC', source: 'Automation' },
  PENDING_POINTS_ACTIVATION: { counter: 'income', sign: 1, operation_type: 'AUTOMATIC' },
  POINTS_REDEMPTION: { counter: 'redeemed', sign: 1, operation_type: 'AUTOMATIC' },
  POINTS_REFUND: { counter: 'redeemed', sign: -1, operation_type: 'AUTOMATIC' },
  POINTS_EXPIRATION: { counter: 'expired', sign: 1, operation_type: 'AUTOMATIC' },
  POINTS_TRANSFER_IN: { counter: 'income', sign: 1, operation_type: 'MANUAL' },
  POINTS_TRANSFER_OUT: { counter: 'subtracted', sign: 1, operation_type: 'MANUAL' },
  CREDITS_ADDITION: { counter: 'income', sign: 1, operation_type: 'MANUAL' },
  CREDITS_REMOVAL: { counter: 'subtracted', sign: 1, operation_type: 'MANUAL' },
  CREDITS_REDEMPTION: { counter: 'redeemed', sign: 1, operation_type: 'AUTOMATIC' },
  CREDITS_REFUND: { counter: 'redeemed', sign: -1, operation_type: 'AUTOMATIC' },
} as const satisfies Record<string, Effect>

/** Returns the balance of a card. */
export function balanceOf({ income, subtracted, expired, redeemed }: Card): number {
  return income - subtracted - expired - redeemed
}

/**
 * Changes a card and returns the transaction.
 *
 * Refused: units that are not an integer above zero (`invalid_amount`), more than the card has
 * (`gift_amount_exceeded`, `loyalty_card_points_exceeded`), a refund of more than was redeemed, and points on a gift
 * card or credits on a loyalty card (`invalid_voucher`).
 */
export function move(card: Card, movement: Movement, stamp: Stamp): Moved {
  const effect: Effect = effects[movement.type]
  if (movement.type.includes('POINTS_') !== (card.kind === 'loyalty_card'))
    return { refusal: refuse('invalid_voucher', `${movement.type} is not for this kind of card`) }
  if (!Number.isSafeInteger(movement.units) || movement.units <= 0) return { refusal: invalidAmount() }

  const changed = { ...card, [effect.counter]: card[effect.counter] + effect.sign * movement.units }
  if (balanceOf(changed) < 0) return { refusal: refuseExceeded(card) }
  // ASSUMED A671: the answer to a refund beyond the redemptions is undocumented; it would create points from nothing.
  if (changed.redeemed < 0 || !Number.isSafeInteger(balanceOf(changed))) return { refusal: invalidAmount() }
  return {
    card: changed,
    transaction: transactionOf(changed, movement, effect, balanceOf(changed) - balanceOf(card), stamp),
  }
}

/** Returns the movement of a change by hand: a negative number of units is removed. */
export function adjustment(family: 'POINTS' | 'CREDITS', units: number): Pick<Movement, 'type' | 'units'> {
  return { type: `${family}_${units < 0 ? 'REMOVAL' : 'ADDITION'}`, units: Math.abs(units) }
}

function transactionOf(card: Card, movement: Movement, effect: Effect, change: number, stamp: Stamp): CardTransaction {
  return {
    id: stamp.id,
    source_id: movement.source_id ?? null,
    voucher_id: card.voucher_id,
    campaign_id: card.campaign_id,
    source: movement.source ?? effect.source ?? null,
    reason: movement.reason ?? null,
    type: movement.type,
    details: {
      ...movement.details,
      balance: {
        type: card.kind,
        total: card.income - card.subtracted - card.expired,
        object: 'balance',
        ...(card.kind === 'loyalty_card' ? { points: change } : { amount: change }),
        balance: balanceOf(card),
        operation_type: movement.operation_type ?? effect.operation_type,
        related_object: { id: card.voucher_id, type: 'voucher' },
      },
    },
    related_transaction_id: movement.related_transaction_id ?? null,
    created_at: stamp.now,
  }
}

function refuseExceeded({ kind, code }: Card): RefusalBody {
  return kind === 'loyalty_card' ? refuse('loyalty_card_points_exceeded', code) : refuse('gift_amount_exceeded', code)
}

function invalidAmount(): RefusalBody {
  return refuse('invalid_amount', 'Amount has to be a valid positive number')
}

// Reads the counters of a card from its voucher and writes them back. Source: docs/service/vouchers.md#gift.

/** The fields of a voucher that store a card's counters. */
export interface CardFields {
  gift?: { amount: number; balance: number; subtracted_amount?: number } | null
  loyalty_card?: { points: number; balance: number; subtracted_points?: number; expired_points?: number } | null
  redemption?: { redeemed_amount?: number; redeemed_points?: number }
}

/** Reads the counters; undefined for a voucher that is neither a gift nor a loyalty card. */
export function cardOf(
  voucher: CardFields & { id: string; code: string; campaign_id?: string | null; type: string },
): Card | undefined {
  const { id: voucher_id, code, campaign_id = null, gift, loyalty_card, redemption } = voucher
  if (voucher.type === 'LOYALTY_CARD' && loyalty_card) {
    return {
      kind: 'loyalty_card',
      voucher_id,
      code,
      campaign_id,
      income: loyalty_card.points,
      subtracted: loyalty_card.subtracted_points ?? 0,
      expired: loyalty_card.expired_points ?? 0,
      redeemed: redemption?.redeemed_points ?? 0,
    }
  }
  if (voucher.type === 'GIFT_VOUCHER' && gift) {
    return {
      kind: 'gift_voucher',
      voucher_id,
      code,
      campaign_id,
      income: gift.amount,
      subtracted: gift.subtracted_amount ?? 0,
      expired: 0,
      redeemed: redemption?.redeemed_amount ?? 0,
    }
  }
  return undefined
}

/** Writes the counters into a copy of the voucher; counters that are zero and were absent stay absent. */
export function withCard<V extends CardFields>(voucher: V, card: Card): V {
  const { income, subtracted, expired, redeemed } = card
  const balance = balanceOf(card)
  if (card.kind === 'gift_voucher') {
    const shown = subtracted > 0 || voucher.gift?.subtracted_amount !== undefined
    const gift = { ...voucher.gift, amount: income, balance, ...(shown && { subtracted_amount: subtracted }) }
    return { ...voucher, gift, redemption: { ...voucher.redemption, redeemed_amount: redeemed } }
  }
  const old = voucher.loyalty_card
  const loyalty_card = {
    ...old,
    points: income,
    balance,
    ...((subtracted > 0 || old?.subtracted_points !== undefined) && { subtracted_points: subtracted }),
    ...((expired > 0 || old?.expired_points !== undefined) && { expired_points: expired }),
  }
  return { ...voucher, loyalty_card, redemption: { ...voucher.redemption, redeemed_points: redeemed } }
}

// What is on the cards at an instant: the sum of their movements up to it, checked against what the service states.
import type { Card, CardEnd, Movement, Unit } from './movements.ts'

/** A card at an instant. Credits are in the smallest currency unit. */
export interface CardBalance {
  card_id: string
  code: string | null
  campaign_id: string | null
  unit: Unit
  balance: number
  /** What of it can still be used. */
  owed: number
  state: 'usable' | CardEnd['why']
  /** The last movement up to the instant. */
  moved_at: string | null
}

/** Where a card does not add up. */
export interface CardBreak {
  /** The transaction; null where the last balance is not the one that the card has now. */
  breaks_at: string | null
  broke_at: string | null
  /** The balance after it as the movements make it; null where it cannot be counted. */
  expected: number | null
  found: number | null
}

/** Returns a card at the end of an instant; undefined for one that did not exist yet. All its movements are read, and checked. */
export function balanceAt(card: Card, until: string, check: BreakCheck): CardBalance | undefined {
  let balance = 0
  let moved_at: string | null = null
  for (const movement of card.movements) {
    check.take(movement)
    if (movement.at > until) continue
    balance += movement.amount ?? 0
    moved_at = movement.at
  }
  if (moved_at === null && (card.createdAt === null || card.createdAt > until)) return undefined
  const state = card.ended !== undefined && card.ended.at <= until ? card.ended.why : 'usable'
  const { id: card_id, code, campaignId: campaign_id, unit } = card
  return { card_id, code, campaign_id, unit, balance, owed: state === 'usable' ? balance : 0, state, moved_at }
}

/** Takes the movements of a card, oldest first. */
export interface BreakCheck {
  take: (movement: Movement) => void
  /** Returns where the card does not add up; undefined for one that does. */
  end: () => CardBreak | undefined
}

/**
 * Returns a check for the first movement of a card after which its balance is not the one before plus the change, or where the last
 * one is not what the card has now.
 *
 * `completeUntil` is the instant up to which the copy has all transactions. A card that changed later, or was read before its last
 * movement, is not compared with what it has now.
 */
export function breakCheck(card: Card, completeUntil: string | undefined): BreakCheck {
  const { balance: has, updatedAt } = card
  let balance = 0
  let last = ''
  let found: CardBreak | undefined
  return {
    take({ id = null, at, amount, balance: stated }) {
      if (found !== undefined) return
      const expected = amount === null ? null : balance + amount
      if (expected === null || stated === null || expected !== stated)
        found = { breaks_at: id, broke_at: at, expected, found: stated }
      balance = stated ?? 0
      last = at
    },
    end() {
      if (found !== undefined || has === null || updatedAt === null || completeUntil === undefined) return found
      const isComparable = last <= updatedAt && updatedAt <= completeUntil
      if (!isComparable || has === balance) return undefined
      return { breaks_at: null, broke_at: updatedAt, expected: balance, found: has }
    },
  }
}

/** The cards of one campaign and unit at an instant. */
export interface BalanceSum {
  campaign_id: string | null
  unit: Unit
  cards: number
  balance: number
  owed: number
  expired: number
  switched_off: number
}

/** Adds up cards by campaign and unit, in the order in which they are met. */
export function sumsOf(cards: Iterable<CardBalance>): BalanceSum[] {
  const sums = new Map<string, BalanceSum>()
  for (const { campaign_id, unit, balance, owed, state } of cards) {
    const key = `${unit} ${campaign_id}`
    const sum = sums.get(key) ?? { campaign_id, unit, cards: 0, balance: 0, owed: 0, expired: 0, switched_off: 0 }
    sums.set(key, sum)
    sum.cards += 1
    sum.balance += balance
    sum.owed += owed
    if (state !== 'usable') sum[state] += balance
  }
  return [...sums.values()]
}

// What is on the cards at an instant: the sum of their movements up to it, checked against what the service states.
import type { Card, CardEnd, Unit } from './movements.ts'
import { brokenBalance } from './running-balance.ts'

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

/** Returns a card at the end of an instant; undefined for one that did not exist yet. */
export function balanceAt(card: Card, until: string): CardBalance | undefined {
  const past = card.movements.filter(({ at }) => at <= until)
  if (past.length === 0 && (card.createdAt === null || card.createdAt > until)) return undefined
  const balance = past.reduce((sum, { amount }) => sum + (amount ?? 0), 0)
  const state = card.ended !== undefined && card.ended.at <= until ? card.ended.why : 'usable'
  const { id: card_id, code, campaignId: campaign_id, unit } = card
  const moved_at = past.at(-1)?.at ?? null
  return { card_id, code, campaign_id, unit, balance, owed: state === 'usable' ? balance : 0, state, moved_at }
}

/**
 * Returns the first movement of a card after which its balance is not the one before plus the change, or where the last one is not
 * what the card has now; undefined for a card that adds up.
 *
 * `completeUntil` is the instant up to which the copy has all transactions. A card that changed later, or was read before its last
 * movement, is not compared with what it has now.
 */
export function breakOf(card: Card, completeUntil: string | undefined): CardBreak | undefined {
  let balance = 0
  for (const { id, at, amount, balance: found } of card.movements) {
    if (amount === null || found === null)
      return { breaks_at: id ?? null, broke_at: at, expected: amount === null ? null : balance + amount, found }
    const after = { id: id ?? '', createdAt: at, points: amount, balance: found }
    const broken = brokenBalance(card.id, { balance }, after)
    if (broken !== undefined) return { breaks_at: id ?? null, broke_at: at, expected: broken.expected, found }
    balance = found
  }
  const last = card.movements.at(-1)?.at ?? ''
  const isComparable =
    card.balance !== null &&
    card.updatedAt !== null &&
    completeUntil !== undefined &&
    last <= card.updatedAt &&
    card.updatedAt <= completeUntil
  if (!isComparable || card.balance === balance) return undefined
  return { breaks_at: null, broke_at: card.updatedAt, expected: balance, found: card.balance }
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

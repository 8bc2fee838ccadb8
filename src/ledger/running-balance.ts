// Does a running balance add up? On every card, the balance before plus the points of a change is the balance after.

/** A transaction whose balance does not follow from the one before it. Points; the names are those of the output. */
export interface BrokenBalance {
  voucher_id: string
  transaction_id: string
  created_at: string | undefined
  /** The balance after the card's previous transaction. */
  balance_before: number
  points: number
  /** The balance as it should be. */
  expected: number
  /** The balance that the transaction states. */
  found: number
}

/** Takes transactions one after the other and keeps one number per card. */
export interface BalanceCheck {
  /** Takes the next transaction; returns what is wrong, with this one or with the previous one. */
  take: (transaction: unknown) => BrokenBalance | undefined
  /** Transactions taken, their cards, and transactions without a whole number of points and balance. */
  counts: () => { transactions: number; cards: number; uncountable: number }
}

/** A transaction that can be counted: its signed change, and the balance after it. */
export interface CountedTransaction {
  id: string
  createdAt: string | undefined
  points: number
  balance: number
}

/**
 * Returns a check for transactions in one order, oldest or newest first, of any number of cards mixed.
 *
 * ASSUMED A802: the oldest transaction seen of a card is taken as correct, because a card may be created with points. A
 * transaction that cannot be counted starts its card over. Source: docs/service/loyalty.md#transaction.
 */
export function balanceCheck({ newestFirst }: { newestFirst: boolean }): BalanceCheck {
  const lastOfCard = new Map<string, CountedTransaction | undefined>()
  let transactions = 0
  let uncountable = 0

  return {
    take(transaction) {
      transactions += 1
      const card = cardOf(transaction)
      const known = knownOf(transaction)
      if (known === undefined) uncountable += 1
      const neighbour = lastOfCard.get(card)
      lastOfCard.set(card, known)
      if (known === undefined || neighbour === undefined) return undefined
      return newestFirst ? brokenBalance(card, known, neighbour) : brokenBalance(card, neighbour, known)
    },
    counts: () => ({ transactions, cards: lastOfCard.size, uncountable }),
  }
}

/** Says in a sentence what is wrong with a balance. */
export function brokenBalanceText({ transaction_id, balance_before, points, expected, found }: BrokenBalance): string {
  const sum = `${balance_before} ${points < 0 ? '-' : '+'} ${Math.abs(points)} = ${expected}`
  return `the running balance breaks at ${transaction_id}: ${sum}, but its balance is ${found}`
}

/** Returns what is wrong with a transaction after the one before it on the same card. */
function brokenBalance(
  card: string,
  before: Pick<CountedTransaction, 'balance'>,
  after: CountedTransaction,
): BrokenBalance | undefined {
  const expected = before.balance + after.points
  if (expected === after.balance) return undefined
  return {
    voucher_id: card,
    transaction_id: after.id,
    created_at: after.createdAt,
    balance_before: before.balance,
    points: after.points,
    expected,
    found: after.balance,
  }
}

interface Transaction {
  id?: unknown
  voucher_id?: unknown
  created_at?: unknown
  details?: { balance?: { points?: unknown; balance?: unknown } | null } | null
}

function cardOf(transaction: unknown): string {
  const { voucher_id } = transaction as Transaction
  return typeof voucher_id === 'string' ? voucher_id : ''
}

function knownOf(transaction: unknown): CountedTransaction | undefined {
  const { id, created_at, details } = transaction as Transaction
  const { points, balance } = details?.balance ?? {}
  if (typeof id !== 'string' || !isWhole(points) || !isWhole(balance)) return undefined
  return { id, createdAt: typeof created_at === 'string' ? created_at : undefined, points, balance }
}

function isWhole(value: unknown): value is number {
  return Number.isSafeInteger(value)
}

// What changed the balances of cards: one movement per transaction, and one for the credit that a card was created with.
// Source: docs/service/loyalty.md#transaction-types; docs/service/vouchers.md#transactions.
import type { DatabaseSync } from 'node:sqlite'
import { ownValue } from '../base/record.ts'

/** What a movement is, in the order of a report. */
export const movementKinds = [
  'issued',
  'earned',
  'added',
  'redeemed',
  'rolled_back',
  'expired',
  'removed',
  'transferred',
  'unknown',
] as const

export type MovementKind = (typeof movementKinds)[number]

export type Unit = 'credits' | 'points'

/** The movement that a transaction of each type is; of any other type it is `unknown`. */
const kindOfType: Readonly<Record<string, MovementKind>> = {
  POINTS_ACCRUAL: 'earned',
  PENDING_POINTS_ACTIVATION: 'earned',
  POINTS_ADDITION: 'added',
  CREDITS_ADDITION: 'added',
  POINTS_REDEMPTION: 'redeemed',
  CREDITS_REDEMPTION: 'redeemed',
  POINTS_REFUND: 'rolled_back',
  CREDITS_REFUND: 'rolled_back',
  POINTS_EXPIRATION: 'expired',
  POINTS_REMOVAL: 'removed',
  CREDITS_REMOVAL: 'removed',
  POINTS_TRANSFER_IN: 'transferred',
  POINTS_TRANSFER_OUT: 'transferred',
}

const unitOfCard = `iif(vouchers.type = 'LOYALTY_CARD', 'points', 'credits')`
const kindCase = `CASE transactions.type ${Object.entries(kindOfType)
  .map(([type, kind]) => `WHEN '${type}' THEN '${kind}'`)
  .join(' ')} ELSE 'unknown' END`
const isCard = `vouchers.type IN ('GIFT_VOUCHER', 'LOYALTY_CARD')`
const isUnmoved = 'NOT EXISTS (SELECT 1 FROM transactions WHERE transactions.card_id = vouchers.id)'

/**
 * The view `movements`: the credit that a card was created with is what it had before its first transaction; without any, what it
 * has. `seq` is the order of movements at one instant, together with `transaction_id`.
 */
export const movementsView = `
  CREATE VIEW movements AS
    SELECT vouchers.id AS card_id, code, campaign_id, ${unitOfCard} AS unit, created_at AS at, 0 AS seq,
      balance AS amount, 'issued' AS kind, NULL AS transaction_id, NULL AS redemption_id, NULL AS order_id, NULL AS reason
    FROM vouchers
    WHERE ${isCard} AND balance <> 0 AND ${isUnmoved}
    UNION ALL
    SELECT card_id, code, coalesce(vouchers.campaign_id, transactions.campaign_id), unit,
      min(coalesce(vouchers.created_at, transactions.created_at), transactions.created_at), 0,
      transactions.balance - amount, 'issued', NULL, NULL, NULL, NULL
    FROM transactions LEFT JOIN vouchers ON vouchers.id = card_id
    WHERE transactions.balance <> amount AND transactions.id = (SELECT id FROM transactions AS earlier
      WHERE earlier.card_id = transactions.card_id ORDER BY created_at, id LIMIT 1)
    UNION ALL
    SELECT card_id, code, coalesce(vouchers.campaign_id, transactions.campaign_id), unit, transactions.created_at, 1,
      amount, ${kindCase}, transactions.id, redemption_id, order_id, reason
    FROM transactions LEFT JOIN vouchers ON vouchers.id = card_id;
`

/** One change of a balance. */
export interface Movement {
  /** The transaction; undefined for the credit that a card was created with. */
  id: string | undefined
  /** An instant in UTC with milliseconds. */
  at: string
  kind: MovementKind
  /** Signed; null where it is no whole number that can be counted. */
  amount: number | null
  /** The balance after it as the service states it. */
  balance: number | null
}

/** A card with everything that moved its balance, oldest first. */
export interface Card {
  id: string
  /** Null for a card of which only transactions are known. */
  code: string | null
  campaignId: string | null
  unit: Unit
  /** What the card has now; null where it is not known. */
  balance: number | null
  createdAt: string | null
  /** When it was last changed, as far as the copy of the card knows. */
  updatedAt: string | null
  /** From when on its balance can no longer be used, and why; undefined as long as it can. */
  ended: CardEnd | undefined
  /** JSON as the service wrote it. */
  metadata: string | null
  /** Read once, before the next card is. */
  movements: Iterable<Movement>
}

export interface CardEnd {
  at: string
  why: 'expired' | 'switched_off'
}

interface VoucherRow {
  id: string
  code: string
  type: string | null
  campaign_id: string | null
  created_at: string | null
  updated_at: string | null
  active: number | null
  expires_at: string | null
  deleted_at: string | null
  balance: number | null
  metadata: string | null
}

type TransactionRow = [
  card: string,
  at: string,
  id: string,
  type: string,
  amount: number | null,
  balance: number | null,
]

/** A number that JavaScript cannot hold exactly is not counted. */
const whole = (column: string) =>
  `iif(${column} BETWEEN ${Number.MIN_SAFE_INTEGER} AND ${Number.MAX_SAFE_INTEGER}, ${column}, NULL)`

const voucherColumns = `id, code, type, campaign_id, created_at, updated_at, active, expires_at, deleted_at,
  ${whole('balance')} AS balance, metadata`

/**
 * Yields every card of a copy, or the one with this id, first those that have any transactions. A card with a million movements is
 * not held in memory.
 */
export function* cardsOf({ database }: { database: DatabaseSync }, cardId?: string): Generator<Card> {
  const [where, and, ...only] = cardId === undefined ? ['', ''] : ['WHERE card_id = ?', 'AND id = ?', cardId]
  const voucher = database.prepare(`SELECT ${voucherColumns} FROM vouchers WHERE id = ?`)
  const first = database.prepare(
    'SELECT unit, campaign_id AS campaignId FROM transactions WHERE card_id = ? ORDER BY created_at, id LIMIT 1',
  )
  // Each further column of a million rows takes a tenth of the time of a report.
  const transactions = database.prepare(
    `SELECT card_id, created_at, id, type, ${whole('amount')}, ${whole('balance')}
     FROM transactions ${where} ORDER BY card_id, created_at, id`,
  )
  transactions.setReturnArrays(true)
  const rows = (transactions.iterate(...only) as Iterable<unknown> as Iterable<TransactionRow>)[Symbol.iterator]()
  const read = (): TransactionRow | undefined => {
    const { done, value } = rows.next()
    return done ? undefined : value
  }
  let row = read()
  function* movementsOf(cardId: string, createdAt: string | null): Generator<Movement> {
    if (row === undefined) return
    const [, at, , , amount, balance] = row
    if (balance !== null && amount !== null && balance !== amount)
      yield issue(balance - amount, earliest(createdAt ?? at, at))
    for (; row?.[0] === cardId; row = read()) {
      const [, at, id, type, amount, balance] = row
      yield { id, at, kind: ownValue(kindOfType, type) ?? 'unknown', amount, balance }
    }
  }
  while (row !== undefined) {
    const [id] = row
    const known = voucher.get(id) as VoucherRow | undefined
    const movements = movementsOf(id, known?.created_at ?? null)
    const { type, campaign_id: campaignId } = known ?? { type: null, campaign_id: null }
    const said = type !== null && campaignId !== null ? { unit: unitOf(type), campaignId } : first.get(id)
    yield cardFrom(known, { id, ...(said as Pick<Card, 'unit' | 'campaignId'>), movements })
    // Whoever does not want a card does not read its movements.
    while (!movements.next().done);
  }
  const unmoved = database.prepare(`SELECT ${voucherColumns} FROM vouchers WHERE ${isCard} AND ${isUnmoved} ${and}`)
  for (const untouched of unmoved.iterate(...only) as Iterable<unknown> as Iterable<VoucherRow>) {
    const { id, type, campaign_id: campaignId, balance, created_at } = untouched
    const movements = balance === null || balance === 0 ? [] : [issue(balance, created_at ?? '')]
    yield cardFrom(untouched, { id, campaignId, unit: unitOf(type), movements })
  }
}

function unitOf(type: string | null): Unit {
  return type === 'LOYALTY_CARD' ? 'points' : 'credits'
}

function cardFrom(row: VoucherRow | undefined, known: Pick<Card, 'id' | 'unit' | 'campaignId' | 'movements'>): Card {
  return {
    id: known.id,
    code: row?.code ?? null,
    campaignId: row?.campaign_id ?? known.campaignId,
    unit: known.unit,
    balance: row?.balance ?? null,
    createdAt: row?.created_at ?? null,
    updatedAt: row?.updated_at ?? row?.created_at ?? null,
    ended: row && endOf(row),
    metadata: row?.metadata ?? null,
    movements: known.movements,
  }
}

function issue(amount: number, at: string): Movement {
  return { id: undefined, at, kind: 'issued', amount, balance: amount }
}

/**
 * The first of what ends a card. When one was switched off is not known: its last change is the latest moment at which it can have
 * been.
 */
function endOf({ active, expires_at, deleted_at, updated_at, created_at }: VoucherRow): CardEnd | undefined {
  const off = [deleted_at, active === 0 ? (updated_at ?? created_at ?? '') : null].filter((at) => at !== null)
  const offAt = off.length === 0 ? undefined : off.reduce(earliest)
  if (expires_at !== null && (offAt === undefined || expires_at <= offAt)) return { at: expires_at, why: 'expired' }
  return offAt === undefined ? undefined : { at: offAt, why: 'switched_off' }
}

function earliest(one: string, other: string): string {
  return one < other ? one : other
}

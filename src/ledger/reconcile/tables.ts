// The shop's orders beside the copy, in tables that SQLite keeps for this connection alone: a join in flat memory.
import { readJson } from '../../base/nesting.ts'
import type { Copy } from '../copy.ts'
import type { Case, Earned, ServiceOrder, ShopOrder, Use } from './case.ts'
import type { OrderState } from './states.ts'

/** Which orders are compared, and what of the copy with them. */
export interface Scope {
  /** Only the orders of the input: redemptions of others are not looked at. */
  isOnly: boolean
  /** The period of which the input has every order; without it, what the input does not have is not judged. */
  period?: { from: string; until: string } | undefined
  /** The instant until which the input has orders, as far as it is known. */
  until?: string | undefined
  /** Whether codes are the same in any case. */
  ignoresCase: boolean
}

/** A row of the input; its state is empty where nobody explained its word. */
export type ReadOrder = Omit<ShopOrder, 'state'> & { state: OrderState | '' }

/** The orders of the input, and what the service has of them. */
export interface Tables {
  /** Adds an order, or what a row says besides of an earlier one. Returns the member in which both contradict each other. */
  add: (order: ReadOrder) => keyof ShopOrder | undefined
  /** Adds the orders of the copy itself, or one of them. `readState` returns the state of one by its status. */
  addOwn: (readState: (status: string) => Pick<ReadOrder, 'word' | 'state'>, only?: string) => void
  /** The words for states that nobody explained, the most frequent first. */
  unexplained: () => { word: string; orders: number }[]
  count: () => { orders: number; matched: number; first: string | null; firstOfService: string | null }
  /** The first and the last time of the orders. */
  times: () => { from: string | null; until: string | null }
  /** Joins the copy; after the last order, before the cases. */
  join: (scope: Scope) => void
  /** Every order of the input, in its order, then every redemption whose order is none of them. */
  cases: (scope: Scope) => Iterable<Case>
  /** How many standing redemptions have an order that is none of the input, and are not judged. */
  unjudged: (scope: Scope) => number
  /** Whether a transaction was made to repair this difference. */
  isRepaired: (id: string) => boolean
}

const made = `
  PRAGMA temp.cache_size = -16384;
  CREATE TEMP TABLE shop (
    number TEXT PRIMARY KEY, line INTEGER, word TEXT, state TEXT, amount INTEGER, total INTEGER, discount INTEGER,
    refunded INTEGER, codes TEXT, at TEXT
  ) STRICT, WITHOUT ROWID;
  CREATE TEMP TABLE named (code TEXT PRIMARY KEY) STRICT, WITHOUT ROWID;
  CREATE TEMP TABLE known (code TEXT PRIMARY KEY, type TEXT) STRICT, WITHOUT ROWID;
  CREATE TEMP TABLE uses (number TEXT, id TEXT) STRICT;
  CREATE TEMP TABLE earned (number TEXT, id TEXT) STRICT;
  CREATE TEMP TABLE beyond (id TEXT PRIMARY KEY) STRICT, WITHOUT ROWID;
  CREATE TEMP TABLE repaired (id TEXT PRIMARY KEY) STRICT, WITHOUT ROWID;
`

/** The number of an order in the input, of a row of the copy: by the shop's number, or by the id of the service. */
const numberOf = (number: string) => `coalesce(
  (SELECT number FROM temp.shop WHERE number = coalesce(orders.source_id, ${number})),
  (SELECT number FROM temp.shop WHERE number = row.order_id),
  orders.source_id, ${number}, row.order_id)`

const succeeded = `row.kind = 'redemption' AND row.result = 'SUCCESS' AND row.object_type IS NOT 'redemption'`
const standing = `row.rollback_id IS NULL AND row.status IS NOT 'ROLLED_BACK'`
/** Standing redemptions whose order is none of the input. */
const unmatched = `${standing} AND (uses.number IS NULL OR uses.number NOT IN (SELECT number FROM temp.shop))`

const useOf = `json_object(
  'id', row.id, 'at', row.created_at, 'code', coalesce(row.code, row.object_id), 'object', row.object_id,
  'of', row.object_type, 'type', vouchers.type, 'parent', row.parent_id, 'discount', row.discount_amount,
  'credits', row.gift_amount, 'points', row.points,
  'rolledBackAt', coalesce(row.rolled_back_at, iif(row.status = 'ROLLED_BACK', row.created_at, NULL)),
  'isBeyond', json(iif(row.id IN (SELECT id FROM temp.beyond), 'true', 'false')))`

const ofUses = `temp.uses JOIN redemptions_paired AS row ON row.id = uses.id
  LEFT JOIN vouchers ON vouchers.id = row.object_id`

const orderOf = `json_object('id', orders.id, 'status', orders.status, 'amount', coalesce(orders.amount, row.order_amount),
  'total', orders.total_amount)`

/** Makes the tables. The connection may be one that only reads the copy. */
export function shopTables({ database, get, all, each, run }: Copy): Tables {
  database.exec(made)
  // One transaction for all orders; nothing else is written, and the copy is not read meanwhile.
  database.exec('BEGIN')
  const insert = `INSERT OR IGNORE INTO temp.shop VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`
  const put = ({ number, line, word, state, amount, total, discount, refunded, codes, at }: ReadOrder, verb = insert) =>
    run(verb, number, line, word, state, amount, total, discount, refunded, codes && JSON.stringify(codes), at)
  let ignoresCase = false

  /** Returns those of the shop's codes that the project has, each with its type. */
  function oursOf(codes: readonly string[]): Case['ours'] {
    const ours = new Map<string, string | null>()
    for (const code of codes) {
      const found = get<{ type: string | null }>(
        'SELECT type FROM temp.known WHERE code = ?',
        ignoresCase ? code.toLowerCase() : code,
      )
      if (found !== undefined) ours.set(code, found.type)
    }
    return ours
  }

  return {
    add(order) {
      if (put(order) === 1) return undefined
      const before = rowOf(get<ShopRow>('SELECT * FROM temp.shop WHERE number = ?', order.number) as ShopRow)
      for (const name of ['word', 'state', 'amount', 'total', 'discount', 'refunded', 'at'] as const) {
        const value = order[name]
        if (value === null || value === '' || before[name] === value) continue
        if (before[name] !== null && before[name] !== '') return name
        Object.assign(before, { [name]: value })
      }
      if (order.codes !== null) before.codes = [...new Set([...(before.codes ?? []), ...order.codes])]
      put(before, insert.replace('OR IGNORE', 'OR REPLACE'))
      return undefined
    },
    addOwn(readState, only) {
      const rows = each<{ number: string; status: string | null; at: string | null }>(
        `SELECT coalesce(source_id, id) AS number, status, created_at AS at FROM orders
         ${only === undefined ? '' : 'WHERE ? IN (source_id, id)'} ORDER BY created_at, id`,
        ...(only === undefined ? [] : [only]),
      )
      const none = { amount: null, total: null, discount: null, refunded: null, codes: null }
      let line = 0
      for (const { number, status, at } of rows) {
        line += 1
        put({ number, line, ...readState(status ?? ''), ...none, at })
      }
    },
    unexplained: () =>
      all<{ word: string; orders: number }>(
        `SELECT word, count(*) AS orders FROM temp.shop WHERE state = '' GROUP BY word ORDER BY orders DESC, word`,
      ),
    join(scope) {
      database.exec('COMMIT')
      ignoresCase = scope.ignoresCase
      const isOfInput = ['orders.source_id', 'row.order_number', 'row.order_id']
        .map((number) => `${number} IN (SELECT number FROM temp.shop)`)
        .join(' OR ')
      const fold = ignoresCase ? 'lower' : ''
      run(
        `INSERT INTO temp.uses SELECT ${numberOf('row.order_number')}, row.id
         FROM redemptions AS row LEFT JOIN orders ON orders.id = row.order_id WHERE ${succeeded}
         ${scope.isOnly ? `AND (${isOfInput})` : ''}`,
      )
      database.exec('CREATE INDEX temp.uses_by_number ON uses (number)')
      run(
        `INSERT INTO temp.earned SELECT shop.number, row.id FROM transactions AS row
         JOIN orders ON orders.id = row.order_id
         JOIN temp.shop ON shop.number = ${numberOf('NULL')} AND shop.state NOT IN ('paid', 'pending')
         WHERE row.unit = 'points' AND row.amount > 0 AND row.redemption_id IS NULL
           AND row.type IN ('POINTS_ACCRUAL', 'PENDING_POINTS_ACTIVATION')`,
      )
      database.exec('CREATE INDEX temp.earned_by_number ON earned (number)')
      run(
        `INSERT OR IGNORE INTO temp.named
         SELECT ${fold}(value) FROM temp.shop, json_each(shop.codes) WHERE codes IS NOT NULL`,
      )
      run(
        `INSERT OR IGNORE INTO temp.known SELECT ${fold}(code), type FROM vouchers
         WHERE deleted_at IS NULL AND ${fold}(code) IN (SELECT code FROM temp.named)`,
      )
      run(
        `INSERT INTO temp.beyond SELECT id FROM (
           SELECT row.id AS id, vouchers.redemption_limit AS most,
             row_number() OVER (PARTITION BY row.object_id ORDER BY row.created_at, row.id) AS place
           FROM redemptions_paired AS row JOIN vouchers ON vouchers.id = row.object_id
           WHERE ${succeeded} AND ${standing} AND vouchers.redeemed > vouchers.redemption_limit
         ) WHERE place > most`,
      )
      run(`INSERT OR IGNORE INTO temp.repaired SELECT source_id FROM transactions WHERE instr(source_id, '/') > 1`)
    },
    count() {
      const one = <Row>(sql: string) => get<Row>(sql) as Row
      return {
        ...one<{ orders: number; first: string | null }>(
          'SELECT count(*) AS orders, (SELECT number FROM temp.shop ORDER BY line LIMIT 1) AS first FROM temp.shop',
        ),
        ...one<{ matched: number }>(
          'SELECT count(*) AS matched FROM temp.shop WHERE number IN (SELECT number FROM temp.uses)',
        ),
        ...one<{ firstOfService: string | null }>(
          'SELECT (SELECT number FROM temp.uses WHERE number IS NOT NULL LIMIT 1) AS firstOfService',
        ),
      }
    },
    times: () =>
      get<{ from: string | null; until: string | null }>(
        'SELECT min(at) AS "from", max(at) AS until FROM temp.shop',
      ) as { from: string | null; until: string | null },
    *cases({ period }) {
      const rows = each<MatchedRow>(
        `SELECT shop.*,
           (SELECT json_group_array(${useOf}) FROM ${ofUses} WHERE uses.number = shop.number) AS uses,
           (SELECT ${orderOf} FROM ${ofUses} LEFT JOIN orders ON orders.id = row.order_id
            WHERE uses.number = shop.number ORDER BY row.created_at DESC LIMIT 1) AS "order",
           (SELECT json_group_array(json_object(
              'id', row.id, 'at', row.created_at, 'card', vouchers.code, 'points', row.amount))
            FROM temp.earned JOIN transactions AS row ON row.id = earned.id LEFT JOIN vouchers ON vouchers.id = row.card_id
            WHERE earned.number = shop.number) AS earned
         FROM temp.shop ORDER BY shop.line`,
      )
      for (const row of rows) {
        const shop = rowOf(row) as ShopOrder
        yield {
          number: shop.number,
          shop,
          order: row.order === null ? undefined : (readJson(row.order) as ServiceOrder),
          uses: (readJson(row.uses) as Use[]).toSorted(byTime),
          earned: readJson(row.earned) as Earned[],
          ours: oursOf(shop.codes ?? []),
        }
      }
      if (period === undefined) return
      const others = each<{ number: string | null; use: string }>(
        `SELECT uses.number AS number, ${useOf} AS use FROM ${ofUses}
         WHERE ${unmatched} AND row.created_at BETWEEN ? AND ? ORDER BY row.created_at, row.id`,
        period.from,
        period.until,
      )
      for (const { number: other, use } of others)
        yield {
          number: other,
          shop: undefined,
          order: undefined,
          uses: [readJson(use) as Use],
          earned: [],
          ours: new Map(),
        }
    },
    unjudged: ({ period }) =>
      (
        get<{ count: number }>(
          `SELECT count(*) AS count FROM ${ofUses} WHERE ${unmatched}
           ${period === undefined ? '' : 'AND row.created_at NOT BETWEEN ? AND ?'}`,
          ...(period === undefined ? [] : [period.from, period.until]),
        ) as { count: number }
      ).count,
    isRepaired: (id) => get('SELECT id FROM temp.repaired WHERE id = ?', id) !== undefined,
  }
}

type ShopRow = Omit<ReadOrder, 'codes'> & { codes: string | null }
type MatchedRow = ShopRow & Record<'uses' | 'earned', string> & { order: string | null }

function rowOf({ number, line, word, state, amount, total, discount, refunded, codes, at }: ShopRow): ReadOrder {
  const list = codes === null ? null : (readJson(codes) as string[])
  return { number, line, word, state, amount, total, discount, refunded, codes: list, at }
}

function byTime(one: Use, other: Use): number {
  return one.at < other.at || (one.at === other.at && one.id < other.id) ? -1 : 1
}

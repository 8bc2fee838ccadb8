// Fills the copy from the service: whole lists at first, then what is new and what changed. A page and the place where it ends are
// one commit, so a pull that was killed goes on there. Nothing of the project is changed.
import type { Client, RequestOf } from '../api/client.ts'
import type { Item } from '../api/list-answer.ts'
import { listCampaigns, listCampaignTransactions } from '../contract/campaigns.ts'
import { listCustomers } from '../contract/customers.ts'
import { withBounds } from '../contract/date-bounds.ts'
import type { DateField, Endpoint } from '../contract/endpoint.ts'
import { listOrders } from '../contract/orders.ts'
import { listPublications } from '../contract/publications.ts'
import { listRedemptions } from '../contract/redemptions.ts'
import { listVouchers } from '../contract/voucher-lists.ts'
import { listVoucherTransactions } from '../contract/voucher-transactions.ts'
import type { Copy } from './copy.ts'
import { rowOf } from './rows.ts'
import { type TableName, tables } from './schema.ts'

/** The lists that are read by date; `changes`: a row may change after it was created, and says when. */
const lists = {
  campaigns: { list: listCampaigns, changes: true },
  customers: { list: listCustomers, changes: true },
  vouchers: { list: listVouchers, changes: true },
  orders: { list: listOrders, changes: true },
  redemptions: { list: listRedemptions, changes: false },
  publications: { list: listPublications, changes: false },
} as const

type Listed = keyof typeof lists

/** The calls of a pull. */
export const pullCalls = [
  ...Object.values(lists).map(({ list }) => list),
  listCampaignTransactions,
  listVoucherTransactions,
]

/** What a service that commits late may still add before the newest row that was seen. */
const overlapMs = 600_000

export interface PullOptions {
  client: Client
  copy: Copy
  /** Keeps names and addresses, too. */
  withCustomers: boolean
  /** The time when the pull begins. */
  nowMs: number
  /** Told after each page. */
  onRows?: (table: TableName, rows: number) => void
}

/** Reads everything that is new; returns how many rows came, by table. Throws `CallError`, and what a list throws. */
export async function pull({
  client,
  copy,
  withCustomers,
  nowMs,
  onRows,
}: PullOptions): Promise<Map<TableName, number>> {
  const counts = new Map<TableName, number>()
  const keep = (table: TableName, items: readonly Item[], cursor: string, value: string | undefined) => {
    copy.transaction(() => {
      for (const item of items) store(copy, table, rowOf[table](item, withCustomers))
      if (value !== undefined) copy.run('INSERT OR REPLACE INTO cursors VALUES (?, ?)', cursor, value)
    })
    counts.set(table, (counts.get(table) ?? 0) + items.length)
    onRows?.(table, items.length)
  }

  for (const table of Object.keys(lists) as Listed[]) {
    const { list, changes } = lists[table]
    if (changes && cursorOf(copy, `${table}:updated_at`) === undefined)
      keep(table, [], `${table}:updated_at`, await newestChange(client, list))
    for (const field of changes ? (['created_at', 'updated_at'] as const) : (['created_at'] as const)) {
      const cursor = `${table}:${field}`
      const since = cursorOf(copy, cursor)
      for await (const page of pagesSince(client, list, field, since))
        keep(table, page, cursor, latest(page, field) ?? since)
    }
  }
  for (const { id } of copy.all<{ id: string }>(
    "SELECT id FROM campaigns WHERE type IS NULL OR type IN ('GIFT_VOUCHERS', 'LOYALTY_PROGRAM')",
  )) {
    const pages = client.pages(listCampaignTransactions, {
      path: { campaignId: id },
      query: { order: 'id', ...startingAfter(copy, 'campaign_id', id) },
    })
    for await (const page of pages) keep('transactions', page, `transactions:${id}`, lastId(page))
  }
  for (const { id } of copy.all<{ id: string }>(
    "SELECT id FROM vouchers WHERE campaign_id IS NULL AND deleted_at IS NULL AND type IN ('GIFT_VOUCHER', 'LOYALTY_CARD')",
  )) {
    const pages = client.pages(listVoucherTransactions, {
      path: { code: id },
      query: { order: 'id', ...startingAfter(copy, 'card_id', id) },
    })
    for await (const page of pages) keep('transactions', page, `transactions:${id}`, lastId(page))
  }
  await noteCompleteness(client, copy, nowMs)
  return counts
}

/** Compares what is held with what the service counts, and notes until when each table is complete. */
async function noteCompleteness(client: Client, copy: Copy, nowMs: number): Promise<void> {
  for (const table of tables) {
    const counted = table in lists ? await lengthOf(client, lists[table as Listed].list) : undefined
    const held = heldIn(copy, table)
    const missing =
      table === 'expirations'
        ? 'not read'
        : counted !== undefined && held < counted
          ? `the service counts ${counted}, and ${held} are here`
          : null
    const until = missing === null ? new Date(nowMs).toISOString() : null
    copy.run(
      'INSERT OR REPLACE INTO sources (name, complete_until, counted, held, missing) VALUES (?, ?, ?, ?, ?)',
      table,
      until,
      counted ?? null,
      held,
      missing,
    )
  }
}

async function lengthOf(client: Client, list: Endpoint): Promise<number | undefined> {
  const { total } = (await client.call(list, { query: { limit: 1 } } as RequestOf<Endpoint>)) as { total?: unknown }
  return typeof total === 'number' ? total : undefined
}

function heldIn(copy: Copy, table: TableName): number {
  const deleted = table === 'vouchers' ? ' WHERE deleted_at IS NULL' : ''
  return copy.get<{ held: number }>(`SELECT count(*) AS held FROM ${table}${deleted}`)?.held ?? 0
}

/** Yields the rows of a list from a little before an instant on, oldest first; all of them without one. */
function pagesSince(client: Client, list: Endpoint, field: DateField, since: string | undefined) {
  const { paging } = list
  const form = paging.style === 'page' ? paging.dates?.[field] : undefined
  const bounds = since === undefined ? {} : { afterMs: Date.parse(since) - overlapMs }
  const query = form === undefined ? {} : withBounds({ order: field }, form, field, bounds)
  return client.pages(list, { query } as RequestOf<Endpoint>)
}

/** Returns when the newest change of a list happened, by the clock of the service: what changes later has a later instant. */
async function newestChange(client: Client, list: Endpoint): Promise<string> {
  const request = { query: { order: '-updated_at' } } as RequestOf<Endpoint>
  for await (const item of client.items(list, request, { limit: 1 })) {
    if (typeof item.updated_at === 'string') return item.updated_at
  }
  return new Date(0).toISOString()
}

function latest(items: readonly Item[], field: DateField): string | undefined {
  const instants = items.map((item) => item[field]).filter((at) => typeof at === 'string')
  return instants.length === 0
    ? undefined
    : instants.reduce((one, other) => (Date.parse(one) < Date.parse(other) ? other : one))
}

function lastId(items: readonly Item[]): string | undefined {
  const id = items.at(-1)?.id
  return typeof id === 'string' ? id : undefined
}

/** The transaction after which a list goes on: one that is older than the newest by the overlap. */
function startingAfter(copy: Copy, of: 'campaign_id' | 'card_id', id: string): { starting_after_id?: string } {
  const newest = copy.get<{ at: string | null }>(
    `SELECT max(created_at) AS at FROM transactions WHERE ${of} = ?`,
    id,
  )?.at
  if (newest == null) return {}
  const before = new Date(Date.parse(newest) - overlapMs).toISOString()
  const from = copy.get<{ id: string }>(
    `SELECT id FROM transactions WHERE ${of} = ? AND created_at <= ? ORDER BY created_at DESC, id DESC LIMIT 1`,
    id,
    before,
  )
  return from === undefined ? {} : { starting_after_id: from.id }
}

function cursorOf(copy: Copy, list: string): string | undefined {
  return copy.get<{ value: string }>('SELECT value FROM cursors WHERE list = ?', list)?.value
}

/** Inserts a row, or replaces what is held of it. */
function store(copy: Copy, table: TableName, row: Readonly<Record<string, unknown>>): void {
  const columns = Object.keys(row)
  const changes = columns.filter((name) => name !== 'id').map((name) => `${name} = excluded.${name}`)
  copy.run(
    `INSERT INTO ${table} (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})
     ON CONFLICT (id) DO UPDATE SET ${changes.join(', ')}`,
    ...(Object.values(row) as never[]),
  )
  // The service shows it of the redemption, too, but changes no instant that could be asked for.
  if (row.kind === 'rollback' && row.result === 'SUCCESS')
    copy.run("UPDATE redemptions SET status = 'ROLLED_BACK' WHERE id = ?", row.rolls_back as string)
}

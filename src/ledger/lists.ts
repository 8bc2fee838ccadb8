// The lists of the service that fill the copy, and how each is read from where the pull before it ended.
import type { Client, RequestOf } from '../api/client.ts'
import type { Item } from '../api/list-answer.ts'
import { listCampaigns, listCampaignTransactions } from '../contract/campaigns.ts'
import { listCustomers } from '../contract/customers.ts'
import { type Between, withBounds } from '../contract/date-bounds.ts'
import type { DateField, Endpoint } from '../contract/endpoint.ts'
import { listOrders } from '../contract/orders.ts'
import { listPublications } from '../contract/publications.ts'
import { listRedemptions } from '../contract/redemptions.ts'
import { listVouchers } from '../contract/voucher-lists.ts'
import { listVoucherTransactions } from '../contract/voucher-transactions.ts'
import type { Copy } from './copy.ts'
import { cursorOf } from './store.ts'

/** The lists that are read by date, in their order; `changes`: a row may change after it was created, and says when. */
const lists = {
  campaigns: { list: listCampaigns, changes: true },
  customers: { list: listCustomers, changes: true },
  vouchers: { list: listVouchers, changes: true },
  orders: { list: listOrders, changes: true },
  redemptions: { list: listRedemptions, changes: false },
  publications: { list: listPublications, changes: false },
} as const

export type ListedTable = keyof typeof lists

/** Their names. */
export const listedTables = Object.keys(lists) as ListedTable[]

/** The calls of a pull. */
export const pullCalls = [
  ...Object.values(lists).map(({ list }) => list),
  listCampaignTransactions,
  listVoucherTransactions,
]

/** What a service that commits late may still add before the newest row that was seen. */
const overlapMs = 600_000

/** One walk through a list. */
export interface Walk {
  /** What the rows belong to, where that may be gone at the service. */
  of?: { table: 'campaigns' | 'vouchers'; id: string }
  /** Where the copy notes how far it came. */
  cursor: string
  pages: (onDoubt: () => void) => AsyncGenerator<Item[]>
  /** Returns the place after these rows. */
  placeAfter: (items: readonly Item[]) => string | undefined
  /** The place after all rows, where it is another one. */
  placeAtEnd?: string
}

/** The dates by which a table is read: what changed after what is new, so that changes meanwhile are among it. */
export function datesOf(table: ListedTable): readonly DateField[] {
  return lists[table].changes ? ['created_at', 'updated_at'] : ['created_at']
}

/** Returns the walk through the rows of a table that are new or changed since the last one, oldest first; `length` is how many. */
export function walkOf(client: Client, copy: Copy, table: ListedTable, field: DateField, length: number): Walk {
  const cursor = `${table}:${field}`
  const since = cursorOf(copy, cursor)
  const query = boundedSince(table, field, since)
  const pages =
    field === 'created_at' && length > rowsPerPart
      ? (onDoubt: () => void) => parts(client, table, since, length, onDoubt)
      : (onDoubt: () => void) =>
          client.pages(lists[table].list as Endpoint, { query } as RequestOf<Endpoint>, { onDoubt })
  return { cursor, pages, placeAfter: (items) => latest(items, field) }
}

/** The service counts what is left of a list for each page, which takes long where that is a million. */
const rowsPerPart = 10_000

/** Yields the pages of a long list, a part of its time after the other, each of about as many rows; the last part has no end. */
async function* parts(
  client: Client,
  table: ListedTable,
  since: string | undefined,
  length: number,
  onDoubt: () => void,
): AsyncGenerator<Item[]> {
  const list = lists[table].list as Endpoint
  const oldest = since ?? (await outermost(client, list, 'created_at'))
  const newestMs = Date.parse((await outermost(client, list, '-created_at')) ?? '')
  let fromMs = Date.parse(oldest ?? '') - overlapMs
  const stepMs = Math.ceil(((newestMs - fromMs) / length) * rowsPerPart)
  const read = (between: Between) =>
    client.pages(list, { query: bounded(table, 'created_at', between) } as RequestOf<Endpoint>, { onDoubt })
  // A bound may include its instant or not: the millisecond at the seam is read twice.
  for (; fromMs + stepMs < newestMs; fromMs += stepMs)
    yield* read({ afterMs: fromMs - 1, beforeMs: fromMs + stepMs + 1 })
  yield* read(Number.isNaN(fromMs) ? {} : { afterMs: fromMs - 1 })
}

async function outermost(client: Client, list: Endpoint, order: string): Promise<string | undefined> {
  for await (const item of client.items(list, { query: { order } } as RequestOf<Endpoint>, { limit: 1 }))
    if (typeof item.created_at === 'string') return item.created_at
  return undefined
}

/** Asks how many rows a walk from an instant on will read; undefined where the service does not count. */
export async function lengthSince(client: Client, table: ListedTable, field: DateField, since: string | undefined) {
  return await lengthOf(client, lists[table].list, boundedSince(table, field, since))
}

/** Asks how many rows of a table were created between two instants, both excluded. */
export async function lengthBetween(client: Client, table: ListedTable, between: Between) {
  return await lengthOf(client, lists[table].list, bounded(table, 'created_at', between))
}

/** Yields the pages of what was created between two instants. */
export function pagesBetween(client: Client, table: ListedTable, between: Between) {
  const request = { query: bounded(table, 'created_at', between) } as RequestOf<Endpoint>
  return client.pages(lists[table].list as Endpoint, request)
}

function boundedSince(table: ListedTable, field: DateField, since: string | undefined) {
  return bounded(table, field, since === undefined ? {} : { afterMs: Date.parse(since) - overlapMs })
}

function bounded(table: ListedTable, field: DateField, between: Between): Record<string, unknown> {
  const { paging } = lists[table].list as Endpoint
  const form = paging.style === 'page' ? paging.dates?.[field] : undefined
  if (form === undefined) throw new Error(`${table} cannot be read by ${field}`)
  return withBounds({ order: field }, form, field, between)
}

async function lengthOf(client: Client, list: Endpoint, query: Record<string, unknown>): Promise<number | undefined> {
  const request = { query: { ...query, limit: 1 } } as RequestOf<Endpoint>
  const { total } = (await client.call(list, request)) as { total?: unknown }
  return Number.isSafeInteger(total) ? (total as number) : undefined
}

/**
 * Returns when the newest change in a list happened, by the clock of the service: what changes later has no earlier instant.
 * Nothing changed yet: the beginning of time.
 */
export async function newestChange(client: Client, table: ListedTable): Promise<string> {
  const request = { query: { order: '-updated_at' } } as RequestOf<Endpoint>
  for await (const item of client.items(lists[table].list as Endpoint, request, { limit: 1 }))
    if (typeof item.updated_at === 'string') return item.updated_at
  return new Date(0).toISOString()
}

/** Returns the walks through the transactions of cards: those of a campaign together, and of each card that has none. */
export function transactionWalks(client: Client, copy: Copy): Walk[] {
  const campaigns = copy.all<{ id: string }>(
    `SELECT id FROM campaigns WHERE deleted_at IS NULL AND type IN ('GIFT_VOUCHERS', 'LOYALTY_PROGRAM')
     UNION SELECT campaign_id FROM vouchers
     WHERE type IN ('GIFT_VOUCHER', 'LOYALTY_CARD') AND campaign_id IS NOT NULL AND deleted_at IS NULL ORDER BY 1`,
  )
  // A card whose balance changes is changed itself, so it need not be asked again until then.
  const cards = copy.all<{ id: string; changed_at: string | null }>(
    `SELECT id, coalesce(updated_at, created_at) AS changed_at FROM vouchers
     LEFT JOIN cursors ON list = 'transactions:' || id
     WHERE campaign_id IS NULL AND deleted_at IS NULL AND type IN ('GIFT_VOUCHER', 'LOYALTY_CARD')
       AND (value IS NULL OR value IS NOT coalesce(updated_at, created_at))`,
  )
  const ofCampaigns = campaigns.map(({ id }): Walk => {
    const cursor = `transactions:${id}`
    const query = { order: 'id' as const, ...startingAfter(copy, id, cursorOf(copy, cursor)) }
    return {
      cursor,
      of: { table: 'campaigns', id },
      placeAfter: lastId,
      pages: (onDoubt) => client.pages(listCampaignTransactions, { path: { campaignId: id }, query }, { onDoubt }),
    }
  })
  const ofCards = cards.map(
    ({ id, changed_at }): Walk => ({
      cursor: `transactions:${id}`,
      of: { table: 'vouchers', id },
      placeAfter: () => undefined,
      ...(changed_at !== null && { placeAtEnd: changed_at }),
      pages: (onDoubt) =>
        client.pages(listVoucherTransactions, { path: { code: id }, query: { order: 'id' } }, { onDoubt }),
    }),
  )
  return [...ofCampaigns, ...ofCards]
}

/** The transaction after which the list of a campaign goes on: one that is older than the last by the overlap. */
function startingAfter(copy: Copy, campaignId: string, lastId: string | undefined): { starting_after_id?: string } {
  if (lastId === undefined) return {}
  const from = copy.get<{ id: string }>(
    `SELECT id FROM transactions WHERE campaign_id = ? AND created_at <= (
       SELECT strftime('%Y-%m-%dT%H:%M:%fZ', created_at, ?) FROM transactions WHERE id = ?
     ) ORDER BY created_at DESC, id DESC LIMIT 1`,
    campaignId,
    `-${overlapMs / 1000} seconds`,
    lastId,
  )
  return from === undefined ? {} : { starting_after_id: from.id }
}

function latest(items: readonly Item[], field: DateField): string | undefined {
  const instants = items.flatMap((item) => (typeof item[field] === 'string' ? Date.parse(item[field]) : []))
  return instants.length === 0 ? undefined : new Date(Math.max(...instants)).toISOString()
}

function lastId(items: readonly Item[]): string | undefined {
  const id = items.at(-1)?.id
  return typeof id === 'string' ? id : undefined
}

// What polling can see: lists of the service, newest first, and what each of their entries says has happened.
import type { Client } from '../../../api/client.ts'
import type { Item } from '../../../api/list-answer.ts'
import { formatNumber } from '../../../base/numbers.ts'
import { listAsyncActions } from '../../../contract/async-actions.ts'
import { listCampaigns } from '../../../contract/campaigns.ts'
import { listCustomers } from '../../../contract/customers.ts'
import { withBounds } from '../../../contract/date-bounds.ts'
import type { Endpoint } from '../../../contract/endpoint.ts'
import { listOrders } from '../../../contract/orders.ts'
import { listPublications } from '../../../contract/publications.ts'
import { listRedemptions } from '../../../contract/redemptions.ts'
import { listVouchers } from '../../../contract/voucher-lists.ts'
import { usageError } from '../../../errors.ts'
import { valueAt } from '../../../output/path.ts'
import { isNamedBy } from '../webhooks/events.ts'

/** The calls that polling makes. */
export const polledCalls = [
  listRedemptions,
  listPublications,
  listCustomers,
  listOrders,
  listAsyncActions,
  listVouchers,
  listCampaigns,
]

/** Something that happened, as a list shows it. */
export interface FeedItem {
  /** Of the service's clock. */
  at: string
  /** The name of the webhook event, where there is one. */
  type: string
  id: string
  /** The code, name or source id of what it happened to. */
  about?: string
  /** The customer, by source id or id. */
  customer?: string
  /** Why it failed, or its state. */
  detail?: string
  /** The entry of the list. */
  data: Item
}

/** A list that is polled. */
export interface Source {
  noun: string
  /** What its entries can say has happened. */
  types: readonly string[]
  /** Followed unless types are named. */
  isUsual?: boolean
  /** True: an entry says something new whenever its state changes, so entries are looked at again. */
  isChanging?: boolean
  /** Reads the newest entries, at most so many of them, where the list allows it only those after an instant in Unix time. */
  read: (client: Client, most: number, afterMs: number) => AsyncIterable<Item>
  happeningOf: (item: Item) => FeedItem
  /** Says whether an entry is to be shown; default: each is. */
  isNews?: (item: Item) => boolean
}

const pageSize = 50
const newest = { order: '-created_at' } as const

/**
 * Returns the changes that a list shows by the date of the last one: what the object is now, not what changed.
 *
 * ASSUMED A1202: an object that was created and not changed since has no `updated_at`, or that of its creation; the bound
 * leaves out those without.
 */
function changesOf(
  what: string,
  endpoint: Endpoint,
  detailOf: (item: Item) => string | undefined,
  isUsual = false,
): Source {
  const type = `${what}.updated`
  const bounds = (endpoint.paging.style === 'page' && endpoint.paging.dates?.updated_at) || 'filters'
  return {
    noun: `changed ${what}s`,
    types: [type],
    isUsual,
    read(client, limit, afterMs) {
      const query = withBounds({ order: '-updated_at' }, bounds, 'updated_at', { afterMs: Math.max(0, afterMs - 1) })
      return client.items(endpoint, { query } as object, { pageSize: 100, limit })
    },
    isNews: ({ created_at, updated_at }) => updated_at != null && updated_at !== created_at,
    happeningOf: (item) => ({ ...happening(item, type, detailOf(item)), at: textAt(item, 'updated_at') ?? '' }),
  }
}

const stateOf = ({ active }: Item) => (active === false ? 'off' : 'on')

function voucherNow(item: Item): string {
  const [points, left] = ['loyalty_card.balance', 'gift.balance'].map((path) => valueAt(item, path))
  const balance = typeof points === 'number' ? `, ${formatNumber(points)} points` : ''
  return `${stateOf(item)}${balance}${typeof left === 'number' ? `, ${formatNumber(left)} left` : ''}`
}

/**
 * ASSUMED A1462: without `--type`, the lists whose entries are single acts are followed, and changes of vouchers and
 * customers; new vouchers and campaigns are not, because a generation of codes would flood everything else.
 */
const sources: readonly Source[] = [
  {
    noun: 'redemptions',
    types: ['redemption.succeeded', 'redemption.failed', 'redemption.rollback.succeeded', 'redemption.rollback.failed'],
    isUsual: true,
    read: (client, limit) => client.items(listRedemptions, { query: newest }, { pageSize, limit }),
    happeningOf: (item) => {
      const act = item.object === 'redemption_rollback' ? 'redemption.rollback' : 'redemption'
      const why = textAt(item, 'failure_message') ?? textAt(item, 'failure_code') ?? textAt(item, 'reason')
      return happening(item, `${act}.${item.result === 'FAILURE' ? 'failed' : 'succeeded'}`, why)
    },
  },
  {
    noun: 'publications',
    types: ['publication.succeeded', 'publication.failed'],
    isUsual: true,
    read: (client, limit) => client.items(listPublications, { query: newest }, { pageSize, limit }),
    happeningOf: (item) => happening(item, `publication.${item.result === 'FAILURE' ? 'failed' : 'succeeded'}`),
  },
  {
    noun: 'customers',
    types: ['customer.created'],
    isUsual: true,
    read: (client, limit) => client.items(listCustomers, { query: newest }, { pageSize, limit }),
    happeningOf: (item) => happening(item, 'customer.created', textAt(item, 'name')),
  },
  {
    noun: 'orders',
    types: ['order.created'],
    isUsual: true,
    read: (client, limit) => client.items(listOrders, { query: newest }, { pageSize, limit }),
    happeningOf: (item) => happening(item, 'order.created', textAt(item, 'status')),
  },
  {
    noun: 'background jobs',
    types: ['async_action.accepted', 'async_action.in_progress', 'async_action.done', 'async_action.failed'],
    isUsual: true,
    isChanging: true,
    // One page is all that this list gives.
    read: (client) => client.items(listAsyncActions, { query: { limit: 100 } }),
    happeningOf: (item) => happening(item, `async_action.${String(item.status).toLowerCase()}`, textAt(item, 'type')),
  },
  {
    noun: 'vouchers',
    types: ['voucher.created'],
    read: (client, limit) => client.items(listVouchers, { query: newest }, { pageSize, limit }),
    happeningOf: (item) => happening(item, 'voucher.created', textAt(item, 'type')),
  },
  {
    noun: 'campaigns',
    types: ['campaign.created'],
    read: (client, limit) => client.items(listCampaigns, { query: newest }, { pageSize, limit }),
    happeningOf: (item) => happening(item, 'campaign.created', textAt(item, 'campaign_type')),
  },
  changesOf('customer', listCustomers, (item) => textAt(item, 'source_id'), true),
  changesOf('voucher', listVouchers, voucherNow, true),
  changesOf('campaign', listCampaigns, stateOf),
  changesOf('order', listOrders, (item) => textAt(item, 'status')),
]

/** Everything that polling can see. */
const polledTypes = sources.flatMap(({ types }) => types)

/**
 * Returns the lists to poll for these names and patterns, and which of their happenings are wanted.
 *
 * Throws `usage` for a name or pattern that fits nothing which a list shows.
 */
export function sourcesFor(words: readonly string[] = []): {
  polled: readonly Source[]
  isWanted: (type: string) => boolean
} {
  const wanted = words.flatMap((word) => word.split(',')).map((word) => word.trim())
  for (const word of wanted) {
    if (!polledTypes.some((type) => isNamedBy(word, type))) {
      const changes = `${word.split('.', 1)[0]}.updated`
      const near = polledTypes.includes(changes) ? changes : 'redemption.failed'
      throw usageError(
        `no list shows "${word}"; polling sees ${polledTypes.join(', ')}`,
        `--type ${near}, or --webhook URL, which delivers every event`,
      )
    }
  }
  if (wanted.length === 0) return { polled: sources.filter(({ isUsual }) => isUsual), isWanted: () => true }
  const isWanted = (type: string) => wanted.some((word) => isNamedBy(word, type))
  return { polled: sources.filter(({ types }) => types.some(isWanted)), isWanted }
}

/** Sums up what has happened to an object, from its own members. */
export function happening(item: Item, type: string, detail?: string): FeedItem {
  const about = first(item, [
    'voucher.code',
    'promotion_tier.name',
    'promotion_stack.name',
    'code',
    'campaign.name',
    'rule.name',
    'name',
    'source_id',
  ])
  const customer = first(item, ['customer.source_id', 'customer_id', 'customer.id', 'holder.source_id', 'holder.id'])
  return {
    at: textAt(item, 'created_at') ?? textAt(item, 'date') ?? '',
    type,
    id: String(item.id),
    ...(about !== undefined && about !== detail && { about }),
    ...(customer !== undefined && { customer }),
    ...(detail !== undefined && { detail }),
    data: item,
  }
}

function first(item: Item, paths: readonly string[]): string | undefined {
  return paths.map((path) => textAt(item, path)).find((text) => text !== undefined)
}

function textAt(item: Item, path: string): string | undefined {
  const value = valueAt(item, path)
  return typeof value === 'string' && value !== '' ? value : undefined
}

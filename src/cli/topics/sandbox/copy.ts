// A project copied into a data file: configuration as `promo config` reads it, and the data that is asked for, as one fixture.
import type { Client, RequestOf } from '../../../api/client.ts'
import { formatCount, formatNumber } from '../../../base/numbers.ts'
import { isRecord, ownValue } from '../../../base/record.ts'
import { type Identified, identify, type ProjectObject, type Read, readProject } from '../../../config/project.ts'
import { listCustomers } from '../../../contract/customers.ts'
import { withBounds } from '../../../contract/date-bounds.ts'
import type { Endpoint } from '../../../contract/endpoint.ts'
import { listPrograms } from '../../../contract/loyalty-programs.ts'
import { listOrders } from '../../../contract/orders.ts'
import { listAssignments } from '../../../contract/validation-rules.ts'
import { listVouchers } from '../../../contract/voucher-lists.ts'
import type { Kind } from '../../../model/kind.ts'
import { fileKinds, kindNamed, partsOf } from '../../../model/kinds.ts'
import { withReferences } from '../config/pull.ts'
import type { Pseudonyms } from './pseudonyms.ts'

type Wire = Record<string, unknown>

/** The kinds of data that are copied only where they are named, in the order in which they refer to each other. */
const dataKinds = ['customers', 'codes', 'cards', 'orders'] as const
type DataKind = (typeof dataKinds)[number]

/** The kinds that `--only` names. */
export const copiedKinds = [...fileKinds, ...dataKinds]

const lists = { customers: listCustomers, codes: listVouchers, cards: listVouchers, orders: listOrders } as const

/** Where a fixture has the objects of each kind; the other two are objects of their own. */
export const collections: Readonly<Record<string, string>> = {
  'metadata-schemas': 'metadata_schemas',
  'event-schemas': 'event_schemas',
  categories: 'categories',
  products: 'products',
  'product-collections': 'product_collections',
  segments: 'segments',
  rules: 'validation_rules',
  rewards: 'rewards',
  campaigns: 'campaigns',
  'campaigns/tiers': 'promotion_tiers',
  'campaigns/stacks': 'promotion_stacks',
  'campaigns/earning_rules': 'earning_rules',
  'campaigns/offers': 'reward_assignments',
  'campaigns/loyalty_tiers': 'loyalty_tiers',
  webhooks: 'webhooks',
}

/** What is copied. */
export interface Selection {
  /** The kinds of configuration that were named; empty: all of it. */
  configured: readonly string[]
  data: readonly DataKind[]
  /** Only data that was created after this instant. */
  sinceMs?: number | undefined
}

/** Divides the names of `--only`. */
export function selectionOf(only: readonly string[] = [], sinceMs?: number): Selection {
  return {
    configured: only.filter((name) => fileKinds.includes(name)),
    data: dataKinds.filter((name) => only.includes(name)),
    sinceMs,
  }
}

/** How much there is of a kind, and about how many requests read it. */
export interface Estimate {
  kind: string
  /** Null where the service does not say. */
  objects: number | null
  requests: number
}

const pageSize = 100

/** Asks how long each list is, with one request each. What the keys cannot read costs nothing later. Throws `CallError`. */
export async function estimate(client: Client, { data, sinceMs }: Selection): Promise<Estimate[]> {
  const programs = await lengthOf(client, listPrograms, {})
  const estimates: Estimate[] = []
  for (const name of fileKinds) {
    const kind = kindNamed(name)
    let requests = 0
    let objects: number | null = kind.isSingle ? 1 : null
    // One product at a time, as often as others refer to one: that is not known yet.
    if (!kind.isCatalogue) {
      const total = kind.isSingle ? undefined : await lengthOf(client, kind.calls.list, {})
      objects = total ?? objects
      requests = pagesOf(total)
    }
    for (const part of partsOf(kind))
      requests +=
        part.within?.field === undefined ? (programs ?? 1) : pagesOf(await lengthOf(client, part.calls.list, {}))
    estimates.push({ kind: name, objects, requests })
  }
  const assignments = pagesOf(await lengthOf(client, listAssignments, {}))
  estimates.push({ kind: 'assignments of rules', objects: null, requests: assignments })
  for (const { kind, list, query } of readings(data, sinceMs)) {
    const total = await lengthOf(client, list, query)
    estimates.push({ kind, objects: total ?? null, requests: pagesOf(total) })
  }
  return estimates
}

/** The pages of a list, and the look at its length after the last one. */
function pagesOf(total: number | undefined): number {
  const pages = Math.max(1, Math.ceil((total ?? 0) / pageSize))
  return pages > 1 ? pages + 1 : pages
}

async function lengthOf(client: Client, list: Endpoint, query: Wire): Promise<number | undefined> {
  const first = { ...query, limit: 1 }
  if (list.paging.style !== 'page' || list.path.includes('{') || list.query?.safeParse(first).success === false)
    return undefined
  const { total } = (await client.call(list, { query: first } as RequestOf<Endpoint>)) as { total?: unknown }
  return typeof total === 'number' ? total : undefined
}

interface Reading {
  kind: string
  list: Endpoint
  query: Wire
}

/** The lists that are read for the data: codes and cards are one list, and one of them is a part of it. */
function readings(data: readonly DataKind[], sinceMs: number | undefined): Reading[] {
  const isBoth = data.includes('codes') && data.includes('cards')
  return data.flatMap((kind) => {
    if (kind === 'cards' && isBoth) return []
    const list = lists[kind]
    const isPart = list === listVouchers && !isBoth
    const query = isPart ? { filters: { type: { conditions: { $in: typesOf(data) } } } } : {}
    const bounded =
      sinceMs === undefined
        ? query
        : withBounds(query, list === listOrders ? 'filters' : 'period', 'created_at', { afterMs: sinceMs - 1 })
    return [{ kind: kind === 'codes' && isBoth ? 'codes, cards' : kind, list, query: bounded }]
  })
}

/** The types of codes and cards that are asked for. */
function typesOf(data: readonly DataKind[]): string[] {
  const [code, ...cards] = ['DISCOUNT_VOUCHER', 'GIFT_VOUCHER', 'LOYALTY_CARD'] as const
  return [...(data.includes('codes') ? [code] : []), ...(data.includes('cards') ? cards : [])]
}

/** A project as a fixture. */
export interface Copied {
  fixture: Record<string, unknown>
  /** What is told of it: what could not be read or is not in it. */
  notes: string[]
  /** Kinds that the keys cannot read. */
  unreadable: readonly string[]
  /** The address of each configured object, by its id. */
  addresses: ReadonlyMap<string, string>
}

/**
 * Reads a project: configuration by the reader of `promo config`, then data, oldest first. Nothing of it is changed.
 *
 * Throws `CallError`, and `usage` as a pull does.
 */
export async function copyProject(
  client: Client,
  projectId: string,
  { configured, data, sinceMs }: Selection,
  people: Pseudonyms,
): Promise<Copied> {
  const whole = configured.filter((name) => kindNamed(name).isCatalogue)
  const read = await readProject(client, projectId, { managed: fileKinds, whole, wanted: new Map() })
  const all = identify(read, new Map(), new Map())
  const { objects } = configured.length === 0 ? all : withReferences(all, addressesOf(all, configured))
  const parts: Record<string, Wire[]> = {}
  const fixture: Record<string, unknown> = {}
  const into = (collection: string, wire: Wire) => {
    parts[collection] ??= []
    parts[collection].push(wire)
  }
  const notes = read.unreadable.map((kind) => `${kind} cannot be read: the profile has no management keys`)
  // Codes show the assignments of their campaign, too; an object shows more of them than their list says.
  const assignments = new Map<unknown, Wire>()
  const assign = (found: readonly Wire[]) => {
    for (const one of found) if (!assignments.has(one.id)) assignments.set(one.id, one)
  }
  const found = await dataOf(client, data, sinceMs, people)
  for (const object of objects.values()) {
    const { kind, wire } = object
    if (kind.name === 'settings') fixture.settings = settingsOf(wire, kind)
    else if (kind.name === 'stacking-rules') fixture.stacking_rules = wire
    else if (kind.name === 'webhooks') into('webhooks', membersOf(wire, kind))
    else {
      const { skus, ...shown } = people.ofConfiguration(wire)
      into(ownValue(collections, kind.name) ?? kind.name, shown)
      if (kind.name === 'products') for (const sku of listIn(skus)) into('skus', sku)
      else if (skus !== undefined) shown.skus = skus
    }
    assign(listIn(wire.validation_rules_assignments ?? wire.validation_rule_assignments))
    assign(assignmentsOf(object, read))
    const why = kind.lost?.(wire)
    if (why !== undefined) notes.push(`${object.address} is not complete: its customers are not copied`)
  }
  const customers = new Set(found.customers.map(({ id }) => id))
  let without = 0
  const withoutLost = (wire: Wire, ...names: string[]): Wire => {
    const lost = names.filter((name) => wire[name] != null && !customers.has(wire[name]))
    if (lost.length === 0) return wire
    without += 1
    return { ...wire, ...Object.fromEntries(lost.map((name) => [name, null])) }
  }
  for (const wire of found.customers) into('customers', wire)
  for (const wire of found.vouchers) {
    into('vouchers', withoutLost(wire, 'holder_id', 'referrer_id'))
    assign(listIn(wire.validation_rules_assignments))
  }
  for (const { customer: _customer, referrer: _referrer, ...wire } of found.orders)
    into('orders', withoutLost(wire, 'customer_id', 'referrer_id'))
  if (without === 1)
    notes.push('1 code, card or order names a customer that was not copied; it belongs to no customer here')
  if (without > 1)
    notes.push(
      `${formatNumber(without)} codes, cards or orders name customers that were not copied; they belong to no customer here`,
    )
  const expiring = found.vouchers.filter(
    ({ loyalty_card: card }) => isRecord(card) && card.next_expiration_date != null,
  )
  if (expiring.length > 0)
    notes.push(
      `${formatCount(expiring.length, 'card')} with points that expire: their dates are not copied, so the points never expire here`,
    )
  parts.validation_rules_assignments = [...assignments.values()]
  return {
    fixture: { ...fixture, ...parts },
    notes,
    unreadable: read.unreadable,
    addresses: new Map([...objects.values()].map(({ id, address }) => [id, address])),
  }
}

function addressesOf({ objects }: Identified, names: readonly string[]): string[] {
  return [...objects.values()].filter(({ kind }) => names.includes(kind.name)).map(({ address }) => address)
}

/** What the embedded service keeps of a project's settings: what is configured, and whether codes differ by case. */
function settingsOf(wire: Wire, kind: Kind): Wire {
  const { case_sensitive_codes } = wire
  return { ...membersOf(wire, kind), ...(case_sensitive_codes === false && { case_sensitive_codes }) }
}

/** An object without what only the service writes, such as a secret. */
function membersOf(wire: Wire, kind: Kind): Wire {
  const names = [...(kind.isSingle ? [] : ['id', 'created_at']), ...Object.keys(kind.members)]
  return Object.fromEntries(names.flatMap((name) => (wire[name] == null ? [] : [[name, wire[name]]])))
}

function assignmentsOf({ id, kind, wire }: ProjectObject, { assigned }: Read): Wire[] {
  const own = (assigned.get(id) ?? []).map((one) => ({
    ...one,
    related_object_id: id,
    related_object_type: kind.ruled,
  }))
  const { validation_rule_id: rule_id } = wire
  return kind.name === 'campaigns/earning_rules' && typeof rule_id === 'string'
    ? [{ id: `asgm_${id}`, rule_id, related_object_id: id, related_object_type: 'earning_rule' }]
    : own
}

/** Returns the objects of a list, or of one that another object shows. */
export function listIn(list: unknown): Wire[] {
  const items = isRecord(list) ? list.data : list
  return Array.isArray(items) ? items.filter(isRecord) : []
}

/** Reads the data, people first: what they say is replaced in what is read later. */
async function dataOf(client: Client, data: readonly DataKind[], sinceMs: number | undefined, people: Pseudonyms) {
  const found = { customers: [] as Wire[], vouchers: [] as Wire[], orders: [] as Wire[] }
  const types = typesOf(data)
  for (const { list, query } of readings(data, sinceMs)) {
    const isPeople = list === listCustomers
    const into = isPeople ? found.customers : list === listOrders ? found.orders : found.vouchers
    const items = client.items(list, { query: { ...query, order: 'created_at' } } as RequestOf<Endpoint>)
    for await (const item of items) {
      if (list === listVouchers && !types.includes(String(item.type))) continue
      into.push(isPeople ? people.ofCustomer(item) : people.ofData(item))
    }
  }
  return found
}

/** What an object is called in messages: its address, or its collection and what it is known by. */
export function addressIn(collection: string, wire: Readonly<Wire>, addresses: ReadonlyMap<string, string>): string {
  const address = typeof wire.id === 'string' ? addresses.get(wire.id) : undefined
  const name = [wire.code, wire.source_id, wire.name, wire.id].find((one) => typeof one === 'string')
  return address ?? (name === undefined ? collection : `${collection}/${name}`)
}

// Orders from the order calls: created, or changed when they exist. Source: docs/service/orders.md#create.
import type { z } from 'zod'
import type { newOrder, updateOrder } from '../../../contract/orders.ts'
import { duplicate, notFound } from '../../http/refusal.ts'
import type { BodyOf, Context } from '../../http/route.ts'
import { calculateOrder, type OrderState } from '../../rules/pricing/order.ts'
import { orders, type StoredOrder } from '../../stores/orders.ts'
import { upsertCustomer } from '../customers/upsert.ts'
import { evaluationSubject } from '../evaluation/request.ts'
import { snapshotWithLineIds } from '../evaluation/snapshot.ts'
import { findByIds, mergeMetadata, storeUpdate } from '../update.ts'
import { orderFacts, type SavedOrder, storeOrder } from './save.ts'

export type OrderBody = z.output<typeof newOrder>

/**
 * Stores an order; changes the one with the same id, or without an id the same source id. Stores its customer and its
 * referrer. Throws 404 (unknown id of the order or a person), 409 (source id of another order) or 400 (metadata).
 */
export function upsertOrder(body: OrderBody, context: Context): SavedOrder {
  const before = findByIds(context.in(orders), body)
  if (before) return changeOrder(before, body, context)
  // As in a redemption (A16): the service makes the ids of orders, the shop's own is the source id.
  if (body.id != null) throw notFound('order', body.id)
  const state = priceOrder(undefined, body, context)
  const people = peopleOf(undefined, body, context)
  const order = orderFacts(
    {
      ...state,
      id: context.id(orders.prefix),
      created_at: context.now,
      status: body.status ?? 'CREATED',
      referrer_id: people.referrer_id ?? undefined,
    },
    { customer_id: people.customer_id, updated_at: null, metadata: body.metadata ?? undefined },
  )
  mustBeFree(order.source_id, context)
  return storeOrder(undefined, order, context)
}

/** Changes an order. Omitted members keep their value, null clears, metadata is merged. Throws as upsertOrder does. */
export function changeOrder(before: StoredOrder, body: BodyOf<typeof updateOrder>, context: Context): SavedOrder {
  const people = peopleOf(before, body, context)
  const facts = {
    id: before.id,
    source_id: (body.source_id === undefined ? before.source_id : body.source_id) ?? null,
    created_at: before.created_at,
    status: body.status ?? before.status,
  }
  const about = {
    customer_id: people.customer_id,
    updated_at: before.updated_at ?? null,
    metadata: body.metadata === undefined ? before.metadata : mergeMetadata(before.metadata, body.metadata),
    ...(before.redemptions && { redemptions: before.redemptions }),
  }
  // What a redemption applied to an order stays on it until its lines or amounts change.
  const order: StoredOrder = pricing.some((name) => body[name] !== undefined)
    ? orderFacts(
        {
          ...priceOrder(before, body, context),
          ...facts,
          source_id: facts.source_id ?? undefined,
          referrer_id: people.referrer_id ?? undefined,
        },
        about,
      )
    : { ...before, ...facts, ...people, ...(about.metadata && { metadata: about.metadata }) }
  if (order.source_id !== (before.source_id ?? null)) mustBeFree(order.source_id, context)
  const { doc, isChanged } = storeUpdate(orders, before, order, context)
  return isChanged ? storeOrder(before, doc, context) : { order: before, isNewlyPaid: false }
}

const pricing = ['amount', 'initial_amount', 'discount_amount', 'items'] as const

/** Prices the lines, over those that are stored; without an amount the lines decide. */
function priceOrder(before: StoredOrder | undefined, body: OrderBody, context: Context): OrderState {
  const cleared = Object.entries(body).flatMap(([name, value]) => (value === null ? [name] : []))
  const kept = before && Object.fromEntries(Object.entries(before).filter(([name]) => !cleared.includes(name)))
  const { id: _id, ...facts } = evaluationSubject({ order: withoutPeople(body) }).order ?? {}
  // Only the order that was found is the starting point: a source id may equal the id of another one.
  const catalogue = { ...snapshotWithLineIds(context), order: () => kept as StoredOrder | undefined }
  return calculateOrder(catalogue, before ? { ...facts, id: before.id } : facts) as OrderState
}

function withoutPeople({ customer: _c, customer_id: _ci, referrer: _r, referrer_id: _ri, ...order }: OrderBody) {
  const set = Object.entries(order).filter(([, value]) => value !== null)
  return Object.fromEntries(set) as NonNullable<Parameters<typeof evaluationSubject>[0]['order']>
}

/** Stores the people an order names; one without ids is always new. */
function peopleOf(before: StoredOrder | undefined, body: OrderBody, context: Context) {
  const { customer, customer_id, referrer, referrer_id } = body
  return {
    customer_id: personOf(customer, customer_id, before?.customer_id ?? null, context),
    referrer_id: personOf(referrer, referrer_id, before?.referrer_id ?? null, context),
  }
}

function personOf(
  person: OrderBody['customer'],
  id: string | null | undefined,
  before: string | null,
  context: Context,
): string | null {
  if (person) return upsertCustomer(person, context).id
  if (id != null) return id === before ? id : upsertCustomer({ id }, context).id
  return person === null || id === null ? null : before
}

function mustBeFree(sourceId: string | null | undefined, context: Context): void {
  if (sourceId != null && context.in(orders).holdsKey(sourceId)) throw duplicate('order', sourceId)
}

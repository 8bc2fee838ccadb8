// Orders that are stored on their own. Those of redemptions are among them; the schema that requests share is in order.ts.
// Source: docs/service/orders.md#calls; docs/service/orders.md#fields.
import { z } from 'zod'
import { bothWays, byPage, callsAbout, filters, listing, pages } from './calls-about.ts'
import { customer } from './customer.ts'
import { endpoint } from './endpoint.ts'
import { order, orderItem, orderStatuses } from './order.ts'

/** An order to store. Nothing is required; null is the same as nothing in a new order, and clears a member of a stored one. */
export const newOrder = order.extend({
  status: z.enum(orderStatuses).nullish(),
  amount: order.shape.amount.nullish(),
  initial_amount: order.shape.initial_amount.nullish(),
  discount_amount: order.shape.discount_amount.nullish(),
  items: z.array(orderItem).max(500).nullish(),
  customer: customer.nullish(),
  referrer: customer.nullish(),
})

/** An order as the service returns it. Amounts are in the smallest currency unit. */
const storedOrder = z.looseObject({
  id: z.string(),
  source_id: z.string().nullable(),
  status: z.enum(orderStatuses),
  created_at: z.string(),
  updated_at: z.string().nullable(),
  amount: z.int().optional(),
  total_amount: z.int().optional(),
  items: z.array(z.looseObject({ object: z.literal('order_item') })).optional(),
  customer_id: z.string().nullable(),
  customer: z.looseObject({ id: z.string(), object: z.literal('customer') }).optional(),
  referrer_id: z.string().nullable(),
  object: z.literal('order'),
})

const calls = callsAbout('orders', '/v1/orders/{orderId}', {
  response: storedOrder,
  source: 'docs/service/orders.md',
})

/** Stores an order; an existing one with the same id or source id is changed instead. */
export const createOrder = calls.create(
  newOrder,
  { repeat: 'reconcile', proof: { by: 'list', read: { call: () => listOrders } } },
  'Create an order',
  'create',
)

/** Reads one order, by id or source id. */
export const getOrder = calls.get('Get an order', 'get')

/** Changes an order, by id or source id; omitted fields keep their values, its lines too. */
export const updateOrder = calls.update(newOrder.omit({ id: true }), 'Update an order', 'update')

/** Lists orders, newest first by default. */
export const listOrders = endpoint('orders.list', 'List orders', {
  ...listing,
  call: 'GET /v1/orders',
  query: z.strictObject({
    ...byPage,
    order: bothWays('created_at', 'updated_at', 'status').optional(),
    filters: filters.optional(),
  }),
  paging: pages(100, { dates: { created_at: 'filters', updated_at: 'filters' }, exportedAs: 'orders' }),
  source: 'docs/service/orders.md#list',
})

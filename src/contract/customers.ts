// Stored customers. The schema that requests share is in customer.ts.
// Source: docs/service/customers.md#list; docs/service/customers.md#calls; docs/service/customers.md#fields.
import { z } from 'zod'
import { activityListing, bothWays, callsAbout, filteredListing, listing, pages, period } from './calls-about.ts'
import { customer } from './customer.ts'
import { endpoint } from './endpoint.ts'
import { dateTime, metadata, pageSize } from './fields.ts'

const count = z.int().min(0)

/** What a customer redeemed and bought. Amounts are in the smallest currency unit. */
const summary = z.looseObject({
  redemptions: z.looseObject({
    total_redeemed: count,
    total_failed: count,
    total_succeeded: count,
    total_rolled_back: count,
    total_rollback_failed: count,
    total_rollback_succeeded: count,
    gift: z.looseObject({ redeemed_amount: z.int(), amount_to_go: z.int() }),
    loyalty_card: z.looseObject({ redeemed_points: z.int(), points_to_go: z.int() }),
  }),
  orders: z.looseObject({
    total_amount: z.int(),
    total_count: count,
    average_amount: z.int(),
    last_order_amount: z.int(),
  }),
})

/** A customer as the service returns it; members that are not set are absent. */
export const storedCustomer = z.looseObject({
  id: z.string(),
  source_id: z.string().nullish(),
  name: z.string().nullish(),
  summary: summary.optional(),
  loyalty: z
    .looseObject({ points: z.int(), referred_customers: count, campaigns: z.record(z.string(), z.looseObject({})) })
    .optional(),
  referrals: z.looseObject({ total: count, campaigns: z.array(z.looseObject({})) }).optional(),
  system_metadata: z.looseObject({}).optional(),
  metadata: metadata.optional(),
  created_at: z.string().optional(),
  updated_at: z.string().nullish(),
  object: z.literal('customer'),
})

const calls = callsAbout('customers', '/v1/customers/{customerId}', {
  response: storedCustomer,
  source: 'docs/service/customers.md',
})

/**
 * Lists customers. The last page is 99.
 *
 * `starting_after` continues after an instant, the `created_at` of the last customer seen; it reaches beyond page 99, but
 * misses customers of that same instant.
 */
export const listCustomers = endpoint('customers.list', 'List customers', {
  ...listing,
  call: 'GET /v1/customers',
  query: z.strictObject({
    limit: pageSize.optional(),
    page: z.int().min(1).max(99).optional(),
    order: bothWays('created_at', 'updated_at', 'source_id').optional(),
    email: z.string().optional(),
    name: z.string().optional(),
    city: z.string().optional(),
    segment_id: z.string().optional(),
    starting_after: dateTime.optional(),
    created_at: period.optional(),
    updated_at: period.optional(),
  }),
  paging: pages(99, { dates: { created_at: 'period', updated_at: 'period' }, exportedAs: 'customers' }),
  source: 'docs/service/customers.md#list',
})

/** Reads one customer, by id or source id. */
export const getCustomer = calls.get('Get a customer', 'get')

/** Stores a customer; an existing one with the same id or source id is changed instead. */
export const createCustomer = calls.create(
  customer,
  { repeat: 'reconcile', proof: { by: 'list', read: { call: () => listCustomers } } },
  'Create a customer',
  'create',
)

/** What can be changed of a customer. */
export const changedCustomer = customer.omit({ id: true, source_id: true })

/** Changes a customer, by id or source id; omitted fields keep their values, the source id cannot be changed. */
export const updateCustomer = calls.update(changedCustomer, 'Update a customer', 'update')

/** Removes a customer, by id or source id. */
export const deleteCustomer = calls.delete('Delete a customer', 'delete')

export const listCustomerRedeemables = calls.listOf(
  'redeemables',
  filteredListing,
  'List what a customer holds',
  'redeemables',
)

/** Lists what happened to a customer and by them, newest first: the events that webhooks receive. */
export const listCustomerActivity = calls.listOf('activity', activityListing, 'List the activity of a customer')

/** The same under the older name of the call. */
export const listCustomerActivities = calls.listOf(
  'activities',
  activityListing,
  'List the activity of a customer (older call)',
)

/** Removes a customer with their orders and activity, permanently and at once. */
export const deleteCustomerPermanently = endpoint('customers.permanent-deletion', 'Delete a customer permanently', {
  call: 'POST /v1/customers/{customerId}/permanent-deletion',
  response: z.looseObject({
    id: z.string(),
    created_at: z.string(),
    related_object: z.literal('customer'),
    related_object_id: z.string(),
    status: z.literal('DONE'),
    data_json: z.looseObject({
      events: count,
      customer_events: count,
      daily_events: count,
      segments: count,
      orders: count,
      order_events: count,
      customer: count,
    }),
    // The service's own spelling.
    object: z.literal('pernament_deletion'),
  }),
  repeat: 'idempotent',
  confirm: 'final',
  source: 'docs/service/customers.md#permanent-deletion',
})

// The customer calls.
// Source: docs/service/customers.md#list; docs/service/customers.md#calls; docs/service/customers.md#fields;
// docs/service/customers.md#references; docs/service/customers.md#delete; docs/service/customers.md#permanent-deletion.

import * as bulk from '../../contract/bulk.ts'
import { customer } from '../../contract/customer.ts'
import type { listCustomers } from '../../contract/customers.ts'
import * as contract from '../../contract/customers.ts'
import { customerAnswer } from '../answers/customers.ts'
import { routesFor } from '../answers/existing.ts'
import { checkBody } from '../http/check-input.ts'
import { invalidQuery } from '../http/refusal.ts'
import { type Context, type QueryOf, type Resource, route } from '../http/route.ts'
import { answerStarted } from '../resources/async-actions/progress.ts'
import { rowWork, sourcedUpdates } from '../resources/async-actions/row-work.ts'
import { anyMetadata, anyRows, type CsvRow, metadataReader } from '../resources/async-actions/rows.ts'
import { customerRedeemables } from '../resources/customers/redeemables.ts'
import { knownCustomer, loadCustomer, updateCustomer, upsertCustomer } from '../resources/customers/upsert.ts'
import { activityOf } from '../resources/events/activity.ts'
import { areAll, type Condition, is, isBeforeOrAfter, isIn } from '../storage/conditions.ts'
import { restrictionsOf } from '../storage/filters.ts'
import { customers, membersOf, type StoredCustomer, segments } from '../stores/customers.ts'
import { orders } from '../stores/orders.ts'

const routeFor = routesFor('customerId', knownCustomer)

/** Customers, by id or source id. */
export const customerResource: Resource = {
  collections: [customers],
  load: { customers: loadCustomer },
  routes: [
    route(contract.listCustomers, ({ query }, context) => {
      const { items, ...counts } = customerPage(query, context)
      return {
        object: 'list',
        data_ref: 'customers',
        customers: items.map((item) => customerAnswer(item, context)),
        ...counts,
      }
    }),
    route(contract.createCustomer, ({ body }, context) => customerAnswer(upsertCustomer(body, context), context)),
    routeFor(contract.getCustomer, (customer, context) => customerAnswer(customer, context)),
    routeFor(contract.updateCustomer, (customer, context, { body }) =>
      customerAnswer(updateCustomer(customer, body, context), context),
    ),
    routeFor(contract.deleteCustomer, deleteCustomer),
    routeFor(contract.deleteCustomerPermanently, (customer, context) => deletePermanently(customer, context)),
    ...routeFor([contract.listCustomerActivity, contract.listCustomerActivities], (customer, context, { query }) =>
      activityOf(customer, query, context),
    ),
    routeFor(contract.listCustomerRedeemables, (customer, context, { query }) =>
      customerRedeemables(customer, query, context),
    ),
  ],
}

type Query = QueryOf<typeof listCustomers>

/** Lists customers; `total` counts all matches, wherever the listing starts. Throws 400 for a cursor that cannot be used. */
function customerPage(query: Query, context: Context) {
  // ASSUMED A170: customers are listed newest first.
  const { limit = 10, page = 1, order = '-created_at', starting_after } = query
  const table = context.in(customers)
  const where = customerConditions(query, context)
  if (starting_after === undefined) {
    const { items, total } = table.page(where, order, limit, page)
    return { items, total, has_more: page * limit < total }
  }
  // ASSUMED A171: starting_after follows the order, which must be by created_at, and cannot be combined with a page number.
  if (query.page !== undefined) throw invalidQuery('Property .starting_after cannot be combined with property .page')
  if (order !== 'created_at' && order !== '-created_at')
    throw invalidQuery('Property .starting_after requires an order by created_at')
  const side = order === 'created_at' ? 'after' : 'before'
  const beyond = isBeforeOrAfter(customers, 'created_at', side, new Date(starting_after).toISOString())
  const { items, total } = table.page([...where, beyond], order, limit, 1)
  return { items, total: table.count(where), has_more: total > items.length }
}

function customerConditions(query: Query, context: Context): Condition[] {
  const { email, name, city, segment_id } = query
  // ASSUMED A172: email, name and city must be equal; an unknown segment has no customers.
  const conditions = areAll(customers, { email, name, 'address.city': city })
  if (segment_id !== undefined) {
    const segment = context.in(segments).get(segment_id)
    conditions.push(segment ? membersOf(segment, context.now) : isIn(customers, 'id', []))
  }
  return [...conditions, ...restrictionsOf(customers, query, context.now)]
}

// ASSUMED A173: a customer is removed at once and for good, which frees the source id; codes keep the id of the holder.
/** Removes a customer, also from every segment. Records `customer.deleted`. */
function deleteCustomer(customer: StoredCustomer, context: Context): void {
  const shown = customerAnswer(customer, context)
  remove(customer, context)
  context.emit('customer.deleted', customer.id, { customer: shown })
}

/**
 * Removes a customer with their orders and activity, and returns how much of each there was.
 *
 * Redemptions, publications and codes keep the id. Records `customer.deleted` with nothing but the id, because the event
 * outlives the customer.
 */
function deletePermanently(customer: StoredCustomer, context: Context) {
  const { id } = customer
  const counts = Object.entries(context.store.outbox.forget({ project_id: context.project.id, subject_id: id }))
  const sumOf = (isCounted: (type: string) => boolean) =>
    counts.reduce((sum, [type, count]) => sum + (isCounted(type) ? count : 0), 0)
  const owned = context.in(orders).all([is(orders, 'customer_id', id)])
  for (const order of owned) context.in(orders).remove(order.id)
  const left = remove(customer, context)
  context.emit('customer.deleted', id, { customer: { id, object: 'customer' } })
  const isOf = (family: string) => (type: string) => type.startsWith(family)
  return {
    id: context.id('del_'),
    created_at: context.now,
    related_object: 'customer',
    related_object_id: id,
    status: 'DONE',
    // ASSUMED A1059: the three kinds of events are the recorded ones by their names; daily totals are not kept.
    data_json: {
      events: sumOf((type) => !isOf('customer.')(type) && !isOf('order.')(type)),
      customer_events: sumOf(isOf('customer.')),
      daily_events: 0,
      segments: left,
      orders: owned.length,
      order_events: sumOf(isOf('order.')),
      customer: 1,
    },
    object: 'pernament_deletion',
  }
}

/** Removes a customer and returns how many segments listed them. */
function remove({ id }: StoredCustomer, context: Context): number {
  context.in(customers).remove(id)
  const listing = context
    .in(segments)
    .all()
    .filter((segment) => segment.customers?.includes(id))
  for (const segment of listing)
    context.in(segments).update({ ...segment, customers: segment.customers?.filter((one) => one !== id) ?? [] })
  return listing.length
}

// Customers, many at once: updates in bulk and CSV files. Source: docs/service/customers.md#many-at-once.

const { update, metadataUpdate } = sourcedUpdates('CUSTOMERS', 'customer', {
  declared: customers,
  schema: bulk.bulkCustomer,
  upsert: (facts, context) => upsertCustomer(facts, quietly(context)),
})

const members = {
  Id: 'id',
  Source_id: 'source_id',
  Name: 'name',
  Email: 'email',
  Phone: 'phone',
  Birthdate: 'birthdate',
  Description: 'description',
} as const
const addressMembers = {
  Address_line_1: 'line_1',
  Address_line_2: 'line_2',
  Address_Postal_Code: 'postal_code',
  Address_City: 'city',
  Address_State: 'state',
  Address_Country: 'country',
} as const
const columns = [...Object.keys(members), ...Object.keys(addressMembers)]

// ASSUMED A1157: a file of customers needs one of the known columns; which of them is required is not published.
const layout = { columns, required: [columns] }

const csvImport = rowWork<CsvRow, null>('CUSTOMERS.IMPORT_CSV', 'customer', {
  key: { name: 'source_id', of: ({ cells }) => cells.Source_id },
  begin: (_, context) => {
    const metadataIn = metadataReader('customer', context)
    return (row) => {
      const address = renameCells(row, addressMembers)
      const metadata = metadataIn(row)
      const body = {
        ...renameCells(row, members),
        ...(Object.keys(address).length > 0 && { address }),
        ...(Object.keys(metadata).length > 0 && { metadata }),
      }
      upsertCustomer(checkBody(customer, body), quietly(context))
      return undefined
    }
  },
})

function renameCells({ cells }: CsvRow, names: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(names).flatMap(([column, name]) => (cells[column] === undefined ? [] : [[name, cells[column]]])),
  )
}

/** Changes of many customers at once are not announced one by one. Source: docs/service/webhooks.md#what-emits-what. */
function quietly(context: Context): Context {
  const emit: Context['emit'] = (type, id, data) => {
    if (type !== 'customer.updated') context.emit(type, id, data)
  }
  return { ...context, emit }
}

/** Updates and imports of customers; each is an asynchronous action. */
export const customerBulkResource: Resource = {
  jobs: Object.fromEntries([update, metadataUpdate, csvImport].map(({ kind, job }) => [kind, job])),
  routes: [
    route({ ...bulk.updateCustomers, body: anyRows }, ({ body }, context) =>
      answerStarted(update.start(body ?? [], null, context)),
    ),
    route({ ...bulk.updateCustomersMetadata, body: anyMetadata('source_ids') }, ({ body }, context) =>
      answerStarted(metadataUpdate.start(body?.source_ids ?? [], { metadata: body?.metadata ?? {} }, context)),
    ),
    route(bulk.importCustomers, ({ body: { file } }, context) =>
      answerStarted(csvImport.startCsv(file, layout, null, context)),
    ),
  ],
}

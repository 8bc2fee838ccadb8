// The customer calls.
// Source: docs/service/customers.md#list; docs/service/customers.md#calls; docs/service/customers.md#fields; docs/service/customers.md#references.
import * as contract from '../../../contract/customers.ts'
import { notFound } from '../../http/refusal.ts'
import { type Context, noContent, ok, type Resource, route } from '../../http/route.ts'
import { customerPage } from './list.ts'
import { loadCustomer } from './load.ts'
import { redeemablesOf } from './redeemables.ts'
import { deleteCustomer } from './remove.ts'
import { customers, type StoredCustomer } from './store.ts'
import { changedCustomer, customerNamed, upsertCustomer } from './upsert.ts'

/** Customers, by id or source id. */
export const customerResource: Resource = {
  collections: [customers],
  load: { customers: loadCustomer },
  routes: [
    route(contract.listCustomers, ({ query }, context) => {
      const { items, ...counts } = customerPage(query, context)
      return ok({ object: 'list', data_ref: 'customers', customers: items, ...counts })
    }),
    route(contract.createCustomer, ({ body }, context) => ok(upsertCustomer(body, context))),
    route(contract.getCustomer, ({ path }, context) => ok(known(path.customerId, context))),
    route(contract.updateCustomer, ({ path, body }, context) =>
      ok(changedCustomer(known(path.customerId, context), body, context)),
    ),
    route(contract.deleteCustomer, ({ path }, context) => {
      deleteCustomer(known(path.customerId, context), context)
      return noContent()
    }),
    route(contract.listCustomerRedeemables, ({ path, query }, context) =>
      ok(redeemablesOf(known(path.customerId, context), query, context)),
    ),
  ],
}

function known(idOrSourceId: string, context: Context): StoredCustomer {
  const customer = customerNamed(idOrSourceId, context)
  if (!customer) throw notFound('customer', idOrSourceId)
  return customer
}

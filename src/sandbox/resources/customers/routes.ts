// The customer calls.
// Source: docs/service/customers.md#list; docs/service/customers.md#calls; docs/service/customers.md#fields; docs/service/customers.md#references.
import * as contract from '../../../contract/customers.ts'
import type { Resource } from '../../http/resource.ts'
import { noContent, ok, route } from '../../http/route.ts'
import { activityOf } from '../events/activity.ts'
import { customerAnswer } from './answer.ts'
import { deleteCustomer, deletePermanently } from './delete.ts'
import { customerPage } from './list.ts'
import { loadCustomer } from './load.ts'
import { customerRedeemables } from './redeemables.ts'
import { customers } from './store.ts'
import { knownCustomer, updateCustomer, upsertCustomer } from './upsert.ts'

/** Customers, by id or source id. */
export const customerResource: Resource = {
  collections: [customers],
  load: { customers: loadCustomer },
  routes: [
    route(contract.listCustomers, ({ query }, context) => {
      const { items, ...counts } = customerPage(query, context)
      return ok({
        object: 'list',
        data_ref: 'customers',
        customers: items.map((item) => customerAnswer(item, context)),
        ...counts,
      })
    }),
    route(contract.createCustomer, ({ body }, context) => ok(customerAnswer(upsertCustomer(body, context), context))),
    route(contract.getCustomer, ({ path }, context) =>
      ok(customerAnswer(knownCustomer(path.customerId, context), context)),
    ),
    route(contract.updateCustomer, ({ path, body }, context) =>
      ok(customerAnswer(updateCustomer(knownCustomer(path.customerId, context), body, context), context)),
    ),
    route(contract.deleteCustomer, ({ path }, context) => {
      deleteCustomer(knownCustomer(path.customerId, context), context)
      return noContent()
    }),
    route(contract.deleteCustomerPermanently, ({ path }, context) =>
      ok(deletePermanently(knownCustomer(path.customerId, context), context)),
    ),
    ...[contract.listCustomerActivity, contract.listCustomerActivities].map((endpoint) =>
      route(endpoint, ({ path, query }, context) =>
        ok(activityOf(knownCustomer(path.customerId, context), query, context)),
      ),
    ),
    route(contract.listCustomerRedeemables, ({ path, query }, context) =>
      ok(customerRedeemables(knownCustomer(path.customerId, context), query, context)),
    ),
  ],
}

// The way out for a customer. Source: docs/service/customers.md#delete.
import type { Context } from '../../http/route.ts'
import { segments } from './segment-store.ts'
import { customers, type StoredCustomer } from './store.ts'

// ASSUMED A173: a customer is removed at once and for good, which frees the source id; codes keep naming the holder.
/** Removes a customer, also from every segment. Records `customer.deleted`. */
export function deleteCustomer(customer: StoredCustomer, context: Context): void {
  context.in(customers).remove(customer.id)
  const listed = context.in(segments).all()
  for (const segment of listed.filter((one) => one.customers.includes(customer.id)))
    context.in(segments).update({ ...segment, customers: segment.customers.filter((id) => id !== customer.id) })
  context.emit('customer.deleted', customer.id, { customer })
}

// What happened to a customer and by them: the recorded events about them. Source: docs/service/customers.md#activity.
import type { z } from 'zod'
import type { listCustomerActivity } from '../../../contract/customers.ts'
import type { Context } from '../../http/route.ts'
import type { StoredCustomer } from './store.ts'

type Query = z.output<NonNullable<(typeof listCustomerActivity)['query']>>

/** Lists the events about a customer, newest first unless requested otherwise. The latest 100,000 of all events are kept. */
export function customerActivity(customer: StoredCustomer, query: Query, { store, project }: Context) {
  const { limit = 10, order = '-id', starting_after_id } = query
  const found = store.outbox.about(
    { project_id: project.id, customer_id: customer.id },
    {
      // One more than asked for says whether there is more.
      limit: limit + 1,
      isOldestFirst: order === 'id',
      ...(starting_after_id !== undefined && { afterId: starting_after_id }),
    },
  )
  const data = found.slice(0, limit).map(({ id, type, created_at, group_id, source, data: about }) => ({
    id,
    type,
    data: about,
    created_at,
    group_id,
    source,
  }))
  const has_more = found.length > limit
  return { object: 'list', data_ref: 'data', data, has_more, ...(has_more && { more_starting_after: data.at(-1)?.id }) }
}

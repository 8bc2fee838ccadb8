// What happened to a customer, a voucher or a campaign: the recorded events about it. Source: docs/service/customers.md#activity.
import type { z } from 'zod'
import type { activityListing } from '../../../contract/calls-about.ts'
import type { Context } from '../../http/route.ts'

type Query = z.output<(typeof activityListing)['query']>

/** Lists the events about an object, newest first unless requested otherwise. The latest 100,000 of all events are kept. */
export function activityOf({ id: subject_id }: { id: string }, query: Query, { store, project }: Context) {
  const { limit = 10, order = '-id', starting_after_id } = query
  const found = store.outbox.about(
    { project_id: project.id, subject_id },
    {
      // One more than asked for says whether there is more.
      limit: limit + 1,
      isOldestFirst: !order.startsWith('-'),
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

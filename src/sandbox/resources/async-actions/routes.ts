// Reads the jobs of the service. Source: docs/service/async-actions.md#fields.
import * as contract from '../../../contract/async-actions.ts'
import { notFound } from '../../http/refusal.ts'
import type { Resource } from '../../http/resource.ts'
import { ok, route } from '../../http/route.ts'
import { isBeforeOrAfter } from '../../storage/conditions.ts'
import { asyncActions } from './store.ts'

/** Asynchronous actions, by id. */
export const asyncActionResource: Resource = {
  collections: [asyncActions],
  routes: [
    route(contract.listAsyncActions, ({ query }, context) => {
      const { limit = 10, end_date } = query
      // ASSUMED A224: a page ends before its end_date, so that the created_at of its last action leads to the next page.
      const before = end_date && isBeforeOrAfter(asyncActions, 'created_at', 'before', new Date(end_date).toISOString())
      const { items, has_more } = context.in(asyncActions).cursor(before ? [before] : [], '-id', limit)
      const async_actions = items.map(({ result: _, ...action }) => action)
      return ok({ object: 'list', data_ref: 'async_actions', async_actions, has_more })
    }),
    route(contract.getAsyncAction, ({ path }, context) => {
      const action = context.in(asyncActions).get(path.asyncActionId)
      if (!action) throw notFound('async_action', path.asyncActionId)
      return ok(action)
    }),
  ],
}

// Reads the jobs of the service. Source: docs/service/async-actions.md#fields.
import { z } from 'zod'
import * as contract from '../../../contract/async-actions.ts'
import { endpoint } from '../../../contract/endpoint.ts'
import type { Resource } from '../../http/resource.ts'
import { ok, type Route, route } from '../../http/route.ts'
import { isBeforeOrAfter } from '../../storage/conditions.ts'
import { existingById } from '../existing.ts'
import { actionAnswer, reportOf } from './result.ts'
import { actionInputs, actionOutcomes, asyncActions } from './store.ts'

/** The report of an update in bulk. On the service it is on another host; the client takes the address from the action. */
const report = endpoint('async-actions.report', 'Download the report of an update in bulk', {
  call: 'GET /download/v1/async-actions/{asyncActionId}/report',
  query: z.strictObject({ token: z.string().optional() }),
  response: z.string(),
  source: 'docs/service/async-actions.md#results',
})

const reportRoute: Route = {
  ...route(report, ({ path, query }, context) => ({
    status: 200,
    headers: { 'content-type': 'text/plain; charset=utf-8' },
    body: reportOf(path.asyncActionId, query.token, context),
  })),
  isOpen: true,
}

/** Asynchronous actions, by id. */
export const asyncActionResource: Resource = {
  collections: [asyncActions, actionInputs, actionOutcomes],
  routes: [
    route(contract.listAsyncActions, ({ query }, context) => {
      const { limit = 10, end_date } = query
      // ASSUMED A224: a page ends before its end_date, so that the created_at of its last action leads to the next page.
      const before = end_date && isBeforeOrAfter(asyncActions, 'created_at', 'before', new Date(end_date).toISOString())
      const { items, has_more } = context.in(asyncActions).cursor(before ? [before] : [], '-id', limit)
      const async_actions = items.map(({ result: _, report_token: __, ...action }) => action)
      return ok({ object: 'list', data_ref: 'async_actions', async_actions, has_more })
    }),
    route(contract.getAsyncAction, ({ path }, context) =>
      ok(actionAnswer(existingById(asyncActions, path.asyncActionId, context), context)),
    ),
    reportRoute,
  ],
}

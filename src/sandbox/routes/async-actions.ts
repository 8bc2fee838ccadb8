// Reads the jobs of the service. Source: docs/service/async-actions.md#fields; docs/service/async-actions.md#results.
import { z } from 'zod'
import * as contract from '../../contract/async-actions.ts'
import { endpoint } from '../../contract/endpoint.ts'
import { ownAddress } from '../answers/assets.ts'
import { existingById } from '../answers/existing.ts'
import { isSame } from '../http/auth.ts'
import { notFound, unauthorized } from '../http/refusal.ts'
import { Answer, type Context, type Resource, type Route, route } from '../http/route.ts'
import { is, isBeforeOrAfter } from '../storage/conditions.ts'
import type { Table } from '../storage/table.ts'
import {
  type ActionOutcome,
  actionAnywhere,
  actionInputs,
  actionOutcomes,
  asyncActions,
  type StoredAction,
} from '../stores/async-actions.ts'

/** The report of an update in bulk. On the service it is on another host; the client takes the address from the action. */
const report = endpoint('async-actions.report', 'Download the report of an update in bulk', {
  call: 'GET /download/v1/async-actions/{asyncActionId}/report',
  query: z.strictObject({ token: z.string().optional() }),
  response: z.string(),
  source: 'docs/service/async-actions.md#results',
})

const reportRoute: Route = {
  ...route(
    report,
    ({ path, query }, context) =>
      new Answer(200, reportOf(path.asyncActionId, query.token, context), {
        'content-type': 'text/plain; charset=utf-8',
      }),
  ),
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
      return { object: 'list', data_ref: 'async_actions', async_actions, has_more }
    }),
    route(contract.getAsyncAction, ({ path }, context) =>
      actionAnswer(existingById(asyncActions, path.asyncActionId, context), context),
    ),
    reportRoute,
  ],
}

/** Shows an action with its result. The address of a report uses the host that the client called, like that of an export. */
function actionAnswer(stored: StoredAction, context: Pick<Context, 'in' | 'headers' | 'now' | 'store'>) {
  const { report_token, ...action } = stored
  const { result } = action
  if (!result || result.failed) return action
  if (report_token !== undefined) {
    if (result.reports_available_till === undefined || result.reports_available_till < context.now)
      return { ...action, result: { ...result, reports: [] } }
    const path = `/download/v1/async-actions/${action.id}/report?token=${report_token}`
    return { ...action, result: { ...result, reports: [`${ownAddress(context)}${path}`] } }
  }
  const failed = [...outcomesOf(action.id, context.in(actionOutcomes))]
  return failed.length === 0 && result.failed_count === undefined
    ? action
    : { ...action, result: { ...result, failed } }
}

/** Returns the report of an update as CSV, in pieces. Throws 401 for a wrong token or action, 404 once it is too old. */
function reportOf(actionId: string, token: string | undefined, { store, now }: Pick<Context, 'store' | 'now'>) {
  const holder = actionAnywhere(store, actionId)
  const secret = holder?.found.report_token
  if (!holder || secret === undefined || !isSame(token, secret)) throw unauthorized()
  const { reports_available_till } = holder.found.result ?? {}
  if (reports_available_till === undefined || reports_available_till < now) throw notFound('async_action', actionId)
  const key = holder.found.type.startsWith('VOUCHERS.') ? 'code' : 'source_id'
  const columns = [key, 'row', 'found', 'updated', 'reason']
  const table = store.in(actionOutcomes, holder.projectId)
  return (async function* pieces(): AsyncGenerator<string> {
    const { stringify } = await import('csv-stringify/sync')
    const layout = { record_delimiter: '\n', quoted_match: /\r/, cast: { boolean: String } }
    yield stringify([columns], layout)
    for (const row of outcomesOf(actionId, table)) yield stringify([columns.map((name) => row[name])], layout)
  })()
}

function* outcomesOf(actionId: string, table: Table<ActionOutcome>): Generator<Record<string, unknown>> {
  const own = [is(actionOutcomes, 'action_id', actionId)]
  for (let after: string | undefined; ; ) {
    const page = table.cursor(own, 'id', 10, after)
    for (const { rows } of page.items) yield* rows
    if (!page.has_more) return
    after = page.more_starting_after
  }
}

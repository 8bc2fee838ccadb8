// Background jobs of the service.
// Source: docs/service/async-actions.md#types; docs/service/async-actions.md#fields.
import { z } from 'zod'
import { callsAbout, listing } from './calls-about.ts'
import { dateTime, pageSize } from './fields.ts'

/**
 * A background job. `status` ends as `DONE` or `FAILED`.
 *
 * `DONE` does not mean that everything succeeded: see `operation_status` and `result.failed_count`.
 */
export const asyncAction = z.looseObject({
  id: z.string(),
  object: z.literal('async_action').optional(),
  type: z.string().optional(),
  status: z.string(),
  operation_status: z.string().nullish(),
  progress: z.number().nullish(),
  result: z.looseObject({ done_count: z.int().nullish(), failed_count: z.int().nullish() }).nullish(),
})

export type AsyncAction = z.output<typeof asyncAction>

/** The answer of a call that only starts a background job. */
export const startedAction = z.looseObject({ async_action_id: z.string() })

const calls = callsAbout('async-actions', '/v1/async-actions/{asyncActionId}', {
  response: asyncAction,
  source: 'docs/service/async-actions.md',
})

/**
 * Lists background jobs, newest first.
 *
 * One page per call: the next one would end (`end_date`) where this one does, which cannot be walked safely, as two jobs
 * of the same instant could fall between the pages.
 */
export const listAsyncActions = calls.list(
  { ...listing, query: z.strictObject({ limit: pageSize.optional(), end_date: dateTime.optional() }) },
  'List background jobs of the service',
  'list',
)

/** Reads one background job with its result. */
export const getAsyncAction = calls.get('Get a background job of the service', 'read')

// The life of an asynchronous action. The work itself is a job (jobs/job.ts) whose payload carries the action's id.
import { Answer, type Context } from '../../http/route.ts'
import { type ActionResult, type ActionType, asyncActions, type StoredAction } from '../../stores/async-actions.ts'

type Parts = Pick<Context, 'in' | 'now'>

/** Enqueues an action in the transaction of the request. The caller asks for the job with the id of the action. */
export function enqueueAction(type: ActionType, context: Parts & Pick<Context, 'id' | 'requestId'>): StoredAction {
  return context.in(asyncActions).insert({
    id: context.id(asyncActions.prefix),
    type,
    status: 'ENQUEUED',
    operation_status: 'UNKNOWN',
    request_id: context.requestId,
    processing_time: 0,
    progress: 0,
    result: null,
    created_at: context.now,
    updated_at: null,
    object: 'async_action',
  })
}

/** Answers that an action was started, by most calls with a 202. Source: docs/service/async-actions.md#triggers. */
export function answerStarted({ id }: StoredAction, status = 202): Answer {
  return new Answer(status, { async_action_id: id })
}

/** Records the progress of an action. 100 is reserved for its end. */
export function progressAction(id: string, done: number, total: number, context: Parts): void {
  change(id, { status: 'IN_PROGRESS', progress: Math.min(99, Math.floor((done / total) * 100)) }, context)
}

/** Ends an action as `DONE`, which does not mean that every part succeeded: the result says that. */
export function finishAction(id: string, result: ActionResult, context: Parts): void {
  const operation_status = (result.failed_count ?? 0) > 0 ? 'FAILED' : 'SUCCESS'
  change(id, { status: 'DONE', operation_status, progress: 100, result }, context)
}

/** Ends an action as `FAILED`; the result says how far it got and why it stopped. */
export function failAction(id: string, result: ActionResult, context: Parts): void {
  change(id, { status: 'FAILED', operation_status: 'FAILED', result }, context)
}

function change(id: string, changes: Partial<StoredAction>, context: Parts): void {
  const action = context.in(asyncActions).get(id)
  if (!action) return
  const processing_time = Math.max(0, Date.parse(context.now) - Date.parse(action.created_at))
  context.in(asyncActions).update({ ...action, ...changes, processing_time, updated_at: context.now })
}

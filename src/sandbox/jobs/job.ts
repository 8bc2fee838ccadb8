// Work done after the answer: generating codes, writing exports, delivering webhooks. A resource declares its kinds
// under `jobs`; a request queues one with `context.later(kind, payload)`, in its own transaction.
import type { JobContext, JobOutcome, LocalJob, ReadingContext, RemoteJob } from '../http/route.ts'

/**
 * Declares a job that works on the store.
 *
 * An exception in `run` undoes its slice. A Refusal ends the job; any other error is retried after 1, 2, 4 and 8 seconds,
 * five runs in all. Then `failed`, in a transaction of its own, may record the failure.
 */
export function job<Payload>(
  run: (payload: Payload, context: JobContext) => JobOutcome,
  failed: (payload: Payload, context: JobContext) => void = () => {},
): LocalJob {
  // A payload is what `later` received for this kind, passed through JSON: kind and type are declared in one place.
  return {
    where: 'here',
    run: (payload, context) => run(payload as Payload, context),
    failed: (payload, context) => failed(payload as Payload, context),
  }
}

/**
 * Declares a job that calls the network. `act` must end when its signal aborts, after 15 s at the latest; after a crash
 * between `act` and `settle` both run again, so delivery is at least once. Failures are handled as in `job`.
 */
export function remoteJob<Payload, Result>(parts: {
  act: (payload: Payload, context: ReadingContext, signal: AbortSignal) => Promise<Result>
  settle: (result: Result, payload: Payload, context: JobContext) => JobOutcome
  failed?: (payload: Payload, context: JobContext) => void
}): RemoteJob {
  return {
    where: 'outside',
    act: (payload, context, signal) => parts.act(payload as Payload, context, signal),
    settle: (result, payload, context) => parts.settle(result as Result, payload as Payload, context),
    failed: (payload, context) => parts.failed?.(payload as Payload, context),
  }
}

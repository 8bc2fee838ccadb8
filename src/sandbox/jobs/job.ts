// Work done after the answer: generating codes, writing exports, delivering webhooks. A resource declares its kinds
// under `jobs`; a request queues one with `context.later(kind, payload)`, in its own transaction.
import type { Context } from '../http/route.ts'
import type { DeliveryPolicy } from '../resources/webhooks/target.ts'

/**
 * Requests another run after `again` milliseconds (0 for the next turn), which the time scale divides, or at an instant of the
 * service's clock; with a new payload if given.
 */
export type Rescheduling = ({ again: number } | { at: string }) & { payload?: unknown }

/** What a handler returns: undefined when the job is done. */
export type JobOutcome = Rescheduling | undefined

/** What a job may use: the context of the request that queued it, at the instant of the run and without its headers. */
export interface JobContext extends Context {
  /** 1 for the first run, more after failures; starts again at 1 after `again` and `at`. */
  attempt: number
  /** Divides the delays of jobs. */
  timeScale: number
  /** Which targets network calls may reach. */
  reach: DeliveryPolicy
}

/** Work on the store only. One call is one transaction, so long work is split into slices (about 500 rows each). */
export interface LocalJob {
  where: 'here'
  run: (payload: unknown, context: JobContext) => JobOutcome
  failed: (payload: unknown, context: JobContext) => void
}

/** Work that waits for the network: `act` runs outside any transaction, `settle` stores its result in one. */
export interface RemoteJob {
  where: 'outside'
  act: (payload: unknown, context: ReadingContext, signal: AbortSignal) => Promise<unknown>
  settle: (result: unknown, payload: unknown, context: JobContext) => JobOutcome
  failed: (payload: unknown, context: JobContext) => void
}

export type Job = LocalJob | RemoteJob

/** The part of a context that may be used outside a transaction: reading. */
export type ReadingContext = Pick<JobContext, 'now' | 'project' | 'in' | 'store' | 'attempt' | 'timeScale' | 'reach'>

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

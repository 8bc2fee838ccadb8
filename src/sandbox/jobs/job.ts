// Work that is done after the answer: generating codes, writing exports, delivering webhooks. A resource declares its
// kinds under `jobs`; a request asks for one with `context.later(kind, payload)`, in its own transaction.
import type { Context } from '../http/route.ts'
import type { DeliveryPolicy } from '../resources/webhooks/target.ts'

/** Asks to be run once more, after `again` milliseconds (0 for the next turn), with a new payload when one is given. */
export interface Rescheduling {
  again: number
  payload?: unknown
}

/** What a handler says when it ends: undefined for done. */
export type JobOutcome = Rescheduling | undefined

/** What a job may use: the context of the request that asked for it, at the instant of the run and without its headers. */
export interface JobContext extends Context {
  /** 1 for the first run, more after failures; `again` begins at 1 anew. */
  attempt: number
  /** What the delays of jobs are divided by. */
  timeScale: number
  /** Where calls to the outside may go. */
  reach: DeliveryPolicy
}

/** Work on the store alone. One call is one transaction, so long work is cut into slices (some 500 rows each). */
export interface LocalJob {
  where: 'here'
  run: (payload: unknown, context: JobContext) => JobOutcome
  failed: (payload: unknown, context: JobContext) => void
}

/** Work that waits for the network: `act` outside any transaction, `settle` in one with what came of it. */
export interface RemoteJob {
  where: 'outside'
  act: (payload: unknown, context: ReadingContext, signal: AbortSignal) => Promise<unknown>
  settle: (result: unknown, payload: unknown, context: JobContext) => JobOutcome
  failed: (payload: unknown, context: JobContext) => void
}

export type Job = LocalJob | RemoteJob

/** What may be used outside a transaction: reading. */
export type ReadingContext = Pick<JobContext, 'now' | 'project' | 'in' | 'store' | 'attempt' | 'timeScale' | 'reach'>

/**
 * Declares a job that works on the store.
 *
 * What `run` throws undoes its slice. A Refusal ends the job; anything else is tried again, five times in all, after 1, 2,
 * 4 and 8 seconds. Then `failed`, in a transaction of its own, may write down that nothing will come of it.
 */
export function job<Payload>(
  run: (payload: Payload, context: JobContext) => JobOutcome,
  failed: (payload: Payload, context: JobContext) => void = () => {},
): LocalJob {
  // A payload is what `later` was given under this kind, through JSON: the pair is written in one place.
  return {
    where: 'here',
    run: (payload, context) => run(payload as Payload, context),
    failed: (payload, context) => failed(payload as Payload, context),
  }
}

/**
 * Declares a job that talks to the network. `act` must end when its signal does, after 15 s at the latest; a crash between
 * `act` and `settle` runs both again, so the outside sees at least one call. Failures are handled as those of `job`.
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

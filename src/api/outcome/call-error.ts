// A call that did not get its answer: the message, and the facts that bulk jobs and scripts need.
import { type ErrorFacts, type ErrorKind, EXIT, type ExitCode, PromoError } from '../../errors.ts'
import type { Phase } from './outcome.ts'

/** The facts about a failed call, besides its message. */
export interface CallFacts {
  phase: Phase
  attempts: number
  status?: number | undefined
  requestId?: string | undefined
  /** Milliseconds after which the service accepts requests again. */
  waitMs?: number | undefined
  endsRun: boolean
}

/**
 * A call without its answer.
 *
 * `phase` is about all attempts together: `not_sent` and `rejected` mean that nothing was applied, `ambiguous` that
 * something may have been. Kinds: `api` (refused, exit 3), `auth` and `config` (4), `network` (5), `unknown_outcome`
 * (6), `stopped` (the exit code of the stop).
 */
export class CallError extends PromoError {
  readonly phase: Phase
  readonly attempts: number
  readonly status: number | undefined
  readonly requestId: string | undefined
  readonly waitMs: number | undefined
  /** Whether every other call would end the same way: a job stops here. Its own row is still judged by `phase`. */
  readonly endsRun: boolean

  constructor(kind: ErrorKind, exitCode: ExitCode, message: string, call: CallFacts, facts: ErrorFacts) {
    super(kind, message, facts, exitCode)
    this.phase = call.phase
    this.attempts = call.attempts
    this.status = call.status
    this.requestId = call.requestId
    this.waitMs = call.waitMs
    this.endsRun = call.endsRun
  }
}

/** Returns the same error with another next step before its own. */
export function withNextStep({ kind, exitCode, message, facts, ...call }: CallError, step: string): CallError {
  const hint = facts.hint === undefined ? step : `${step}; ${facts.hint}`
  return new CallError(kind, exitCode, message, call, { ...facts, hint })
}

/** Returns why calls are stopped: the cut takes precedence over the drain, which often came first with the same reason. */
export function reasonOfStop({ signal, drain }: { signal?: AbortSignal; drain?: AbortSignal }): unknown {
  return signal?.aborted ? signal.reason : drain?.reason
}

/** Returns the exit code of a stop: that of the PromoError that is its reason, otherwise that of Ctrl-C. */
export function exitCodeOfStop(reason: unknown): ExitCode {
  return reason instanceof PromoError ? reason.exitCode : EXIT.interrupted
}

/** Returns nothing where the service has no such object; throws everything else. */
export function ofMissing(error: unknown): undefined {
  if (!(error instanceof CallError) || error.status !== 404) throw error
}

// How a run ends early: by which exit code, and what may still be done.
import { EXIT, type ExitCode } from '../errors.ts'
import type { StopReason } from './run/host.ts'

const exitCodeByReason: Record<StopReason, ExitCode> = {
  SIGINT: EXIT.interrupted,
  SIGTERM: EXIT.terminated,
  SIGHUP: EXIT.hangup,
  EPIPE: EXIT.closedPipe,
}

/** Returns the exit code of a run that is told to stop for a reason. */
export function exitCodeOf(reason: StopReason): ExitCode {
  return exitCodeByReason[reason]
}

/** Returns the exit code of a run that was told to stop, or undefined when it was not. */
export function stoppedExitCode(stop: AbortSignal): ExitCode | undefined {
  return stop.aborted ? exitCodeOf(stop.reason as StopReason) : undefined
}

/** Resolves when the run is told to stop. */
export function untilStopped(stop: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (stop.aborted) resolve()
    else stop.addEventListener('abort', () => resolve(), { once: true })
  })
}

/** How long requests in flight may take to end by themselves after Ctrl-C. */
export const graceMs = 10_000

/** Returns a signal that aborts `graceMs` after `stop`. */
export function afterGrace(stop: AbortSignal): AbortSignal {
  const late = new AbortController()
  const arm = () => setTimeout(() => late.abort(stop.reason), graceMs).unref()
  if (stop.aborted) arm()
  else stop.addEventListener('abort', arm, { once: true })
  return late.signal
}

/** Returns a signal that follows `stop` only when the reader closed the pipe: after Ctrl-C, results are still written. */
export function onlyClosedPipe(stop: AbortSignal): AbortSignal {
  const closed = new AbortController()
  const follow = () => {
    if (stop.reason === 'EPIPE') closed.abort(stop.reason)
  }
  if (stop.aborted) follow()
  else stop.addEventListener('abort', follow, { once: true })
  return closed.signal
}

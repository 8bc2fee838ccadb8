// What surrounds one run of promo: streams, environment, clock, and the stop signal. A test passes its own.
import type { Readable, Writable } from 'node:stream'
import { EXIT, type ExitCode } from '../../errors.ts'
import type { OutputStream } from '../../output/shape.ts'
import type { Resolved } from '../../profiles/resolve.ts'

/** Why a run must end early: a signal, or a reader that closed its end of the pipe. */
export type StopReason = 'SIGINT' | 'SIGTERM' | 'SIGHUP' | 'EPIPE'

type Terminal = Writable & Pick<OutputStream, 'isTTY' | 'columns' | 'rows' | 'hide'>

export interface Host {
  stdin: Readable & { isTTY?: boolean }
  stdout: Terminal
  stderr: Terminal
  env: Record<string, string | undefined>
  platform: NodeJS.Platform
  home: string
  /** Aborted, with a StopReason as its reason, when work must end; requests in flight are still recorded. */
  stop: AbortSignal
  /** Unix time in milliseconds. */
  now: () => number
  /** Waits between looks, in milliseconds; absent: by the computer's clock. */
  sleep?: (ms: number, signal?: AbortSignal) => Promise<void>
  /** The id of the command that runs, for the history. */
  command?: string
  /** The words that were typed after it; not of a write, whose result says what was written. */
  typed?: readonly string[]
  /** What its lookups of names leave to its next client. */
  left?: { close: () => Promise<void> } | undefined
  /** The columns of all its results. */
  columns?: () => Promise<readonly string[]>
  /** Adds to the commands that a message names where this one went; absent where none was typed. */
  asTyped?: (text: string) => string
  /** The only profile of this run, whatever its command line says. */
  profile?: Resolved
  /** Shows a text in the user's pager; absent where stdout is not that of the process. */
  page?: (text: string) => Promise<void>
  /** Asked before every write, in place of the terminal and of --yes. */
  ask?: (question: string) => Promise<boolean>
}

/** What a run says about the program itself: to the service, in journals, and to users. */
export interface ProgramConfig {
  version: string
  userAgent: string
}

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

/** Says whether colours may be written to a stream: a terminal, not a dumb one, and colours not switched off. */
export function isColourful(
  stream: { isTTY?: boolean },
  { env }: Pick<Host, 'env'>,
  flags: { 'no-color'?: boolean },
): boolean {
  if (flags['no-color'] || (env.NO_COLOR !== undefined && env.NO_COLOR !== '') || env.TERM === 'dumb') return false
  return stream.isTTY === true
}

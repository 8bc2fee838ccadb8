// What surrounds one run of promo: streams, environment, clock, and the stop signal. A test passes its own.
import type { Readable, Writable } from 'node:stream'
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
  ask?: (question: string, about: { rows: number; deletes: boolean }) => Promise<boolean>
}

/** What finds promo's own files. */
export type Home = Pick<Host, 'env' | 'platform' | 'home'>

/** What reads and writes them, and says when. */
export type Keeper = Home & Pick<Host, 'now' | 'stop'>

/** What reads a file or standard input, until the run is told to stop. */
export type Input = Pick<Host, 'stdin' | 'stop'>

/** What asks the user. */
export type Asker = Pick<Host, 'env' | 'stdin' | 'stderr' | 'stop'>

/** What a run says about the program itself: to the service, in journals, and to users. */
export interface ProgramConfig {
  version: string
  userAgent: string
}

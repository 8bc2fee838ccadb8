// Waiting for work of the service that nothing announces: it is read at growing intervals until it is over.

import { sleep } from '../../api/connection.ts'
import { PromoError } from '../../errors.ts'
import type { Host } from '../run/host.ts'
import type { Showing } from './output.ts'
import { timeText } from './progress.ts'

/** The part of a run that waits. */
export interface Waiting {
  show: Pick<Showing, 'statusLine'>
  host: Pick<Host, 'now' | 'stop'>
}

/** What a test replaces. */
export interface WaitClock {
  sleep: (ms: number, signal: AbortSignal) => Promise<void>
  random: () => number
}

/** What is waited for, and the words for it. */
export interface Awaited<State> {
  /** What it is: `export`. */
  what: string
  id: string
  read: () => Promise<State>
  isOver: (state: State) => boolean
  /** How far it is: `IN_PROGRESS`. */
  stage: (state: State) => string
  /** The command that goes on waiting. */
  hint: string
}

const patienceMs = 600_000
const shortestMs = 500
const longestMs = 10_000

/**
 * Returns the state in which the work is over, however it ended.
 *
 * Reads at once, after half a second and then at growing intervals of up to ten seconds, with jitter to spread out waiting
 * callers. Throws `network` (exit 5) when the time is up, and the reason of a stop.
 */
export async function whenOver<State>(
  { what, id, read, isOver, stage, hint }: Awaited<State>,
  timeoutMs = patienceMs,
  { show, host }: Waiting,
  clock: WaitClock = { sleep, random: Math.random },
): Promise<State> {
  const startedAt = host.now()
  const line = await show.statusLine()
  try {
    for (let delayMs = shortestMs; ; delayMs = Math.min(longestMs, delayMs * 2)) {
      const state = await read()
      if (isOver(state)) return state
      const elapsedMs = host.now() - startedAt
      line.show(`${what} ${id}: ${stage(state)}, ${timeText(elapsedMs / 1000)}`)
      if (elapsedMs >= timeoutMs) {
        const message = `${what} "${id}" is still ${stage(state)} after ${timeText(timeoutMs / 1000)}`
        throw new PromoError('network', message, { hint, retryable: true })
      }
      const jitteredMs = delayMs * (0.5 + clock.random() / 2)
      await clock.sleep(Math.min(jitteredMs, timeoutMs - elapsedMs), host.stop)
    }
  } finally {
    line.end()
  }
}

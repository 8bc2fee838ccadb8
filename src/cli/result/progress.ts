// Progress of many rows on stderr: a bar on a terminal, else one plain line at most every ten seconds.
import { expectedMs, type LimitsAhead } from '../../api/pacing/limits-ahead.ts'
import type { Host } from '../run/host.ts'
import { statusLine } from './status-line.ts'

export interface Counts {
  done: number
  total: number
  /** Rows that did not end well. */
  wrong: number
}

export interface Progress {
  update: (counts: Counts) => void
  /** Removes the bar: what follows starts on a clean line. */
  end: () => void
}

/** What is known apart from the rows that ended. */
export interface ProgressContext {
  /** Rows that were done before this run. */
  before: number
  /** Rows that share a request. */
  rowsPerRequest: number
  limitsAhead: () => LimitsAhead
}

const barWidth = 24
const tickMs = 1000
/** A process that is only busy is not late by more. */
const longestTickMs = 60_000

/**
 * Starts a progress display; nothing is shown with --quiet.
 *
 * It continues while no row ends, because that needs explaining most: the service asked for a pause, or is unavailable.
 */
export function startProgress(
  host: Pick<Host, 'stderr' | 'env' | 'now'>,
  flags: { quiet?: boolean },
  pace: ProgressContext,
): Progress {
  const line = statusLine(host, flags)
  const startedAt = host.now()
  let counts: Counts | undefined
  let lookedAt = startedAt
  let sleptMs = 0
  const show = () => {
    const now = host.now()
    // It is looked at every second: in a longer time the computer slept, which says nothing about the speed.
    if (now - lookedAt > longestTickMs) sleptMs += now - lookedAt
    lookedAt = now
    if (counts === undefined) return
    const { done, total } = counts
    line.show((onTerminal) => {
      const text = describe(counts as Counts, pace, now, startedAt + sleptMs)
      return onTerminal ? `${bar(done, total)} ${text}` : text
    })
  }
  const ticking = setInterval(show, tickMs).unref()
  return {
    update(now) {
      counts = now
      show()
    },
    end() {
      clearInterval(ticking)
      line.end()
    },
  }
}

function bar(done: number, total: number): string {
  const filled = total === 0 ? barWidth : Math.floor((done / total) * barWidth)
  return `[${'#'.repeat(filled)}${'.'.repeat(barWidth - filled)}]`
}

function describe({ done, total, wrong }: Counts, pace: ProgressContext, now: number, startedAt: number): string {
  const { before, rowsPerRequest } = pace
  const limitsAhead = pace.limitsAhead()
  const perSecond = (done - before) / Math.max(0.001, (now - startedAt) / 1000)
  const leftMs = expectedMs(Math.ceil((total - done) / rowsPerRequest), limitsAhead, perSecond / rowsPerRequest)
  return [
    `${done}/${total}`,
    ...(wrong === 0 ? [] : [`${wrong} not ok`]),
    `${perSecond.toFixed(perSecond < 10 ? 1 : 0)}/s`,
    ...(leftMs === undefined ? [] : [`${timeText(leftMs / 1000)} left${until(now, leftMs)}`]),
    ...holdups(limitsAhead),
  ].join(', ')
}

/** For a long run, the time of its end says more than its duration. */
function until(now: number, leftMs: number): string {
  if (leftMs < 120_000) return ''
  const end = new Date(now + leftMs)
  return ` (at ${String(end.getHours()).padStart(2, '0')}:${String(end.getMinutes()).padStart(2, '0')})`
}

function holdups({ pausedForMs = 0, outageForMs = 0 }: LimitsAhead): string[] {
  if (outageForMs >= tickMs) return [`no answer from the service for ${timeText(outageForMs / 1000)}`]
  return pausedForMs >= tickMs ? [`a pause of ${timeText(pausedForMs / 1000)} that the service asks for`] : []
}

/** A duration for people: `42s`, `3m10s`, `2h05m`. */
export function timeText(seconds: number): string {
  const whole = Math.ceil(seconds)
  if (whole < 60) return `${whole}s`
  if (whole < 3600) return `${Math.floor(whole / 60)}m${String(whole % 60).padStart(2, '0')}s`
  return `${Math.floor(whole / 3600)}h${String(Math.floor((whole % 3600) / 60)).padStart(2, '0')}m`
}

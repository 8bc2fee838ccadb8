// Progress of many rows on stderr: a bar on a terminal, else one plain line at most every ten seconds.
import type { Host } from './host.ts'

export interface Counts {
  done: number
  total: number
  /** Rows that did not end well. */
  wrong: number
}

export interface Progress {
  update: (counts: Counts) => void
  /** Takes the bar away, so that what follows starts on a clean line. */
  end: () => void
}

const barMs = 100
const lineMs = 10_000
const barWidth = 24

/** Starts a progress display; nothing is shown with --quiet. */
export function startProgress(host: Host, flags: { quiet?: boolean }): Progress {
  if (flags.quiet) return { update: () => {}, end: () => {} }
  const startedAt = host.now()
  const onTerminal = host.stderr.isTTY === true && host.env.TERM !== 'dumb' && !host.env.CI
  let shownAt = onTerminal ? 0 : startedAt
  let isBarShown = false
  return {
    update(counts) {
      const now = host.now()
      if (now - shownAt < (onTerminal ? barMs : lineMs)) return
      shownAt = now
      const text = describe(counts, now - startedAt)
      if (onTerminal) {
        host.stderr.write(`\r\u001b[K${bar(counts)} ${text}`.slice(0, Math.max(20, host.stderr.columns || 80)))
        isBarShown = true
      } else host.stderr.write(`${text}\n`)
    },
    end() {
      if (isBarShown) host.stderr.write('\r\u001b[K')
    },
  }
}

function bar({ done, total }: Counts): string {
  const filled = total === 0 ? barWidth : Math.floor((done / total) * barWidth)
  return `[${'#'.repeat(filled)}${'.'.repeat(barWidth - filled)}]`
}

function describe({ done, total, wrong }: Counts, elapsedMs: number): string {
  const perSecond = done / Math.max(0.001, elapsedMs / 1000)
  const left = done === 0 ? '' : `, ${timeText((total - done) / perSecond)} left`
  const trouble = wrong === 0 ? '' : `, ${wrong} not ok`
  return `${done}/${total}${trouble}, ${perSecond.toFixed(perSecond < 10 ? 1 : 0)}/s${left}`
}

/** A length of time for people: `42s`, `3m10s`, `2h05m`. */
export function timeText(seconds: number): string {
  const whole = Math.ceil(seconds)
  if (whole < 60) return `${whole}s`
  if (whole < 3600) return `${Math.floor(whole / 60)}m${String(whole % 60).padStart(2, '0')}s`
  return `${Math.floor(whole / 3600)}h${String(Math.floor((whole % 3600) / 60)).padStart(2, '0')}m`
}

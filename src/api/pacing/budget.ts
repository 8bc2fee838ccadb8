// What is known of the service's budget: a number of requests per window.
import { text } from '../answer.ts'
import type { Reply } from '../request/transport.ts'
import { untilReset } from './retry-after.ts'

/** How many requests fit into a window, and how many are left of this one. */
export interface BudgetWindow {
  limit: number
  left: number
  resetsInMs: number
  /** The length of a full window. */
  periodMs: number
}

// The periods in which the service counts (docs/service/limits.md#rate-limit-headers; docs/service/limits.md#rate-limits):
// the first answer rarely arrives at the beginning of a window.
const periodsMs = [1000, 5000, 60_000, 3_600_000]
const minuteMs = 60_000

// The instant is in whole seconds, and so is the clock it is compared with.
const roundingMs = 3000

// The end of a window is reported to the second: using up a window of one second means waiting another one in vain. The
// requests of a short window are therefore spread over it, slightly slower than it allows, without waiting for its end.
const shortMs = 5000
const slower = 1.02

// Fewer accepted requests are more likely chance, or a service that counts in another way, than a limit.
const telling = 20

/**
 * A budget as far as it is known: it starts without any knowledge, and every request fits. Times are milliseconds of one monotonic clock.
 * Source: docs/service/limits.md#rate-limits.
 */
export function createBudget() {
  let told: { left: number; resetsAt: number; at: number } | undefined
  let isTelling = false
  let known: { limit: number; periodMs: number; isCounted: boolean } | undefined
  let own = newWindow()
  let refusedAt = Number.NEGATIVE_INFINITY
  let fullWindows = 0
  let patience = 5
  let windowsTold = 0
  let spreadSince: number | undefined

  /** The gap that spreads requests over a short window; undefined for a long one. */
  function spreadMs(): number | undefined {
    if (known === undefined || known.isCounted || known.periodMs > shortMs) return undefined
    return (known.periodMs / known.limit) * slower
  }

  /** Whether requests were spread over a full window: then the next one fits, whatever is reported as left. */
  function isSpread(now: number): boolean {
    const gapMs = spreadMs()
    return gapMs !== undefined && spreadSince !== undefined && now - spreadSince > (known?.periodMs ?? 0) + gapMs
  }

  /** Ends what has expired. */
  function turnOver(now: number): void {
    if (told !== undefined && now >= told.resetsAt) {
      told = undefined
      own = newWindow()
    }
    if (known === undefined || own.startedAt === undefined || now < own.startedAt + known.periodMs) return
    if (known.isCounted && own.sent >= known.limit) fullWindows += 1
    if (fullWindows >= patience) {
      // A count is a lower bound: another client may have used up the rest.
      known = { ...known, limit: Math.ceil(known.limit * 1.25) }
      fullWindows = 0
      patience *= 2
    }
    own = newWindow()
  }

  function learn(limit: string | undefined, left: number, resetMs: number, sentAt: number, now: number): void {
    const resetsAt = now + resetMs
    // More than was left before this request was sent: a new window has begun since.
    const isNewer = told !== undefined && sentAt >= told.at && left > told.left
    if (told === undefined || isNewer || resetsAt >= told.resetsAt + roundingMs) {
      told = { left, resetsAt, at: now }
      windowsTold += 1
    }
    // Answers overtake each other: within a window the lowest count is the newest, and the earliest end the most precise.
    else told = { left: Math.min(told.left, left), resetsAt: Math.min(told.resetsAt, resetsAt), at: now }
    if (limit === undefined || !/^[1-9]\d{0,8}$/.test(limit)) return
    const periodMs = periodsMs.find((period) => period + roundingMs > resetMs) ?? resetMs
    const longest = known?.isCounted === false ? Math.max(known.periodMs, periodMs) : periodMs
    known = { limit: Number(limit), periodMs: longest, isCounted: false }
    // The first window may have been the end of a long one.
    if (spreadMs() !== undefined && windowsTold > 1) spreadSince ??= now
    else spreadSince = undefined
  }

  return {
    /** Milliseconds until the next request fits, or `answer` when only the next answer can tell; 0: it fits. */
    obstacle(now: number, underWay: number): number | 'answer' {
      turnOver(now)
      if (isSpread(now)) return 0
      if (told !== undefined) {
        if (told.left === 0) return told.resetsAt - now
        // Counted before the requests in flight: some of them may have used up the rest.
        return told.left <= underWay ? 'answer' : 0
      }
      if (known === undefined || own.startedAt === undefined || own.sent < known.limit) return 0
      return isTelling && underWay > 0 ? 'answer' : own.startedAt + known.periodMs - now
    },
    /** Milliseconds between requests that keep a short window from running out. */
    gapMs: (): number => spreadMs() ?? 0,
    sent(now: number): void {
      own.startedAt ??= now
      own.sent += 1
    },
    /** Updates the budget from an answer; `wallMs` is Unix time. */
    answered(headers: Reply['headers'], wasThrottled: boolean, sentAt: number, now: number, wallMs: number): void {
      if (!wasThrottled) {
        if (sentAt >= (own.startedAt ?? now)) own.accepted += 1
        // Left before the refusal and was accepted nevertheless.
        else if (known?.isCounted && sentAt < refusedAt) known = { ...known, limit: known.limit + 1 }
      }
      // Another client uses the budget too: reported counts apply until a window has passed.
      else spreadSince = undefined
      const remaining = text(headers['x-rate-limit-remaining'])
      isTelling = remaining !== undefined && /^\d{1,9}$/.test(remaining)
      if (!isTelling) return
      const resetMs = untilReset(headers, wallMs)
      if (resetMs === undefined) told = undefined
      else learn(text(headers['x-rate-limit-limit']), Number(remaining), resetMs, sentAt, now)
    },
    /** Records for how long the service accepts no requests, after a refusal for too many. */
    refused(sentAt: number, waitMs: number, now: number): void {
      if (sentAt < refusedAt) return
      refusedAt = now
      const { startedAt = now, accepted } = own
      own = newWindow()
      fullWindows = 0
      // ASSUMED A460: a refusal that names no limit but wants more than five seconds is about the minute that began with the
      // first request; what was accepted since is its budget. Shorter waits are about seconds, and the pace finds those.
      const isMinute = waitMs > 5000 && now - startedAt + waitMs < minuteMs + roundingMs
      if (isMinute && accepted >= telling && (known === undefined || known.isCounted)) {
        known = { limit: accepted, periodMs: minuteMs, isCounted: true }
      }
    },
    /** The current window, where the service has reported or shown what fits into one. */
    window(now: number): BudgetWindow | undefined {
      turnOver(now)
      if (known === undefined) return undefined
      const { limit, periodMs } = known
      if (told !== undefined) return { limit, left: told.left, resetsInMs: told.resetsAt - now, periodMs }
      const resetsInMs = own.startedAt === undefined ? 0 : own.startedAt + periodMs - now
      return { limit, left: Math.max(0, limit - own.sent), resetsInMs, periodMs }
    },
  }
}

function newWindow(): { startedAt: number | undefined; sent: number; accepted: number } {
  return { startedAt: undefined, sent: 0, accepted: 0 }
}

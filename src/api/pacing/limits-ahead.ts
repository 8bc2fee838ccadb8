// Estimates when a job will be done, from the known limits.
import type { BudgetWindow } from './budget.ts'

/** What limits the pace from now on. An absent member: no such limit. */
export interface LimitsAhead {
  /** The time in which no request leaves. */
  pausedForMs?: number
  /** Requests a second at most: the user's rate, or the pace found from refusals. */
  perSecond?: number
  /** The window in which the service counts. */
  window?: BudgetWindow
  /** How long the outage has lasted. */
  outageForMs?: number
}

/**
 * Estimates the milliseconds until the given number of further requests are answered; undefined when nothing is known yet.
 *
 * `measuredPerSecond` is what the job has reached so far, pauses included or not; 0 or less: not measured. The estimate
 * is the later of what that speed and what the limits allow.
 */
export function expectedMs(
  requestsLeft: number,
  limitsAhead: LimitsAhead,
  measuredPerSecond: number,
): number | undefined {
  const { pausedForMs = 0, perSecond = Number.POSITIVE_INFINITY, window } = limitsAhead
  if (requestsLeft <= 0) return 0
  const measured = measuredPerSecond > 0 ? measuredPerSecond : Number.POSITIVE_INFINITY
  const speed = Math.min(measured, perSecond)
  if (speed === Number.POSITIVE_INFINITY && window === undefined) return undefined
  const bySpeedMs = pausedForMs + (requestsLeft * 1000) / speed
  return Math.max(bySpeedMs, window === undefined ? 0 : byWindowMs(requestsLeft, window, speed))
}

function byWindowMs(requestsLeft: number, { limit, left, resetsInMs, periodMs }: BudgetWindow, speed: number): number {
  const later = requestsLeft - Math.min(left, (resetsInMs * speed) / 1000)
  if (later <= 0) return 0
  // A window takes as many requests as fit into it, and no more than the speed allows.
  const perWindow = Math.min(limit, (periodMs * speed) / 1000)
  const fullWindows = Math.ceil(later / perWindow) - 1
  return resetsInMs + fullWindows * periodMs + ((later - fullWindows * perWindow) * 1000) / speed
}

// When a job will be done, as far as the limits that are known allow.
import type { BudgetWindow } from './budget.ts'

/** What is known about the pace from now on. Absent: nothing holds requests back in this way. */
export interface Outlook {
  /** No request leaves for so long. */
  pausedForMs?: number
  /** Requests a second at most: the user's rate, or what the service's refusals advise. */
  perSecond?: number
  /** What the service counts in. */
  window?: BudgetWindow
  /** For so long no answer of use has come. */
  outageForMs?: number
}

/**
 * Estimates the milliseconds until so many further requests are answered; undefined when nothing is known yet.
 *
 * `measuredPerSecond` is what the job has reached so far, pauses included or not; 0 or less: not measured. The estimate
 * is the later of what that speed and what the limits allow.
 */
export function expectedMs(requestsLeft: number, outlook: Outlook, measuredPerSecond: number): number | undefined {
  const { pausedForMs = 0, perSecond = Number.POSITIVE_INFINITY, window } = outlook
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
  // A window takes what fits into it, and no more than the speed allows.
  const perWindow = Math.min(limit, (periodMs * speed) / 1000)
  const fullWindows = Math.ceil(later / perWindow) - 1
  return resetsInMs + fullWindows * periodMs + ((later - fullWindows * perWindow) * 1000) / speed
}

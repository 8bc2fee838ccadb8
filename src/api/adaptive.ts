// Finds the pace a service takes after it said "too many requests": down at once, up along a cubic curve.

/** Milliseconds between requests that the answers so far advise. Times are milliseconds of one monotonic clock. */
export interface Pace {
  sent(now: number): void
  answered(now: number): void
  /** `sentAt` is when the refused request left, so that one burst of refusals slows down once. */
  throttled(now: number, sentAt: number): void
  intervalMs(): number
}

const floorPerSecond = 0.5
const keptShare = 0.7
const steepness = 0.4

/**
 * Starts without a limit; after the first throttle the rate is 0.7 of what was sent lately and recovers like CUBIC.
 *
 * The same rules as the adaptive mode of the AWS SDKs. Source: reliability.md §2.
 */
export function createPace(): Pace {
  let measured = 0
  let windowFrom: number | undefined
  let windowCount = 0
  let allowed = Number.POSITIVE_INFINITY
  let peak = 0
  let loweredAt = Number.NEGATIVE_INFINITY

  return {
    sent(now) {
      windowFrom ??= now
      const seconds = (now - windowFrom) / 1000
      if (seconds >= 0.5) {
        measured = measured === 0 ? windowCount / seconds : 0.8 * (windowCount / seconds) + 0.2 * measured
        windowFrom = now
        windowCount = 0
      }
      windowCount += 1
    },
    throttled(now, sentAt) {
      if (sentAt < loweredAt) return
      const lately = Math.max(measured, windowCount / 0.5)
      peak = Math.max(floorPerSecond, Math.min(lately, allowed))
      allowed = Math.max(floorPerSecond, peak * keptShare)
      loweredAt = now
    },
    answered(now) {
      if (allowed === Number.POSITIVE_INFINITY) return
      const seconds = (now - loweredAt) / 1000
      const plateauAt = Math.cbrt((peak * (1 - keptShare)) / steepness)
      allowed = Math.max(floorPerSecond, steepness * (seconds - plateauAt) ** 3 + peak)
    },
    intervalMs: () => 1000 / allowed,
  }
}

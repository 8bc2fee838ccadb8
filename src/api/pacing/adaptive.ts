// Finds the pace a service accepts after it answered "too many requests": down at once, up along a cubic curve.

const floorPerSecond = 0.5
const keptShare = 0.7

// The AWS SDKs use 0.4, which reaches the limit again after two seconds: at ten requests a second one in twenty is then
// refused, or one in five where answers take long. With this flatter curve it is one in fifty.
const steepness = 0.01

// The weight of one answer: about the last hundred are remembered.
const memory = 0.01

/**
 * The share of refusals that does not slow a job down: one in twenty-five for a fast job, none for a slow one.
 *
 * A service that occasionally refuses for reasons of its own would otherwise bring a fast job nearly to a halt: each refusal
 * takes three tenths of the rate, and only time restores them. Before anything was measured, a few refusals mean nothing.
 */
function toleratedShare(perSecond: number): number {
  return 0.04 * Math.min(1, perSecond === 0 ? 1 : perSecond / 100)
}

/**
 * Derives the milliseconds between requests from the answers so far. Times are milliseconds of one monotonic clock.
 *
 * Starts without a limit; after too many refusals the rate is 0.7 of the recent one and recovers like CUBIC.
 * The rules of the adaptive mode of the AWS SDKs, with a flatter curve. Source: docs/reliability.md#pace.
 */
export function createPace() {
  let measured = 0
  let refusedShare = 0
  let windowFrom: number | undefined
  let windowCount = 0
  let allowed = Number.POSITIVE_INFINITY
  let peak = 0
  let loweredAt = Number.NEGATIVE_INFINITY

  return {
    sent(now: number): void {
      windowFrom ??= now
      const seconds = (now - windowFrom) / 1000
      if (seconds >= 0.5) {
        measured = measured === 0 ? windowCount / seconds : 0.8 * (windowCount / seconds) + 0.2 * measured
        windowFrom = now
        windowCount = 0
      }
      windowCount += 1
    },
    /** `sentAt` is when the refused request left: one burst of refusals slows down only once. */
    throttled(now: number, sentAt: number): void {
      if (sentAt < loweredAt) return
      refusedShare += (1 - refusedShare) * memory
      if (refusedShare < toleratedShare(measured)) return
      refusedShare = 0
      const lately = Math.max(measured, windowCount / 0.5)
      peak = Math.max(floorPerSecond, Math.min(lately, allowed))
      allowed = Math.max(floorPerSecond, peak * keptShare)
      loweredAt = now
    },
    answered(now: number): void {
      refusedShare -= refusedShare * memory
      if (allowed === Number.POSITIVE_INFINITY) return
      const seconds = (now - loweredAt) / 1000
      const plateauAt = Math.cbrt((peak * (1 - keptShare)) / steepness)
      allowed = Math.max(floorPerSecond, steepness * (seconds - plateauAt) ** 3 + peak)
    },
    intervalMs: (): number => 1000 / allowed,
  }
}

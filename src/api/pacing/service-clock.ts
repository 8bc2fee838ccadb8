// The service's own clock, as far as an answer tells it.

/**
 * Gives the service's time (Unix ms) when a request left, or a little before; undefined when nothing tells it.
 *
 * A service on this computer has this computer's clock. Any other says its time in the `Date` header when it answers, to
 * the second, so the result can be early by a second and by what the answer took on its way, and is never late.
 */
export function serviceTimeAtSend(sent: {
  isThisComputer: boolean
  /** This computer's clock when the request left, Unix ms. */
  wallMs: number
  /** From the request's leaving to the end of its answer. */
  elapsedMs: number
  /** The answer's `Date` header. */
  date: unknown
}): number | undefined {
  if (sent.isThisComputer) return sent.wallMs
  const answeredMs = typeof sent.date === 'string' ? Date.parse(sent.date) : Number.NaN
  return Number.isNaN(answeredMs) ? undefined : answeredMs - sent.elapsedMs
}

// Reads how long the service asks clients to wait. Source: docs/service/limits.md#rate-limit-headers.
import { text } from '../answer.ts'
import type { Reply } from '../request/transport.ts'

/**
 * Returns the milliseconds for which a busy service (429 or 503) accepts no requests, counted from its answer; undefined
 * when it asks for nothing sensible.
 *
 * Reads `Retry-After` (seconds, or a date compared with the answer's own `Date` header, because the local clock may be
 * wrong), then, after a limit was hit, `X-Rate-Limit-Retry` (Unix seconds). Negative, past and garbled: undefined.
 */
export function waitOf(
  { status, headers }: Pick<Reply, 'status' | 'headers'>,
  isLimited: boolean,
  wallMs: number,
): number | undefined {
  if (!isLimited && status !== 503) return undefined
  const asked = text(headers['retry-after'])?.trim() ?? ''
  const isSeconds = /^\d{1,10}(\.\d{1,3})?$/.test(asked)
  const waitMs = isSeconds ? Number(asked) * 1000 : dateOf(asked) - sentAtOf(headers, wallMs)
  if (waitMs >= 0) return waitMs
  return isLimited ? untilReset(headers, wallMs) : undefined
}

/** Returns the milliseconds until the instant in `X-Rate-Limit-Retry`; undefined when it is absent, garbled or past. */
export function untilReset(headers: Reply['headers'], wallMs: number): number | undefined {
  const reset = text(headers['x-rate-limit-retry'])?.trim() ?? ''
  if (!/^\d{1,12}$/.test(reset)) return undefined
  const waitMs = Number(reset) * 1000 - sentAtOf(headers, wallMs)
  return waitMs > 0 ? waitMs : undefined
}

function sentAtOf(headers: Reply['headers'], wallMs: number): number {
  const date = dateOf(text(headers.date) ?? '')
  return Number.isNaN(date) ? wallMs : date
}

// The one format senders may use (RFC 9110 §5.6.7). `Date.parse` alone would take "soon 5" for a date.
function dateOf(given: string): number {
  return /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/.test(given) ? Date.parse(given) : Number.NaN
}

// Counts calls in time windows, as the service's limits do. Source: docs/service/limits.md#rate-limit-headers.

/** A number of calls per period. */
export interface RateLimit {
  calls: number
  periodMs: number
}

/** What is left after a call, and when the window ends (milliseconds since 1970). */
export interface Quota {
  isAllowed: boolean
  limit: number
  remaining: number
  resetsAtMs: number
}

/** Counts a call of one caller, and returns whether it is allowed. */
export type RateLimiter = (who: string) => Quota

/** The limit of the client-side API, for each address. Source: docs/service/limits.md#client-side-limit. */
export const clientSideLimit: RateLimit = { calls: 5, periodMs: 5_000 }

const rememberedAtMost = 10_000

/**
 * Returns a limiter that counts each caller separately. A window begins with the first call after the previous one ended.
 *
 * A refused call does not count. `nowMs` is milliseconds since 1970.
 */
export function rateLimiterOf({ calls, periodMs }: RateLimit, nowMs: () => number): RateLimiter {
  const windows = new Map<string, { used: number; resetsAtMs: number }>()
  return (who) => {
    const now = nowMs()
    let window = windows.get(who)
    if (!window || window.resetsAtMs <= now) {
      if (windows.size >= rememberedAtMost) forgetOldest(windows)
      // Deleted first to keep the windows in the order in which they began.
      windows.delete(who)
      window = { used: 0, resetsAtMs: now + periodMs }
      windows.set(who, window)
    }
    const isAllowed = window.used < calls
    if (isAllowed) window.used += 1
    return { isAllowed, limit: calls, remaining: calls - window.used, resetsAtMs: window.resetsAtMs }
  }
}

function forgetOldest(windows: Map<string, unknown>): void {
  for (const [index, who] of [...windows.keys()].entries()) if (index < rememberedAtMost / 2) windows.delete(who)
}

/** Returns an allowance as response headers, by lower-case name. */
export function allowanceHeaders({ isAllowed, limit, remaining, resetsAtMs }: Quota, nowMs: number) {
  const headers: Record<string, string> = {
    'x-rate-limit-limit': String(limit),
    'x-rate-limit-remaining': String(remaining),
    // ASSUMED A147: the absolute time is the end of the window, also while calls are left.
    'x-rate-limit-retry': String(Math.ceil(resetsAtMs / 1000)),
  }
  if (isAllowed) return headers
  const retryAfter = Math.max(1, Math.ceil((resetsAtMs - nowMs) / 1000))
  return { ...headers, 'retry-after': String(retryAfter), 'x-rate-limit-type': 'api_calls' }
}

/** The body of a 429: no key and no request id. Source: docs/service/limits.md#too-many-requests. */
export const tooManyRequests = { code: 429, message: 'Too many requests hit the API too quickly.' } as const

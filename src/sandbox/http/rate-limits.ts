// Counts calls in time windows, as the service's limits do. Source: docs/service/limits.md#rate-limit-headers.
import type { AppRequest } from './app.ts'
import type { Headers } from './auth.ts'
import { Answer } from './route.ts'

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
function allowanceHeaders({ isAllowed, limit, remaining, resetsAtMs }: Quota, nowMs: number) {
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

// Simulates a remote, busy service on request: slow answers and a rate limit.

export interface Simulation {
  /** How long every answer is delayed after the work is done. */
  latencyMs?: number
  /** The limit of all calls together; each answer then states what is left of it. */
  rateLimit?: RateLimit
}

/** Answers one request. */
export type RequestHandler = (request: AppRequest) => Promise<Answer>

/** Wraps a request handler. Returns it unchanged when there is nothing to simulate. */
export function withSimulation(
  answer: RequestHandler,
  { latencyMs = 0, rateLimit }: Simulation,
  nowMs: () => number,
): RequestHandler {
  const held: RequestHandler = latencyMs === 0 ? answer : async (request) => delay(await answer(request), latencyMs)
  if (!rateLimit) return held
  const take = rateLimiterOf(rateLimit, nowMs)
  return async (request) => {
    // ASSUMED A148: one budget for the entire sandbox, including calls with wrong keys, so 429 comes before 401.
    const allowance = take('')
    const headers = allowanceHeaders(allowance, nowMs())
    if (!allowance.isAllowed) return { status: 429, headers, body: tooManyRequests }
    const reply = await held(request)
    return new Answer(reply.status, reply.body, { ...reply.headers, ...headers })
  }
}

async function delay(reply: Answer, latencyMs: number): Promise<Answer> {
  await new Promise((resolve) => setTimeout(resolve, latencyMs))
  return reply
}

// Calls of browsers and apps have a rate limit of their own, and headers that let a page read the answer.
// Source: docs/service/authentication.md#client-side-key-pair; docs/service/limits.md#client-side-limit;
// docs/service/addresses.md#client-side-api.

/** Returns whether a raw path belongs to the client-side API. */
export function isClientSide(path: string): boolean {
  return path.startsWith('/client/')
}

/**
 * Wraps a request handler: allows five client-side calls in five seconds per address, and answers preflight requests.
 *
 * A page can read an answer, or the reason for a refusal, only where `isReadable` says so.
 */
export function withClientSide(
  answer: RequestHandler,
  nowMs: () => number,
  isReadable: (headers: Headers) => boolean,
): RequestHandler {
  const take = rateLimiterOf(clientSideLimit, nowMs)
  return async (request) => {
    if (!isClientSide(request.path)) return answer(request)
    const readable = isReadable(request.headers) ? headersFor(request.headers.origin) : {}
    if (request.method === 'OPTIONS') return { status: 204, headers: { ...readable, ...preflight }, body: undefined }
    const allowance = take(request.address ?? '')
    if (!allowance.isAllowed)
      return { status: 429, headers: { ...readable, ...allowanceHeaders(allowance, nowMs()) }, body: tooManyRequests }
    const reply = await answer(request)
    return new Answer(reply.status, reply.body, { ...reply.headers, ...readable })
  }
}

const preflight = {
  'access-control-allow-methods': 'GET, POST',
  'access-control-allow-headers': [
    'Authorization',
    'Content-Type',
    'X-Client-Application-Id',
    'X-Client-Token',
    'X-Voucherify-API-Version',
    'X-Voucherify-Channel',
    'X-Voucherify-Double-Opt-In',
  ].join(', '),
  'access-control-max-age': '600',
}

function headersFor(origin: string | undefined): Record<string, string> {
  if (origin === undefined) return {}
  // The published script for web pages calls with `withCredentials`, and a browser hides an answer that does not allow it.
  return { 'access-control-allow-origin': origin, 'access-control-allow-credentials': 'true', vary: 'Origin' }
}

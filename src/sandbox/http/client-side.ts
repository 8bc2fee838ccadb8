// Calls of browsers and apps have a rate limit of their own, and headers that let a page read the answer.
// Source: docs/service/authentication.md#client-side-key-pair; docs/service/limits.md#client-side-limit;
// docs/service/addresses.md#client-side-api.

import type { Headers } from './auth.ts'
import { allowanceHeaders, clientSideLimit, rateLimiterOf, tooManyRequests } from './rate-limiter.ts'
import type { RequestHandler } from './simulation.ts'

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
    return { ...reply, headers: { ...reply.headers, ...readable } }
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

// What is different for calls of browsers and apps: their own limit, and headers that let a page read the answer.
// Source: docs/service/authentication.md#client-side-key-pair; docs/service/limits.md#client-side-limit; docs/service/addresses.md#client-side-api.

import { allowanceHeaders, clientSideLimit, rateLimiterOf, tooManyRequests } from './rate-limiter.ts'
import type { RequestHandler } from './simulation.ts'

/** Says whether a raw path belongs to the client-side API. */
export function isClientSide(path: string): boolean {
  return path.startsWith('/client/')
}

/** Wraps what answers requests: five client-side calls in five seconds from one address, and the answers to a page's questions. */
export function withClientSide(answer: RequestHandler, nowMs: () => number): RequestHandler {
  const take = rateLimiterOf(clientSideLimit, nowMs)
  return async (request) => {
    if (!isClientSide(request.path)) return answer(request)
    const readable = headersFor(request.headers.origin)
    if (request.method === 'OPTIONS') return { status: 204, headers: { ...readable, ...preflight }, body: undefined }
    const allowance = take(request.address ?? '')
    if (!allowance.isAllowed)
      return { status: 429, headers: { ...readable, ...allowanceHeaders(allowance, nowMs()) }, body: tooManyRequests }
    const reply = await answer(request)
    // A page whose origin is not allowed learns nothing, not even why.
    return reply.status === 403 ? reply : { ...reply, headers: { ...reply.headers, ...readable } }
  }
}

const preflight = {
  'access-control-allow-methods': 'GET, POST',
  'access-control-allow-headers': 'Authorization, Content-Type, X-Client-Application-Id, X-Client-Token',
  'access-control-max-age': '600',
}

function headersFor(origin: string | undefined): Record<string, string> {
  // Before a call the browser asks without keys, so that the project, and its list, are not known yet.
  return origin === undefined ? {} : { 'access-control-allow-origin': origin, vary: 'Origin' }
}

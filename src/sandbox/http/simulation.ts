// Simulates a remote, busy service on request: slow answers and a rate limit.
import type { AppRequest } from './app.ts'
import { allowanceHeaders, type RateLimit, rateLimiterOf, tooManyRequests } from './rate-limiter.ts'
import type { Answer } from './route.ts'

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
    return { ...reply, headers: { ...reply.headers, ...headers } }
  }
}

async function delay(reply: Answer, latencyMs: number): Promise<Answer> {
  await new Promise((resolve) => setTimeout(resolve, latencyMs))
  return reply
}

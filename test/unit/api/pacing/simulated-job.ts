// A job of many rows against a service with a limit, both simulated: hours pass in a second, and every answer is on record.

import { decide } from '../../../../src/api/outcome/retry.ts'
import { createLimiter } from '../../../../src/api/pacing/limiter.ts'
import type { Rate } from '../../../../src/api/pacing/rate.ts'
import type { Reply } from '../../../../src/api/request/transport.ts'
import { fakeClock } from './fake-clock.ts'

/** What a service answers at an instant, in milliseconds since 1970. */
export type Service = (wallMs: number) => Pick<Reply, 'status' | 'headers'>

/** Which headers a service sends: with every answer, with refusals only, just `Retry-After`, or none. */
export type Told = 'always' | 'when-refused' | 'retry-after' | 'never'

export interface Answered {
  /** When the service answered, in milliseconds from the start of the job. */
  atMs: number
  status: number
}

interface Job {
  rows: number
  service: Service
  rate?: Rate
  workers?: number
  latencyMs?: number
  /** Ends the job although rows are left. */
  untilMs?: number
}

/** Sends every row until it is answered with something else than 429, the way a client does. */
export async function simulatedJob({ rows, service, rate, workers = 8, latencyMs = 50, untilMs = Infinity }: Job) {
  const clock = fakeClock()
  const limiter = createLimiter(rate, clock)
  const startedAt = clock.now()
  const answers: Answered[] = []
  let next = 0

  async function row(): Promise<void> {
    for (let attempts = 1; clock.now() - startedAt < untilMs; attempts += 1) {
      const turn = limiter.turn()
      if (turn !== undefined) await turn
      limiter.left()
      const sentAt = clock.now()
      await clock.sleep(latencyMs / 2)
      const reply = service(clock.wall())
      answers.push({ atMs: clock.now() - startedAt, status: reply.status })
      await clock.sleep(latencyMs / 2)
      const isThrottled = reply.status === 429
      const waitMs = limiter.learn(reply, isThrottled, sentAt)
      if (!isThrottled) return
      const verdict = { phase: 'rejected', cause: 'throttled', status: 429 } as const
      const decision = decide({
        verdict,
        repeat: 'once',
        attempts,
        counted: 0,
        retries: 9,
        waitMs,
        random: clock.random(),
      })
      if (decision.act === 'again') await clock.sleep(decision.delayMs)
    }
  }
  async function worker(): Promise<void> {
    while (next < rows && clock.now() - startedAt < untilMs) {
      next += 1
      await row()
    }
  }
  await Promise.all(Array.from({ length: workers }, worker))
  return { elapsedMs: clock.now() - startedAt, answers, limiter }
}

/** A number of calls per window, the first of which begins with the first call, or with the clock. */
export function windowService(
  calls: number,
  periodMs: number,
  told: Told,
  begins: 'with-a-call' | 'by-the-clock' = 'with-a-call',
): Service {
  let endsAt = 0
  let used = 0
  return (now) => {
    if (now >= endsAt) {
      endsAt = begins === 'with-a-call' ? now + periodMs : Math.floor(now / periodMs) * periodMs + periodMs
      used = 0
    }
    const isAllowed = used < calls
    if (isAllowed) used += 1
    return answer(isAllowed, told, { limit: calls, left: calls - used, resetsAt: endsAt }, now)
  }
}

/** A number of calls a second, with a maximum that is saved up; the rate may change with the time. */
export function bucketService(perSecond: (sinceMs: number) => number, saved: number, told: Told): Service {
  let tokens = saved
  let last: number | undefined
  let first: number | undefined
  return (now) => {
    first ??= now
    const rate = perSecond(now - first)
    tokens = Math.min(saved, tokens + ((now - (last ?? now)) / 1000) * rate)
    last = now
    const isAllowed = tokens >= 1
    if (isAllowed) tokens -= 1
    return answer(isAllowed, told, { limit: saved, left: Math.floor(tokens), resetsAt: now + 1000 / rate }, now)
  }
}

function answer(
  isAllowed: boolean,
  told: Told,
  { limit, left, resetsAt }: { limit: number; left: number; resetsAt: number },
  now: number,
): Pick<Reply, 'status' | 'headers'> {
  const limits = {
    'x-rate-limit-limit': String(limit),
    'x-rate-limit-remaining': String(left),
    'x-rate-limit-retry': String(Math.ceil(resetsAt / 1000)),
  }
  const retryAfter = { 'retry-after': String(Math.max(1, Math.ceil((resetsAt - now) / 1000))) }
  const date = { date: new Date(now).toUTCString() }
  const status = isAllowed ? 200 : 429
  if (told === 'never') return { status, headers: date }
  if (told === 'always') return { status, headers: { ...date, ...limits, ...(!isAllowed && retryAfter) } }
  const whenRefused = told === 'retry-after' ? retryAfter : { ...limits, ...retryAfter }
  return { status, headers: isAllowed ? date : { ...date, ...whenRefused } }
}

/** The share of answers that refuse, from one instant on, between 0 and 1. */
export function refusedShare(answers: Answered[], fromMs: number): number {
  const late = answers.filter(({ atMs }) => atMs >= fromMs)
  return late.filter(({ status }) => status === 429).length / late.length
}

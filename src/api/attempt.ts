// One attempt of a call: waits for its turn, sends, judges the end, and reports it to everything that keeps the pace.
import type { Clock, Connection } from './connection.ts'
import { closingOf, isLoopback } from './connection.ts'
import { type SentRequest, type Verdict, verdictOf } from './outcome/outcome.ts'
import { type Health, ServiceUnavailable } from './pacing/availability.ts'
import { type Limiter, LongWait } from './pacing/limiter.ts'
import { scrubberFor, shownReplyHeaders, shownTarget } from './request/redact.ts'
import type { Reply, Transport, WireRequest } from './request/transport.ts'

/** How an attempt ended, and its times. */
export interface Attempt {
  verdict: Verdict
  /** How long the service accepts no requests, in milliseconds. */
  waitMs: number | undefined
  /** Whether a request left at all. */
  isMade: boolean
  /** Whether it was a probe. */
  isProbe: boolean
  /** By the monotonic clock. */
  sentAt: number
  /** By this computer's clock, Unix ms. */
  sentWallMs: number
  /** The service's time when the request left, or slightly before. */
  serviceMs: number | undefined
}

/** The parts that all attempts of a client share. */
export interface AttemptContext {
  connection: Connection
  clock: Clock
  health: Health
  limiter: Limiter
  transport: Transport
}

/** Returns the function that makes one attempt. It never throws: every end is a verdict. */
export function attemptsWith({ connection, clock, health, limiter, transport }: AttemptContext) {
  const { origin, observe } = connection
  const closing = closingOf(connection)
  const scrub = scrubberFor(connection.credentials)
  const isThisComputer = isLoopback(new URL(origin).hostname)

  return async function attempt(asked: SentRequest, wire: WireRequest): Promise<Attempt> {
    let isProbe = false
    try {
      closing?.throwIfAborted()
      const turn = limiter.turn()
      if (turn !== undefined) isProbe = (await turn) === 'probe'
    } catch (reason) {
      return beforeSending(reason)
    }
    const sentAt = clock.now()
    const sentWallMs = clock.wall()
    observe?.(`> ${wire.method} ${origin}${shownTarget(wire.target)}`)
    const result = await transport.send(wire)
    const reply: Reply | undefined = 'status' in result ? result : undefined
    const judged = verdictOf(asked, result)
    const verdict = judged instanceof Promise ? await judged : judged
    const throttled = verdict.cause === 'throttled'
    const wasOpen = health.isOpen()
    health.record(verdict, isProbe, clock.now())
    // After the verdict on the service: these two release the next request.
    const waitMs = reply && limiter.learn(reply, throttled, sentAt)
    if (reply === undefined) limiter.lost()
    if (reply) connection.heard?.({ status: reply.status, headers: shownReplyHeaders(reply.headers).map(scrub) })
    if (observe !== undefined) {
      const line = `< ${inShort(verdict)} in ${Math.round(clock.now() - sentAt)} ms${requestText(verdict)}`
      observe(scrub(line))
    }
    if (!wasOpen && health.isOpen())
      observe?.('= the service is unavailable: one request at a time asks whether it is back')
    if (wasOpen && !health.isOpen()) observe?.('= the service is back')
    const elapsedMs = clock.now() - sentAt
    const serviceMs = serviceTimeAtSend({ isThisComputer, wallMs: sentWallMs, elapsedMs, date: reply?.headers.date })
    return { verdict, waitMs, isMade: true, isProbe, sentAt, sentWallMs, serviceMs }
  }
}

/** The verdict on a request that was stopped before it was sent. */
export const stopped: Verdict = { phase: 'not_sent', cause: 'stopped', reason: 'it was stopped' }

function beforeSending(reason: unknown): Attempt {
  const unsent = { isMade: false, isProbe: false, sentAt: 0, sentWallMs: 0, serviceMs: undefined }
  if (reason instanceof LongWait) {
    const verdict: Verdict = { phase: 'not_sent', cause: 'throttled', reason: 'the request budget is used up' }
    return { verdict, waitMs: reason.waitMs, ...unsent }
  }
  if (reason instanceof ServiceUnavailable) {
    const verdict: Verdict = { phase: 'not_sent', cause: 'unreachable', reason: 'the service is unavailable' }
    return { verdict, waitMs: undefined, ...unsent }
  }
  return { verdict: stopped, waitMs: undefined, ...unsent }
}

/**
 * Returns the service's time (Unix ms) when a request left, or slightly before; undefined when it cannot be known.
 *
 * A service on this computer has this computer's clock. Any other sends its time in the `Date` header of its answer, to the
 * second: the result can be early by a second plus the time the answer took, and is never late.
 */
export function serviceTimeAtSend(sent: {
  isThisComputer: boolean
  /** This computer's clock when the request left, Unix ms. */
  wallMs: number
  /** From the departure of the request to the end of its answer. */
  elapsedMs: number
  /** The answer's `Date` header. */
  date: unknown
}): number | undefined {
  if (sent.isThisComputer) return sent.wallMs
  const answeredMs = typeof sent.date === 'string' ? Date.parse(sent.date) : Number.NaN
  return Number.isNaN(answeredMs) ? undefined : answeredMs - sent.elapsedMs
}

function inShort({ status, reason }: Verdict): string {
  return status === undefined ? `no answer (${reason})` : String(status)
}

function requestText({ requestId }: Verdict): string {
  return requestId === undefined ? '' : `, request ${requestId}`
}

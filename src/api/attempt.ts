// One attempt of a call: waits for its turn, sends, judges the end, and reports it to everything that keeps the pace.

import { isLoopback } from '../base/loopback.ts'
import { shownTarget } from '../contract/secret-names.ts'
import type { Clock, Connection } from './connection.ts'
import { closingOf } from './connection.ts'
import type { AttemptTimes } from './outcome/applied-window.ts'
import { requestText, type SentRequest, type Verdict, verdictOf } from './outcome/outcome.ts'
import { type Health, ServiceUnavailable } from './pacing/availability.ts'
import { type Limiter, LongWait } from './pacing/limiter.ts'
import { scrubberFor, shownReplyHeaders } from './request/redact.ts'
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
  /** What its answer tells about the time by the service's clock. */
  times: Pick<AttemptTimes, 'clock' | 'sentWallMs' | 'answeredWallMs' | 'elapsedMs' | 'date'>
}

/** The parts that all attempts of a client share. */
export interface AttemptContext {
  connection: Connection
  clock: Clock
  health: Health
  limiter: Limiter
  transport: Transport
}

/**
 * Returns the function that makes one attempt. `onTurn` is awaited once it is the attempt's turn; only what it throws is
 * thrown, before anything is sent: every other end is a verdict.
 */
export function attemptsWith({ connection, clock, health, limiter, transport }: AttemptContext) {
  const { origin, observe } = connection
  const closing = closingOf(connection)
  const scrub = scrubberFor(connection.credentials)
  const place = connection.isEmbedded ? 'ours' : isLoopback(new URL(origin).hostname) ? 'near' : 'other'

  function withoutSending(error: unknown): never {
    limiter.lost(false)
    throw error
  }

  return async function attempt(
    asked: SentRequest,
    wire: WireRequest,
    onTurn?: () => Promise<void> | undefined,
  ): Promise<Attempt> {
    let isProbe = false
    try {
      closing?.throwIfAborted()
      const turn = limiter.turn()
      if (turn !== undefined) isProbe = (await turn) === 'probe'
    } catch (reason) {
      return beforeSending(reason)
    }
    const ready = onTurn?.()
    if (ready !== undefined) await ready.catch(withoutSending)
    try {
      const slot = limiter.slot()
      if (slot !== undefined) await slot
    } catch (reason) {
      limiter.lost(false)
      return beforeSending(reason)
    }
    const sentAt = clock.now()
    const sentWallMs = clock.wall()
    observe?.(`> ${wire.method} ${origin}${shownTarget(wire.target)}`)
    const result = await transport.send(wire, limiter.left)
    const reply: Reply | undefined = 'status' in result ? result : undefined
    const judged = verdictOf(asked, result)
    const verdict = judged instanceof Promise ? await judged : judged
    const throttled = verdict.cause === 'throttled'
    const wasOpen = health.isOpen()
    health.record(verdict, isProbe, clock.now())
    // After the verdict on the service: these two release the next request.
    const waitMs = reply && limiter.learn(reply, throttled, sentAt)
    if ('sent' in result) limiter.lost(result.sent)
    if (reply) connection.onReply?.({ status: reply.status, headers: shownReplyHeaders(reply.headers).map(scrub) })
    if (observe !== undefined) {
      const line = `< ${inShort(verdict)} in ${Math.round(clock.now() - sentAt)} ms${requestText(verdict)}`
      observe(scrub(line))
    }
    if (!wasOpen && health.isOpen())
      observe?.('= the service is unavailable: one request at a time asks whether it is back')
    if (wasOpen && !health.isOpen()) observe?.('= the service is back')
    const times = {
      clock: place,
      sentWallMs,
      answeredWallMs: clock.wall(),
      elapsedMs: clock.now() - sentAt,
      date: reply?.headers.date,
    } as const
    return { verdict, waitMs, isMade: true, isProbe, sentAt, times }
  }
}

/** The verdict on a request that was stopped before it was sent. */
export const stopped: Verdict = { phase: 'not_sent', cause: 'stopped', reason: 'it was stopped' }

function beforeSending(reason: unknown): Attempt {
  const times = { clock: 'other', sentWallMs: 0, answeredWallMs: 0, elapsedMs: 0, date: undefined } as const
  const unsent = { isMade: false, isProbe: false, sentAt: 0, times }
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

function inShort({ status, reason }: Verdict): string {
  return status === undefined ? `no answer (${reason})` : String(status)
}

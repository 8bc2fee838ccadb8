// One call from its check to its end: waits for its turn, sends, judges, and sends again where that is safe.
import type { Credential, Endpoint, Repeat } from '../contract/endpoint.ts'
import type { Failure } from '../contract/failure.ts'
import { type Clock, type Connection, closingOf, isLoopback } from './connection.ts'
import { callError, type Story } from './outcome/explain.ts'
import { type Asked, type Verdict, verdictOf } from './outcome/outcome.ts'
import { decide, isProofOfEarlier } from './outcome/retry.ts'
import { Away, createHealth } from './pacing/availability.ts'
import { createLimiter, LongWait } from './pacing/limiter.ts'
import type { Outlook } from './pacing/outlook.ts'
import { serviceTimeAtSend } from './pacing/service-clock.ts'
import { credentialHeaders } from './request/credentials.ts'
import { scrubberFor, secretsIn, shownReplyHeaders, shownTarget } from './request/redact.ts'
import { checkedRequest, type LooseRequest } from './request/request.ts'
import { createTransport, type Reply, type WireRequest } from './request/transport.ts'

export interface CallOptions {
  /** Replaces what the contract says, for a request whose content changes it: a session without a key is `once`. */
  repeat?: Repeat
  /** An attempt of an earlier process may have been applied: a taken key proves it, and a failure proves nothing. */
  lostBefore?: boolean
  /** Nobody is shown the answer: it is read faster, and a number in it may be rounded. */
  unseen?: boolean
  /** When that attempt may have left at the earliest: Unix ms by this computer's clock. */
  begunAtMs?: number | undefined
}

interface Exchanged {
  attempts: number
  status: number
  requestId?: string | undefined
  /** Whether an attempt before the last one may have been applied. */
  ambiguousBefore: boolean
  /** Before this instant (Unix ms, by the service's clock) the call cannot have been applied; undefined without a date. */
  notBeforeMs: number | undefined
}

/**
 * A call that was applied: `confirmed` by its answer, or `inferred` from a refusal that only makes sense if an earlier
 * attempt, whose answer was lost, was applied (a taken key after a create, nothing there after a delete).
 */
export type Exchange<Answer> = Exchanged &
  ({ outcome: 'confirmed'; answer: Answer } | { outcome: 'inferred'; failure: Failure | undefined })

interface SendOptions extends CallOptions {
  /** Whether the caller can do with an outcome that has no answer. */
  canInfer: () => boolean
}

/** Sends calls over one pool, at one pace. */
export interface Sender {
  send(endpoint: Endpoint, request: LooseRequest, options: SendOptions): Promise<Exchange<unknown>>
  /** What is known about the pace from now on. */
  outlook(): Outlook
  close(): Promise<void>
}

/** Makes a sender for a connection whose origin was checked. Nothing is loaded or opened before the first call. */
export function createSender(connection: Connection, clock: Clock): Sender {
  const { origin, signal, drain, observe, retries = 2, timeoutMs = 60_000, concurrency = 8, maxOutageMs } = connection
  const closing = closingOf(connection)
  let underWay = 0
  const health = createHealth({ concurrency, callsUnderWay: () => underWay, maxOutageMs })
  const limiter = createLimiter(connection.rate, clock, closing, health)
  const transport = createTransport({ origin, concurrency, timeoutMs, proxy: connection.proxy, signal, drain })
  const isThisComputer = isLoopback(new URL(origin).hostname)

  // The same for every call that is signed in one way and has a body of one kind, so they are chosen and checked once.
  const known = new Map<Credential, Map<string | undefined, Record<string, string>>>()
  function headersFor({ credential }: Endpoint, contentType: string | undefined): Record<string, string> {
    const signed = known.get(credential) ?? new Map<string | undefined, Record<string, string>>()
    known.set(credential, signed)
    const headers =
      signed.get(contentType) ?? headersOf(connection, credentialHeaders(credential, connection), contentType)
    signed.set(contentType, headers)
    return headers
  }

  async function send(declared: Endpoint, request: LooseRequest, options: SendOptions): Promise<Exchange<unknown>> {
    const endpoint = options.repeat === undefined ? declared : { ...declared, repeat: options.repeat }
    const { repeat } = endpoint
    const path = request.path ?? {}
    const { target, body, contentType } = checkedRequest(endpoint, request)
    const wire = { method: endpoint.method, target, headers: headersFor(endpoint, contentType), body }
    let ambiguousBefore = options.lostBefore ?? false
    let firstSentAt: number | undefined

    underWay += 1
    try {
      for (let attempts = 0, counted = 0; ; ) {
        const { verdict, waitMs, isMade, isProbe, sentAt, sentWallMs, serviceMs } = await attempt(
          { endpoint, path, unseen: options.unseen },
          wire,
        )
        if (isMade) {
          firstSentAt ??= sentAt
          attempts += 1
          // Whoever waits for the service anyway gives up no row because it is away or busy.
          const isFree = maxOutageMs !== undefined && (isProbe || verdict.cause === 'throttled')
          if (!isFree) counted += 1
        }
        const { phase, status = 0, requestId, failure } = verdict
        const sinceFirstMs = Math.max(sentAt - (firstSentAt ?? sentAt), sentWallMs - (options.begunAtMs ?? sentWallMs))
        // Rounded up: a clock of whole milliseconds may have stood at the very one in which the first attempt was applied.
        const notBeforeMs = serviceMs === undefined ? undefined : serviceMs - Math.ceil(sinceFirstMs)
        if (phase === 'confirmed') {
          const { answer } = verdict
          return { outcome: 'confirmed', answer, attempts, status, requestId, ambiguousBefore, notBeforeMs }
        }
        if (isProofOfEarlier(verdict, endpoint, ambiguousBefore) && options.canInfer()) {
          return { outcome: 'inferred', failure, attempts, status, requestId, ambiguousBefore, notBeforeMs }
        }
        const trouble = health.troubleAfter(verdict, clock.now())
        const decision = decide({
          verdict,
          repeat,
          attempts,
          counted,
          retries,
          // Who chose the class agreed to what it brings.
          lostBefore: ambiguousBefore && options.repeat === undefined,
          waitMs,
          trouble,
          random: clock.random(),
        })
        const scrub = scrubberFor(connection.credentials, secretsIn(request.body))
        const story = {
          connection,
          endpoint,
          path,
          target: wire.target.split('?', 1)[0] ?? '',
          verdict,
          attempts,
          scrub,
        }
        const end = { ...story, lostBefore: ambiguousBefore, away: awayByWall(), waitMs, wallMs: clock.wall() }
        if (decision.act === 'end') throw callError({ ...end, why: decision.why })
        ambiguousBefore ||= phase === 'ambiguous'
        // The wait for the service is the delay then.
        if (health.isOpen()) continue
        const pause = Math.max(decision.delayMs, waitMs ?? 0)
        observe?.(scrub(`= attempt ${attempts + 1} in ${(pause / 1000).toFixed(1)} s: ${verdict.reason}`))
        try {
          await clock.sleep(decision.delayMs, closing)
        } catch {
          throw callError({ ...end, verdict: stop, lostBefore: ambiguousBefore, why: 'hopeless' })
        }
      }
    } finally {
      underWay -= 1
    }
  }

  async function attempt(asked: Asked, wire: WireRequest): Promise<Attempt> {
    let isProbe = false
    try {
      closing?.throwIfAborted()
      const turn = limiter.turn()
      if (turn !== undefined) isProbe = (await turn) === 'probe'
    } catch (reason) {
      return beforeSending(reason)
    }
    const sentAt = clock.now()
    const wallMs = clock.wall()
    observe?.(`> ${wire.method} ${origin}${shownTarget(wire.target)}`)
    const result = await transport.send(wire)
    const reply: Reply | undefined = 'status' in result ? result : undefined
    const judged = verdictOf(asked, result)
    const verdict = judged instanceof Promise ? await judged : judged
    const throttled = verdict.cause === 'throttled'
    const wasOpen = health.isOpen()
    health.record(verdict, isProbe, clock.now())
    // After the verdict on the service: these two let the next one go.
    const waitMs = reply && limiter.learn(reply, throttled, sentAt)
    if (reply === undefined) limiter.lost()
    if (reply) connection.heard?.({ status: reply.status, headers: shownReplyHeaders(reply.headers) })
    if (observe !== undefined) {
      const line = `< ${inShort(verdict)} in ${Math.round(clock.now() - sentAt)} ms${requestText(verdict)}`
      observe(scrubberFor(connection.credentials)(line))
    }
    if (!wasOpen && health.isOpen()) observe?.('= the service is away: one request at a time asks whether it is back')
    if (wasOpen && !health.isOpen()) observe?.('= the service is back')
    const elapsedMs = clock.now() - sentAt
    const serviceMs = serviceTimeAtSend({ isThisComputer, wallMs, elapsedMs, date: reply?.headers.date })
    return { verdict, waitMs, isMade: true, isProbe, sentAt, sentWallMs: wallMs, serviceMs }
  }

  function awayByWall(): Story['away'] {
    const away = health.away()
    return away && { reason: away.reason, sinceMs: clock.wall() - (clock.now() - away.since) }
  }

  function outlook(): Outlook {
    const away = health.isOpen() ? health.away() : undefined
    return { ...limiter.outlook(), ...(away && { awayForMs: clock.now() - away.since }) }
  }

  return { send, outlook, close: () => transport.close() }
}

/** All headers of a call; `credential` are those that say who is asking. */
export function headersOf(
  { userAgent, apiVersion }: Pick<Connection, 'userAgent' | 'apiVersion'>,
  credential: Record<string, string>,
  contentType: string | undefined,
): Record<string, string> {
  const headers: Record<string, string> = {
    Accept: 'application/json',
    'Accept-Encoding': 'gzip',
    'User-Agent': userAgent,
    ...credential,
  }
  if (contentType !== undefined) headers['Content-Type'] = contentType
  if (apiVersion !== undefined) headers['X-Voucherify-API-Version'] = apiVersion
  return headers
}

interface Attempt {
  verdict: Verdict
  waitMs: number | undefined
  isMade: boolean
  /** Whether it asked if the service is back. */
  isProbe: boolean
  /** By the monotonic clock. */
  sentAt: number
  /** By this computer's clock, Unix ms. */
  sentWallMs: number
  /** The service's own time when the request left, or a little before. */
  serviceMs: number | undefined
}

function beforeSending(reason: unknown): Attempt {
  const unsent = { isMade: false, isProbe: false, sentAt: 0, sentWallMs: 0, serviceMs: undefined }
  if (reason instanceof LongWait) {
    const verdict: Verdict = { phase: 'not_sent', cause: 'throttled', reason: 'the request budget is used up' }
    return { verdict, waitMs: reason.waitMs, ...unsent }
  }
  if (reason instanceof Away) {
    const verdict: Verdict = { phase: 'not_sent', cause: 'unreachable', reason: 'the service is away' }
    return { verdict, waitMs: undefined, ...unsent }
  }
  return { verdict: stop, waitMs: undefined, ...unsent }
}

const stop: Verdict = { phase: 'not_sent', cause: 'stopped', reason: 'it was stopped' }

function inShort({ status, reason }: Verdict): string {
  return status === undefined ? `no answer (${reason})` : String(status)
}

function requestText({ requestId }: Verdict): string {
  return requestId === undefined ? '' : `, request ${requestId}`
}

// One call from its check to its end: attempts, and the decision whether to make another one.
import type { Credential, Endpoint, Repeat } from '../contract/endpoint.ts'
import type { Failure } from '../contract/failure.ts'
import { secretsIn } from '../contract/secret-names.ts'
import { type Attempt, attemptsWith, stopped } from './attempt.ts'
import { type Changed, reasonIn, redeemablesIn, valuesIn, withoutSecrets } from './changed-values.ts'
import {
  type CallEnd,
  type CallObserver,
  type CallSource,
  type Clock,
  type Connection,
  closingOf,
} from './connection.ts'
import { type AppliedWindow, appliedWindow } from './outcome/applied-window.ts'
import { CallError } from './outcome/call-error.ts'
import { callError, type FailedCall } from './outcome/explain.ts'
import type { SentRequest, Verdict } from './outcome/outcome.ts'
import { decide, type EndReason, isProofOfEarlier } from './outcome/retry.ts'
import { createHealth } from './pacing/availability.ts'
import { createLimiter } from './pacing/limiter.ts'
import type { LimitsAhead } from './pacing/limits-ahead.ts'
import { credentialHeaders } from './request/credentials.ts'
import { refuseWrites } from './request/read-only.ts'
import { scrubberFor } from './request/redact.ts'
import { checkRequest, type LooseRequest } from './request/request.ts'
import { createTransport } from './request/transport.ts'

export interface CallOptions {
  /** Replaces the class in the contract, for a request whose content changes it: a session without a key is `once`. */
  repeat?: Repeat | undefined
  /** An attempt of an earlier process may have been applied: a taken key proves it, and a failure proves nothing. */
  lostBefore?: boolean
  /** That it is refused is an answer, too: nobody is told what may be meant instead. */
  mayBeRefused?: boolean
  /** The answer is never shown: it is read faster, and numbers in it may be rounded. */
  unseen?: boolean | undefined
  /** When that attempt may have left at the earliest: Unix ms by this computer's clock. */
  begunAtMs?: number | undefined
  /**
   * Called right before the first attempt leaves, once it is its turn; what it returns is awaited. What it throws ends the
   * call, of which nothing was sent.
   */
  onTurn?: (() => Promise<void> | undefined) | undefined
  /** For the history: how it is found again where its answer is lost. */
  source?: CallSource | undefined
  /** Returns what it changed, for the history; by default what follows from the call itself. */
  changed?: ((answer: unknown) => Changed) | undefined
}

interface Exchanged {
  attempts: number
  status: number
  requestId?: string | undefined
  /** Whether an attempt before the last one may have been applied. */
  ambiguousBefore: boolean
  /** When the service can have applied the call; undefined when that cannot be known. */
  window: AppliedWindow | undefined
}

/**
 * A call that was applied: `confirmed` by its answer, or `inferred` from a refusal that only makes sense if an earlier
 * attempt, whose answer was lost, was applied (a taken key after a create, nothing left after a delete).
 */
export type Exchange<Answer> = Exchanged &
  ({ outcome: 'confirmed'; answer: Answer } | { outcome: 'inferred'; failure: Failure | undefined })

interface SendOptions extends CallOptions {
  /** Whether the caller accepts an outcome that has no answer; by default it does. */
  canInfer?: () => boolean
}

/**
 * Makes what sends calls over one pool, at one pace, for a connection whose origin was checked. Nothing is loaded or opened before the first
 * call.
 */
export function createSender(connection: Connection, clock: Clock) {
  const { origin, signal, drain, observe, retries = 2, timeoutMs = 60_000, concurrency = 8, maxOutageMs } = connection
  const closing = closingOf(connection)
  let inFlight = 0
  const health = createHealth({ concurrency, callsInFlight: () => inFlight, maxOutageMs })
  const limiter = createLimiter(connection.rate, clock, closing, health)
  const { proxy, timer, lines } = connection
  const connected = limiter.slot
  const transport = createTransport({ origin, concurrency, timeoutMs, proxy, signal, drain, connected, timer, lines })
  const attempt = attemptsWith({ connection, clock, health, limiter, transport })

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
    if (declared.repeat !== 'read') refuseWrites(connection.readOnly, connection.describe?.profile)
    const endpoint = options.repeat === undefined ? declared : { ...declared, repeat: options.repeat }
    const { target, body, contentType } = checkRequest(endpoint, request)
    const wire = { method: endpoint.method, target, headers: headersFor(endpoint, contentType), body }
    const call: Call = {
      endpoint,
      path: request.path ?? {},
      body: request.body,
      unseen: options.unseen,
      target,
      attempts: 0,
      counted: 0,
      firstSentAt: undefined,
      ambiguousBefore: options.lostBefore ?? false,
    }
    const onEnd = observeCall(call, options)
    inFlight += 1
    try {
      for (;;) {
        const made = await attempt(call, wire, call.attempts === 0 ? options.onTurn : undefined)
        count(call, made)
        const exchange = exchangeOf(call, made, options)
        if (exchange !== undefined) {
          onEnd?.(endOfExchange(exchange, (answer) => changesOf(call, options, answer)))
          return exchange
        }
        await pauseAfter(call, made, options)
      }
    } catch (error) {
      onEnd?.(endOfError(error))
      if (!options.mayBeRefused) await connection.onRefusal?.(error, declared, call.path, call.body)
      throw error
    } finally {
      inFlight -= 1
    }
  }

  function observeCall({ endpoint, path, body, target }: Call, { source }: SendOptions): ReturnType<CallObserver> {
    const { id, method, repeat } = endpoint
    if (connection.onChange === undefined || method === 'GET' || repeat === 'read') return undefined
    return connection.onChange(() => ({
      id: scrubOwn(id),
      method,
      path: scrubOwn(target.split('?', 1)[0] ?? ''),
      subject: subjectOf(path),
      asked: scrubText(redeemablesIn(body)),
      reason: scrubText(reasonIn(body)),
      source: source && { ...source, id: scrubOwn(source.id) },
    }))
  }

  function changesOf({ endpoint, body }: Call, { changed }: SendOptions, answer: unknown): Changed {
    if (changed === undefined) return valuesIn(endpoint.path, body, answer)
    try {
      return withoutSecrets(changed(answer), scrubOwn)
    } catch {
      // The call was applied, whatever its answer looks like.
      return {}
    }
  }

  function scrubText(text: string | undefined): string | undefined {
    return text === undefined ? undefined : scrubOwn(text)
  }

  function count(call: Call, { verdict, isMade, isProbe, sentAt }: Attempt): void {
    if (!isMade) return
    connection.onSent?.()
    call.firstSentAt ??= sentAt
    call.attempts += 1
    // A job that waits for the service anyway gives up no row because the service is unavailable or busy.
    const isFree = maxOutageMs !== undefined && (isProbe || verdict.cause === 'throttled')
    if (!isFree) call.counted += 1
  }

  /** Resolves when the next attempt may be made; throws the error of the call when none is to be made. */
  async function pauseAfter(call: Call, { verdict, waitMs }: Attempt, options: SendOptions): Promise<void> {
    const decision = decide({
      verdict,
      repeat: call.endpoint.repeat,
      attempts: call.attempts,
      counted: call.counted,
      retries,
      // A caller that chose the class agreed to its consequences.
      lostBefore: call.ambiguousBefore && options.repeat === undefined,
      waitMs,
      fault: health.faultAfter(verdict, clock.now()),
      random: clock.random(),
    })
    if (decision.act === 'end') throw errorOf(call, verdict, decision.why, waitMs)
    call.ambiguousBefore ||= verdict.phase === 'ambiguous'
    // Then the wait for the service is the delay.
    if (health.isOpen()) return
    if (observe !== undefined) {
      const pause = Math.max(decision.delayMs, waitMs ?? 0)
      const line = `= attempt ${call.attempts + 1} in ${(pause / 1000).toFixed(1)} s: ${verdict.reason}`
      observe(scrubberOf(call)(line))
    }
    try {
      await clock.sleep(decision.delayMs, closing)
    } catch {
      throw errorOf(call, stopped, 'hopeless', waitMs)
    }
  }

  const scrubOwn = scrubberFor(connection.credentials)

  function scrubberOf({ body }: Call): (text: string) => string {
    const others = secretsIn(body)
    return others.length === 0 ? scrubOwn : scrubberFor(connection.credentials, others)
  }

  function errorOf(call: Call, verdict: Verdict, why: EndReason, waitMs: number | undefined) {
    return callError({
      connection,
      endpoint: call.endpoint,
      path: call.path,
      target: call.target.split('?', 1)[0] ?? '',
      scrub: scrubberOf(call),
      verdict,
      why,
      attempts: call.attempts,
      lostBefore: call.ambiguousBefore,
      outage: outageByWall(),
      waitMs,
      wallMs: clock.wall(),
    })
  }

  function outageByWall(): FailedCall['outage'] {
    const outage = health.outage()
    return outage && { reason: outage.reason, sinceMs: clock.wall() - (clock.now() - outage.since) }
  }

  /** Returns what limits the pace from now on. */
  function limitsAhead(): LimitsAhead {
    const outage = health.isOpen() ? health.outage() : undefined
    return { ...limiter.limitsAhead(), ...(outage && { outageForMs: clock.now() - outage.since }) }
  }

  return { send, limitsAhead, close: (leaves?: boolean) => transport.close(leaves) }
}

/** The ids in the path of a call but the project, which is known. */
function subjectOf(path: Readonly<Record<string, string>> = {}): string | null {
  const ids = Object.entries(path).flatMap(([name, id]) => (name === 'projectId' ? [] : [id]))
  return ids.length === 0 ? null : ids.join(' ')
}

/** Where an answer may name what a call created. */
interface CreatedNames {
  code?: unknown
  id?: unknown
  parent_redemption?: { id?: unknown }
  redemptions?: { id?: unknown }[]
}

function endOfExchange(exchange: Exchange<unknown>, changed: (answer: unknown) => Changed): CallEnd {
  const { status, requestId } = exchange
  const answer = exchange.outcome === 'confirmed' ? exchange.answer : undefined
  const { code, id, parent_redemption, redemptions } = (answer ?? {}) as CreatedNames
  // What a stacked redemption is rolled back by; without a parent there is one redemption.
  const redeemed = parent_redemption ?? (Array.isArray(redemptions) ? redemptions[0] : undefined)
  const created = [code, id, redeemed?.id].find((one) => typeof one === 'string')
  return { outcome: 'applied', status, requestId, created, ...changed(answer) }
}

function endOfError(error: unknown): CallEnd {
  if (!(error instanceof CallError)) return { outcome: 'not_sent' }
  const { phase, status, requestId } = error
  const outcome = phase === 'rejected' ? 'refused' : phase === 'ambiguous' ? 'unknown' : 'not_sent'
  return { outcome, status, requestId }
}

/** A call in flight: its request, and its progress. */
interface Call extends SentRequest {
  /** The path and the query as they are sent. */
  target: string
  attempts: number
  /** How many of the attempts use up retries. */
  counted: number
  /** When the first attempt left, by the monotonic clock. */
  firstSentAt: number | undefined
  /** Whether an attempt before the last one may have been applied. */
  ambiguousBefore: boolean
}

/** Returns the outcome of a call, once an attempt has settled it; undefined until then. */
function exchangeOf(call: Call, made: Attempt, options: SendOptions): Exchange<unknown> | undefined {
  const { endpoint, attempts, firstSentAt, ambiguousBefore } = call
  const { verdict, sentAt, times } = made
  const { phase, status = 0, requestId } = verdict
  const sinceFirstMs = sentAt - (firstSentAt ?? sentAt)
  const { lostBefore = false, begunAtMs } = options
  const window = appliedWindow({ ...times, sinceFirstMs, lostBefore, begunAtMs })
  const about = { attempts, status, requestId, ambiguousBefore, window }
  if (phase === 'confirmed') return { outcome: 'confirmed', answer: verdict.answer, ...about }
  const isProof = isProofOfEarlier(verdict, endpoint, ambiguousBefore) && (options.canInfer?.() ?? true)
  return isProof ? { outcome: 'inferred', failure: verdict.failure, ...about } : undefined
}

/** Returns all headers of a call; `credential` are those that identify the caller. */
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

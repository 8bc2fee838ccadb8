// The client: checks a call against the contract, sends it at the right pace, and says truthfully what came of it.
import type { AnswerOf, BodyOf, Endpoint, PathParameters, QueryOf, Repeat } from '../contract/endpoint.ts'
import type { Failure } from '../contract/failure.ts'
import { EXIT, PromoError } from '../errors.ts'
import { type Connection, clockOf, isLoopback } from './connection.ts'
import { credentialHeaders, plannedCredentialHeaders } from './credentials.ts'
import { download } from './download.ts'
import { createLimiter, LongWait } from './limits.ts'
import { type Verdict, verdictOf } from './outcome.ts'
import { type Item, type PageOptions, pages } from './paging.ts'
import { scrubberFor, secretsIn, shownBody, shownHeaders, shownTarget } from './redact.ts'
import { checkedRequest, type LooseRequest } from './request.ts'
import { decide, isProofOfEarlier } from './retry.ts'
import { waitOf } from './retry-after.ts'
import { createTransport, type Reply, type WireRequest } from './transport.ts'
import { callError } from './words.ts'

/** What a call takes: path parameters where its path has any, a query and a body where the contract declares them. */
export type RequestOf<E extends Endpoint> = PathPart<E> & QueryPart<E> & BodyPart<E>

// biome-ignore-start lint/complexity/noBannedTypes: an empty part must not forbid what the other parts allow.
type PathPart<E extends Endpoint> = keyof PathParameters<E['path']> extends never
  ? {}
  : { path: PathParameters<E['path']> }
type QueryPart<E extends Endpoint> = [QueryOf<E>] extends [never] ? {} : { query?: QueryOf<E> }
// Bytes pass through as they are, for bodies that come from a file.
type BodyPart<E extends Endpoint> = [BodyOf<E>] extends [never] ? {} : { body?: BodyOf<E> | Uint8Array }
// biome-ignore-end lint/complexity/noBannedTypes: see above.

export interface CallOptions {
  /** Replaces what the contract says, for a request whose content changes it: a session without a key is `once`. */
  repeat?: Repeat
}

interface Exchanged {
  attempts: number
  status: number
  requestId?: string
  /** Whether an attempt before the last one may have been applied. */
  ambiguousBefore: boolean
}

/**
 * A call that was applied: `confirmed` by its answer, or `inferred` from a refusal that only makes sense if an earlier
 * attempt, whose answer was lost, was applied (a taken key after a create, nothing there after a delete).
 */
export type Exchange<Answer> = Exchanged &
  ({ outcome: 'confirmed'; answer: Answer } | { outcome: 'inferred'; failure?: Failure })

/** A request as --dry-run shows it. */
export interface PlannedRequest {
  method: string
  url: string
  /** With every secret hidden. */
  headers: Record<string, string>
  body?: unknown
}

/**
 * Speaks to one service for one profile. All methods but `close` throw `usage` for a request the contract forbids and
 * `config` for missing credentials, before anything is sent; afterwards `CallError`.
 */
export interface Client {
  /** Sends one call, again where that is safe, and gives its checked answer exactly as the service sent it. */
  call<E extends Endpoint>(endpoint: E, request?: RequestOf<E>, options?: CallOptions): Promise<AnswerOf<E>>
  /** The same with everything a bulk job records about it. */
  exchange<E extends Endpoint>(
    endpoint: E,
    request?: RequestOf<E>,
    options?: CallOptions,
  ): Promise<Exchange<AnswerOf<E>>>
  /** Walks a list; asks for the next page only when more is wanted. */
  items<E extends Endpoint>(endpoint: E, request?: RequestOf<E>, options?: PageOptions): AsyncGenerator<Item>
  /** Shows what `call` would send and sends nothing. Checks what `call` checks, except that credentials are there. */
  plan<E extends Endpoint>(endpoint: E, request?: RequestOf<E>): PlannedRequest
  /**
   * Reads the file of a finished export from the address the service gave, piece by piece and as it comes.
   *
   * Throws `api` (exit 3) for an address that is not the service's: the credentials go along. A `CallError` of kind
   * `network` in the middle means that the file is not complete.
   */
  download(url: string): AsyncGenerator<Uint8Array>
  /** Cuts what is under way and closes the connections. */
  close(): Promise<void>
}

/**
 * Makes a client. Nothing is loaded or opened before the first call.
 *
 * Throws `config` for an origin that would send credentials in the clear.
 */
export function createClient(connection: Connection): Client {
  const origin = safeOrigin(connection.origin)
  const { signal, observe, retries = 2, timeoutMs = 60_000, concurrency = 8 } = connection
  const clock = clockOf(connection.clock)
  const limiter = createLimiter(connection.rate, clock, signal)
  const transport = createTransport({ origin, concurrency, timeoutMs, proxy: connection.proxy, signal })
  let hasAnswered = false

  function wireRequest(endpoint: Endpoint, request: LooseRequest): WireRequest {
    const { target, body, contentType } = checkedRequest(endpoint, request)
    const headers = headersOf(credentialHeaders(endpoint.credential, connection), contentType)
    return { method: endpoint.method, target, headers, body }
  }

  function headersOf(credential: Record<string, string>, contentType: string | undefined): Record<string, string> {
    const headers: Record<string, string> = {
      Accept: 'application/json',
      'Accept-Encoding': 'gzip',
      'User-Agent': connection.userAgent,
      ...credential,
    }
    if (contentType !== undefined) headers['Content-Type'] = contentType
    if (connection.apiVersion !== undefined) headers['X-Voucherify-API-Version'] = connection.apiVersion
    return headers
  }

  async function send(
    declared: Endpoint,
    request: LooseRequest,
    options: CallOptions,
    canInfer: () => boolean,
  ): Promise<Exchange<unknown>> {
    const endpoint = options.repeat === undefined ? declared : { ...declared, repeat: options.repeat }
    const { repeat } = endpoint
    const path = request.path ?? {}
    const wire = wireRequest(endpoint, request)
    let ambiguousBefore = false

    for (let attempts = 0; ; ) {
      const { verdict, waitMs, isMade } = await attempt(endpoint, path, wire)
      if (isMade) attempts += 1
      const { phase, status = 0, requestId, failure } = verdict
      const about = { attempts, status, ambiguousBefore, ...(requestId !== undefined && { requestId }) }
      if (phase === 'confirmed') return { outcome: 'confirmed', answer: verdict.answer, ...about }
      if (isProofOfEarlier(verdict, endpoint, ambiguousBefore) && canInfer()) {
        return { outcome: 'inferred', ...(failure && { failure }), ...about }
      }
      const decision = decide({ verdict, repeat, attempts, retries, waitMs, random: clock.random() })
      const scrub = scrubberFor(connection.credentials, secretsIn(request.body))
      const story = { connection, endpoint, path, target: wire.target.split('?', 1)[0] ?? '', verdict, attempts, scrub }
      const end = { ...story, lostBefore: ambiguousBefore, hasAnswered, waitMs, wallMs: clock.wall() }
      if (decision.act === 'end') {
        if (decision.why === 'later') limiter.pause(waitMs ?? 0)
        throw callError({ ...end, why: decision.why })
      }
      ambiguousBefore ||= phase === 'ambiguous'
      if (decision.pauseMs !== undefined) limiter.pause(decision.pauseMs)
      const pause = Math.max(decision.delayMs, decision.pauseMs ?? 0)
      observe?.(scrub(`= attempt ${attempts + 1} in ${(pause / 1000).toFixed(1)} s: ${verdict.reason}`))
      try {
        await clock.sleep(decision.delayMs, signal)
      } catch {
        throw callError({ ...end, verdict: stop, lostBefore: ambiguousBefore, why: 'hopeless' })
      }
    }
  }

  async function attempt(endpoint: Endpoint, path: Readonly<Record<string, string>>, wire: WireRequest) {
    try {
      const turn = limiter.turn()
      if (turn !== undefined) await turn
    } catch (reason) {
      return beforeSending(reason)
    }
    const sentAt = clock.now()
    observe?.(`> ${wire.method} ${origin}${shownTarget(wire.target)}`)
    const result = await transport.send(wire)
    const reply: Reply | undefined = 'status' in result ? result : undefined
    const verdict = await verdictOf({ endpoint, path }, result)
    const throttled = verdict.cause === 'throttled'
    if (reply === undefined) limiter.lost()
    else limiter.learn(reply.headers, throttled, sentAt)
    hasAnswered ||= reply !== undefined
    if (observe !== undefined) {
      const line = `< ${inShort(verdict)} in ${Math.round(clock.now() - sentAt)} ms${requestText(verdict)}`
      observe(scrubberFor(connection.credentials)(line))
    }
    const waitMs = reply === undefined ? undefined : waitOf(reply.headers, clock.wall(), throttled)
    return { verdict, waitMs, isMade: true }
  }

  return {
    async call(endpoint, request, options = {}) {
      // An inferred outcome has no answer to give: it will do only where the answer may be empty.
      const canInfer = () => endpoint.response.safeParse(undefined).success
      const exchanged = await send(endpoint, (request ?? {}) as LooseRequest, options, canInfer)
      return (exchanged.outcome === 'confirmed' ? exchanged.answer : undefined) as AnswerOf<typeof endpoint>
    },
    async exchange(endpoint, request, options = {}) {
      // The answer passed the endpoint's own schema; the loop itself does not know the type.
      return (await send(endpoint, (request ?? {}) as LooseRequest, options, () => true)) as Exchange<
        AnswerOf<typeof endpoint>
      >
    },
    items(endpoint, request, options = {}) {
      const loose = (request ?? {}) as LooseRequest
      const query = (loose.query ?? {}) as Record<string, unknown>
      return pages(endpoint, query, options, async (asked) => {
        const isPaged = endpoint.paging.style !== 'none' || loose.query !== undefined
        const exchanged = await send(endpoint, isPaged ? { ...loose, query: asked } : loose, {}, () => false)
        return exchanged.outcome === 'confirmed' ? exchanged.answer : undefined
      })
    },
    plan(endpoint, request) {
      const { target, body, contentType } = checkedRequest(endpoint, (request ?? {}) as LooseRequest)
      const headers = headersOf(plannedCredentialHeaders(endpoint.credential, connection), contentType)
      const { method } = endpoint
      const planned = { method, url: `${origin}${shownTarget(target)}`, headers: shownHeaders(headers) }
      if (body === null) return planned
      const isForm = endpoint.encoding === 'form'
      const text = typeof body === 'string' ? body : new TextDecoder().decode(body)
      return { ...planned, body: shownBody(isForm ? Object.fromEntries(new URLSearchParams(text)) : JSON.parse(text)) }
    },
    download: (url) => download({ ...connection, origin }, url, clock),
    close: () => transport.close(),
  }
}

function safeOrigin(given: string): string {
  const url = URL.parse(given)
  if (url !== null && (url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(url.hostname)))) {
    return url.origin
  }
  throw new PromoError('config', EXIT.auth, 'the base URL is not https, so credentials would travel in the clear', {
    hint: 'give a base URL that begins with https:// (http:// is for this computer only)',
  })
}

function beforeSending(reason: unknown): { verdict: Verdict; waitMs: number | undefined; isMade: boolean } {
  if (reason instanceof LongWait) {
    const verdict: Verdict = { phase: 'not_sent', cause: 'throttled', reason: 'the request budget is used up' }
    return { verdict, waitMs: reason.waitMs, isMade: false }
  }
  return { verdict: stop, waitMs: undefined, isMade: false }
}

const stop: Verdict = { phase: 'not_sent', cause: 'stopped', reason: 'it was stopped' }

function inShort({ status, reason }: Verdict): string {
  return status === undefined ? `no answer (${reason})` : String(status)
}

function requestText({ requestId }: Verdict): string {
  return requestId === undefined ? '' : `, request ${requestId}`
}

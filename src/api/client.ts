// The client: checks a call against the contract, sends it at the right pace, and reports its outcome truthfully.

import { isLoopback } from '../base/loopback.ts'
import type { AnswerOf, BodyOf, Endpoint, PathParameters, QueryOf } from '../contract/endpoint.ts'
import { shownBody, shownTarget } from '../contract/secret-names.ts'
import { PromoError } from '../errors.ts'
import { type CallSource, type Connection, clockOf } from './connection.ts'
import { download } from './download.ts'
import type { Item } from './list-answer.ts'
import type { LimitsAhead } from './pacing/limits-ahead.ts'
import { eachOf, type PageOptions, pages } from './paging.ts'
import { plannedCredentialHeaders } from './request/credentials.ts'
import { shownHeaders } from './request/redact.ts'
import { checkRequest, type LooseRequest } from './request/request.ts'
import { type CallOptions, createSender, type Exchange, headersOf } from './sender.ts'

export type { CallOptions, Exchange } from './sender.ts'

/** The request of a call: path parameters where its path has any, a query and a body where the contract declares them. */
export type RequestOf<E extends Endpoint> = PathPart<E> & QueryPart<E> & BodyPart<E>

// biome-ignore-start lint/complexity/noBannedTypes: an empty part must not forbid what the other parts allow.
type PathPart<E extends Endpoint> = keyof PathParameters<E['path']> extends never
  ? {}
  : { path: PathParameters<E['path']> }
type QueryPart<E extends Endpoint> = [QueryOf<E>] extends [never] ? {} : { query?: QueryOf<E> }
// Bytes pass through unchanged, for bodies that come from a file.
type BodyPart<E extends Endpoint> = [BodyOf<E>] extends [never] ? {} : { body?: BodyOf<E> | Uint8Array }
// biome-ignore-end lint/complexity/noBannedTypes: see above.

/** A request as --dry-run shows it. */
export interface PlannedRequest {
  method: string
  url: string
  /** Path and query of the url. */
  path: string
  /** With every secret hidden. */
  headers: Record<string, string>
  body?: unknown
}

/** An earlier call whose answer was lost. */
export interface LostCall extends Pick<CallSource, 'newest'> {
  /** When it was sent, as recorded. */
  at: string
  /** How it is sent again, and what shows what is there now. */
  hint: string
  /** Asks whether it is sent again, which may count twice. */
  mayResend: () => Promise<boolean>
}

/**
 * Calls one service for one profile. All methods but `close` throw `usage` for a request the contract forbids and
 * `config` for missing credentials, before anything is sent; afterwards `CallError`.
 */
export interface Client {
  /** Sends one call, again where that is safe, and returns its checked answer exactly as the service sent it. */
  call<E extends Endpoint>(endpoint: E, request?: RequestOf<E>, options?: CallOptions): Promise<AnswerOf<E>>
  /** Does the same and returns everything a bulk job records about it. */
  exchange<E extends Endpoint>(
    endpoint: E,
    request?: RequestOf<E>,
    options?: CallOptions,
  ): Promise<Exchange<AnswerOf<E>>>
  /** Iterates over a list by pages, none of them empty; requests the next page only when the consumer asks for it. */
  pages<E extends Endpoint>(endpoint: E, request?: RequestOf<E>, options?: PageOptions): AsyncGenerator<Item[]>
  /** Does the same item by item. */
  items<E extends Endpoint>(endpoint: E, request?: RequestOf<E>, options?: PageOptions): AsyncGenerator<Item>
  /** Returns what `call` would send, and sends nothing. Makes the checks of `call`, except for missing credentials. */
  plan<E extends Endpoint>(endpoint: E, request?: RequestOf<E>): PlannedRequest
  /**
   * Reads the file of a finished export from the address the service returned, piece by piece as it arrives.
   *
   * Throws `api` (exit 3) for an address that is not the service's: the credentials are sent with the request. A
   * `CallError` of kind `network` in the middle means that the file is not complete.
   */
  download(url: string): AsyncGenerator<Uint8Array>
  /** Returns what limits the pace from now on, for an honest expected end: see `expectedMs`. */
  limitsAhead(): LimitsAhead
  /** Finds an earlier call with the same id of the caller, outside a job, of which it is not known whether it was applied; absent: nobody keeps that. */
  lostCall?: (endpoint: Endpoint, request: LooseRequest, source: string) => Promise<LostCall | undefined>
  /** Cuts the requests in flight and closes the connections, unless it leaves them to the next client. */
  close(leaves?: boolean): Promise<void>
}

/**
 * Makes a client. Nothing is loaded or opened before the first call.
 *
 * Throws `config` for an origin that would send credentials in the clear.
 */
export function createClient(given: Connection): Client {
  const connection = { ...given, origin: safeOrigin(given.origin) }
  const clock = clockOf(connection.clock)
  const sender = createSender(connection, clock)

  function walk<E extends Endpoint>(endpoint: E, request?: RequestOf<E>, options: PageOptions = {}) {
    const loose = (request ?? {}) as LooseRequest
    const query = (loose.query ?? {}) as Record<string, unknown>
    return pages(endpoint, query, options, async (asked) => {
      const isPaged = endpoint.paging.style !== 'none' || loose.query !== undefined
      const page = isPaged ? { ...loose, query: asked } : loose
      const exchanged = await sender.send(endpoint, page, { canInfer: () => false })
      return exchanged.outcome === 'confirmed' ? exchanged.answer : undefined
    })
  }

  return {
    async call(endpoint, request, options = {}) {
      // An inferred outcome has no answer to return: it suffices only where the answer may be empty.
      const canInfer = () => endpoint.response.safeParse(undefined).success
      const exchanged = await sender.send(endpoint, (request ?? {}) as LooseRequest, { ...options, canInfer })
      return (exchanged.outcome === 'confirmed' ? exchanged.answer : undefined) as AnswerOf<typeof endpoint>
    },
    exchange(endpoint, request, options = {}) {
      // The answer passed the endpoint's own schema; the loop itself does not know the type.
      return sender.send(endpoint, (request ?? {}) as LooseRequest, options) as Promise<
        Exchange<AnswerOf<typeof endpoint>>
      >
    },
    pages: walk,
    items: (endpoint, request, options) => eachOf(walk(endpoint, request, options)),
    plan(endpoint, request) {
      const { target, body, contentType } = checkRequest(endpoint, (request ?? {}) as LooseRequest)
      const headers = headersOf(connection, plannedCredentialHeaders(endpoint.credential, connection), contentType)
      const { method } = endpoint
      const path = shownTarget(target)
      const planned = { method, url: `${connection.origin}${path}`, path, headers: shownHeaders(headers) }
      if (body === null) return planned
      const text = typeof body === 'string' ? body : new TextDecoder().decode(body)
      return { ...planned, body: shownBody(readable[endpoint.encoding](text)) }
    },
    download: (url) => download(connection, url, clock),
    limitsAhead: () => sender.limitsAhead(),
    close: (leaves) => sender.close(leaves),
  }
}

/** How the body of a plan is shown: as the values that were given, or a form with a file as it is sent. */
const readable: Record<Endpoint['encoding'], (text: string) => unknown> = {
  json: (text) => JSON.parse(text),
  form: (text) => Object.fromEntries(new URLSearchParams(text)),
  multipart: (text) => text,
}

function safeOrigin(given: string): string {
  const url = URL.parse(given)
  if (url !== null && (url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(url.hostname)))) {
    return url.origin
  }
  throw new PromoError('config', 'the base URL is not https, so credentials would travel in the clear', {
    hint: 'enter a base URL that begins with https:// (http:// is for this computer only)',
  })
}

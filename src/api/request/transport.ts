// The one place where bytes leave and arrive: undici's connections, without redirects, retries or cookies.
import type { Dispatcher } from 'undici'
import type { Lines, Timer } from '../connection.ts'
import { type DispatcherOptions, openDispatchers } from './dispatchers.ts'

/** Bytes an answer may have, before and after decompression. Source: docs/reliability.md#attempts-and-delays. */
export const answerLimitBytes = 32 * 1024 * 1024

/** A request in the form of the wire: checked and encoded. */
export interface WireRequest {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  /** Path and query. */
  target: string
  headers: Record<string, string>
  body: string | Uint8Array | null
}

/** An answer that arrived complete. */
export interface Reply {
  status: number
  headers: Record<string, string | string[] | undefined>
  body: Uint8Array
}

/** No answer, or only a part of one. */
export interface Loss {
  /** The code of Node, OpenSSL or undici, or `DEADLINE` or `STOPPED`. */
  code: string
  /** Whether a byte of the request may have reached the other side. */
  sent: boolean
}

export type Transport = ReturnType<typeof createTransport>

/** Where and how to connect, and when to stop. */
export interface TransportOptions extends DispatcherOptions {
  signal?: AbortSignal | undefined
  /** Once it fires, no request leaves any more; those that have left may end. */
  drain?: AbortSignal | undefined
  timer?: Timer | undefined
  /** The connections that an earlier client left, or that this one may leave. */
  lines?: Lines | undefined
}

const realTimer: Timer = {
  now: () => performance.now(),
  after(ms, call) {
    const timeout = setTimeout(call, ms)
    return () => clearTimeout(timeout)
  },
}

/** Opens nothing yet: undici is loaded and a connection made by the first request. */
export function createTransport(options: TransportOptions) {
  const { origin, concurrency, timeoutMs, signal, drain, timer = realTimer, lines = { free: [] } } = options
  // No Set: V8 makes a new table after as many changes as it has slots, and the old tables, once in the old generation,
  // retain everything they ever held until a full collection. That alone was a tenth of the time of a bulk job.
  const inFlight: Exchange[] = []
  let unwatch: (() => void) | undefined
  let opening: Promise<Dispatcher[]> | undefined
  let connections: Dispatcher[] | undefined
  const { free } = lines
  const queue: { exchange: Exchange; request: WireRequest }[] = []

  const stop = () => cut('STOPPED', () => true)
  signal?.addEventListener('abort', stop)
  const holdBack = () => cut('STOPPED', (exchange) => !exchange.hasLeft())
  drain?.addEventListener('abort', holdBack)

  async function open(): Promise<void> {
    opening ??= openAll()
    connections = await opening
  }

  async function openAll(): Promise<Dispatcher[]> {
    lines.connected = whenConnected
    const lacking = Math.max(0, concurrency - free.length)
    const hook = (made: Dispatcher) => lines.connected?.(made)
    free.unshift(...(await openDispatchers({ ...options, concurrency: lacking, connected: hook }, answerLimitBytes)))
    const surplus = free.splice(0, free.length - concurrency)
    return [...surplus, ...free]
  }

  /** The wait for a turn is no part of a request's time, which begins when its connection is handed over. */
  function whenConnected(made: Dispatcher): Promise<void> | undefined {
    const wait = options.connected?.(made)
    const waiting = inFlight.find(({ connection }) => connection === made)
    if (wait === undefined || waiting === undefined) return wait
    waiting.endsAt = Number.POSITIVE_INFINITY
    return wait.finally(() => {
      waiting.endsAt = timer.now() + timeoutMs
      unwatch ??= timer.after(timeoutMs, cutOverdue)
    })
  }

  function sendOpen(request: WireRequest, left?: () => void): Promise<Reply | Loss> {
    return new Promise((resolve) => {
      if (signal?.aborted || drain?.aborted) return resolve({ code: 'STOPPED', sent: false })
      const exchange = new Exchange(timer.now() + timeoutMs, (result) => {
        remove(exchange)
        resolve(result)
        if (exchange.connection !== undefined) release(exchange.connection)
      })
      exchange.left = left
      exchange.place = inFlight.push(exchange) - 1
      unwatch ??= timer.after(timeoutMs, cutOverdue)
      const connection = free.pop()
      if (connection === undefined) queue.push({ exchange, request })
      else dispatch(connection, exchange, request)
    })
  }

  function dispatch(connection: Dispatcher, exchange: Exchange, request: WireRequest): void {
    const { method, target: path, headers, body } = request
    exchange.connection = connection
    connection.dispatch({ origin, path, method, headers, body }, exchange)
  }

  function release(connection: Dispatcher): void {
    const next = queue.shift()
    if (next === undefined) free.push(connection)
    // It may have been cut while it waited: undici calls onRequestStart before it writes.
    else dispatch(connection, next.exchange, next.request)
  }

  function cut(code: string, isMeant: (exchange: Exchange) => boolean): void {
    for (const exchange of inFlight.filter(isMeant)) exchange.cut(code)
  }

  // The last one takes the place of the one that ended.
  function remove({ place }: Exchange): void {
    const last = inFlight.pop()
    if (last === undefined || last.place === place) return
    inFlight[place] = last
    last.place = place
  }

  // One timer for all: a timer per request is measurable in bulk.
  function cutOverdue(): void {
    const now = timer.now()
    cut('DEADLINE', ({ endsAt }) => endsAt <= now)
    const next = Math.min(...inFlight.map(({ endsAt }) => endsAt))
    unwatch = next === Number.POSITIVE_INFINITY ? undefined : timer.after(next - now, cutOverdue)
  }

  return {
    /**
     * Sends once, and calls `left` when the request is about to be written. Any failure on the way is a `Loss`; throws `config`
     * for an invalid proxy address.
     */
    send(request: WireRequest, left?: () => void): Promise<Reply | Loss> {
      if (connections !== undefined) return sendOpen(request, left)
      return open().then(() => sendOpen(request, left))
    },
    /** Cuts the requests in flight and closes all connections, but those that it leaves to the next client. */
    async close(leaves = false): Promise<void> {
      unwatch?.()
      signal?.removeEventListener('abort', stop)
      drain?.removeEventListener('abort', holdBack)
      // A failure to open was reported by the call that tried.
      const opened = (await opening?.catch(() => undefined)) ?? free
      const closed = opened.filter((connection) => !leaves || !free.includes(connection))
      await Promise.all(closed.map((connection) => connection.destroy()))
    },
  }
}

/**
 * Collects one answer.
 *
 * A class because undici calls it back several times per request: one shape for all of them makes `dispatch` faster than
 * `request` (docs/architecture.md), and each has a life of its own that the deadline may cut.
 */
class Exchange implements Dispatcher.DispatchHandler {
  /** Its deadline, by the transport's timer. */
  endsAt: number
  /** Its index among the exchanges in flight. */
  place = 0
  /** Its own connection; undefined while it waits for one. */
  connection: Dispatcher | undefined
  /** Called when the request is about to be written. */
  left: (() => void) | undefined
  #settle: (result: Reply | Loss) => void
  #controller: Dispatcher.DispatchController | undefined
  #settled = false
  #status = 0
  #headers: Reply['headers'] = {}
  #chunks: Uint8Array[] = []

  constructor(endsAt: number, settle: (result: Reply | Loss) => void) {
    this.endsAt = endsAt
    this.#settle = settle
  }

  /** Whether a byte of the request may have left; until then it waits for a connection. */
  hasLeft(): boolean {
    return this.#controller !== undefined
  }

  /** Gives up now; the request counts as sent if a byte of it may have left. */
  cut(code: string): void {
    this.#end({ code, sent: this.hasLeft() })
    this.#controller?.abort(new Error(code))
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    // Cut while it waited for a connection: undici calls this before it writes, so nothing has left and nothing will.
    if (this.#settled) controller.abort(new Error('cut'))
    else {
      this.#controller = controller
      this.left?.()
    }
  }

  // Called for interim answers (1xx) too; the last call has the final status.
  onResponseStart(_controller: Dispatcher.DispatchController, status: number, headers: Reply['headers']): void {
    this.#status = status
    this.#headers = headers
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Uint8Array): void {
    this.#chunks.push(chunk)
  }

  onResponseEnd(): void {
    const body = this.#chunks.length === 1 ? (this.#chunks[0] as Uint8Array) : Buffer.concat(this.#chunks)
    this.#end({ status: this.#status, headers: this.#headers, body })
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error & { code?: unknown }): void {
    this.#end({ code: codeOf(error), sent: this.hasLeft() })
  }

  #end(result: Reply | Loss): void {
    if (this.#settled) return
    this.#settled = true
    this.#settle(result)
  }
}

/** Returns the code of Node, OpenSSL or undici that an error carries. */
export function codeOf(error: Error & { code?: unknown }): string {
  if (typeof error.code === 'string') {
    // The tunnel's refusal can be recognized only by its text (undici 8.12, proxy-agent.js).
    return /Proxy response \(407\)/.test(error.message) ? 'PROXY_CREDENTIALS' : error.code
  }
  // undici has no code for some of what its parser refuses.
  if (error.name === 'HTTPParserError') return 'HPE_UNKNOWN'
  return error.message === 'terminated' ? 'TERMINATED' : 'UNKNOWN'
}

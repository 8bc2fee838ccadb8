// Sockets for the app: loopback only, with limits, one commit per turn of the event loop.
import { isUtf8 } from 'node:buffer'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { ControlServer } from '../control/server.ts'
import { SandboxError } from '../sandbox-error.ts'
import { type App, type AppRequest, bodyLimitBytes, overloaded, tooLarge } from './app.ts'
import { foreignRequestRefusal, portsFetchRefuses } from './loopback.ts'
import { answerDropper, type LossKind, LostAnswer } from './lost-answer.ts'
import { isClientSide, type RequestHandler } from './rate-limits.ts'
import { frameworkRefusal, Refusal } from './refusal.ts'
import type { Answer } from './route.ts'

export interface ServeOptions {
  app: Pick<App, 'handleAll' | 'isAdmitted' | 'requestId'>
  /** 0 for any free port. */
  port: number
  /** Listens on ::1 as well. */
  ipv6?: boolean
  /** Where it listens besides 127.0.0.1; 0.0.0.0 and :: include that. */
  host?: string
  /** Names by which it may be called besides those of this computer, with a port or for any. */
  allowedHosts?: readonly string[]
  /** Returns whether calls are answered; without it they are. */
  isHealthy?: () => boolean
  /** Web origins that may call; none by default. */
  allowedOrigins?: readonly string[]
  report: (error: unknown, requestId: string) => void
  /** The time of the service, which `Date` tells: ISO 8601; the computer's by default. */
  now?: (() => string) | undefined
  /** How long a client may take to send a request; 10 s for the head and 30 s for all of it by default. */
  limits?: typeof requestLimits
  /** The control server; none by default. */
  controlServer?: ControlServer
  /** Wraps the app's request handler, for example to delay answers. */
  between?: (answer: RequestHandler) => RequestHandler
}

/**
 * How long a client may take, in milliseconds: for the head, for the entire request. Node looks for those that are late
 * only every 30 s unless told otherwise, and until then each of them would hold a connection.
 */
const requestLimits = { headersTimeout: 10_000, requestTimeout: 30_000, connectionsCheckingInterval: 1_000 }

export interface Served {
  /** Without a trailing slash. */
  url: string
  port: number
  /** Stops accepting, waits for requests in flight (5 s at most), and closes every connection. */
  close: () => Promise<void>
}

const graceMs = 5_000

/**
 * How many bytes of bodies are held at once, over all connections. Source: docs/reliability.md#sandbox-service (S-43).
 *
 * ASSUMED A1736: a request that would exceed it is 503.
 */
const heldBytes = 64 * 1024 * 1024

/** A body up to this size is read before the credentials are looked at: it costs less than looking twice. */
const smallBytes = 16 * 1024

const mostConnections = 4_096

/** The bytes that requests hold until they are answered. */
interface Budget {
  leftBytes: number
}

/**
 * Serves an app on 127.0.0.1. Resolves when it accepts connections. Throws SandboxError `port-taken`.
 */
export async function serve(given: ServeOptions): Promise<Served> {
  const options = { limits: requestLimits, ...given }
  // The ESM facade of node:http costs ten times as much to load (docs/toolchain.md#start-up).
  const http = process.getBuiltinModule('node:http')
  const queue = queueOf(options.app)
  const add = options.between?.(queue.add) ?? queue.add
  const budget: Budget = { leftBytes: heldBytes }
  let port = options.port
  let isClosing = false
  const dropper = answerDropper()
  const listener = (request: IncomingMessage, response: ServerResponse) => {
    answer(request, response, { ...options, port, add, budget, drop: dropper.drop, isLast: () => isClosing }).catch(
      (error: unknown) => {
        // The client closed the connection in the middle of its request, so there is no one to answer.
        if (!request.destroyed) options.report(error, '-')
        response.destroy()
      },
    )
  }
  const make = () => {
    const server = http.createServer({ maxHeaderSize: 16_384, ...options.limits }, listener)
    // A team's test suites, each with a pool of its own. What they hold while they are read is limited over all of them (`heldBytes`), and
    // the head of each by `maxHeaderSize`.
    server.maxConnections = mostConnections
    server.maxRequestsPerSocket = 100_000
    // Longer than clients keep idle sockets, so that clients close first: a reset in mid-request is an unknown outcome.
    server.keepAliveTimeout = 75_000
    return server
  }
  const { host = '127.0.0.1' } = options
  const isEverywhere = host === '0.0.0.0' || host === '::'
  const servers = [await listening(make, isEverywhere ? host : '127.0.0.1', options.port)]
  port = portOf(servers[0] as Server)
  try {
    if (options.ipv6) servers.push(await listening(make, '::1', port))
    if (!isEverywhere && host !== '127.0.0.1') servers.push(await listening(make, host, port))
  } catch (error) {
    await Promise.all(servers.map(closeServer))
    throw error
  }
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    close: async () => {
      isClosing = true
      dropper.release()
      await Promise.all(servers.map(closeServer))
      queue.flush()
    },
  }
}

interface Exchange extends ServeOptions {
  budget: Budget
  add: RequestHandler
  drop: (response: ServerResponse, how: LossKind) => Promise<void>
  /** Returns whether the connection should be closed after this answer. */
  isLast: () => boolean
}

async function answer(request: IncomingMessage, response: ServerResponse, exchange: Exchange): Promise<void> {
  const { authority, path, query } = targetOf(request.url ?? '/')
  // Client-side calls come from pages; their origin is checked once the project is known.
  if (path === '/health' && request.headers.origin === undefined) {
    request.resume()
    const status = exchange.isLast() ? 'closing' : (exchange.isHealthy?.() ?? true) ? 'ok' : 'failing'
    await write(
      response,
      { status: status === 'ok' ? 200 : 503, headers: {}, body: { status } },
      exchange.isLast(),
      exchange,
    )
    return
  }
  const controlServer = exchange.controlServer?.owns(path) ? exchange.controlServer : undefined
  const origins = isClientSide(path)
    ? [request.headers.origin ?? '']
    : controlServer
      ? []
      : (exchange.allowedOrigins ?? [])
  const foreign =
    foreignRequestRefusal(request, authority, exchange.port, {
      allowedOrigins: origins,
      allowedHosts: exchange.allowedHosts ?? [],
    }) ?? controlServer?.refusal(request)
  if (foreign) {
    request.resume()
    await write(response, refusalAnswer(foreign, exchange.app), true, exchange)
    return
  }
  const head = {
    // Node sends the head of the answer alone.
    method: request.method === 'HEAD' ? 'GET' : (request.method ?? 'GET'),
    path,
    query,
    headers: request.headers as AppRequest['headers'],
    ...(request.socket.remoteAddress && { address: request.socket.remoteAddress }),
  }
  // Whoever has no credentials makes the service hold nothing; the app refuses the request as it would with its body.
  const isRead = isSmall(request) || controlServer !== undefined || exchange.app.isAdmitted(head)
  const held = { bytes: 0 }
  try {
    if (!isRead) request.resume()
    const body = isRead ? await bodyOf(request, exchange.budget, held) : ''
    if (body instanceof Refusal) {
      await write(response, refusalAnswer(body, exchange.app), true, exchange)
      return
    }
    const reply = await (controlServer?.answer ?? exchange.add)({ ...head, body, ...(!isRead && { isUnread: true }) })
    // A page that calls too often is answered before the app is asked.
    reply.headers['x-request-id'] ??= exchange.app.requestId()
    await write(response, reply, exchange.isLast() || !isRead, exchange)
  } catch (error) {
    if (!(error instanceof LostAnswer)) throw error
    await exchange.drop(response, error.how)
  } finally {
    exchange.budget.leftBytes += held.bytes
  }
}

function isSmall({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] === undefined && Number(headers['content-length'] ?? 0) <= smallBytes
}

/**
 * Splits the target of a request. Leaves out the slashes that a client adds: to a base address that ends in one, and
 * after a missing code, as published clients do when the service is to draw it (`POST /v1/vouchers/`).
 *
 * A target in absolute form, as for a proxy, has an authority too (RFC 9112, 3.2.2).
 *
 * ASSUMED A1262: slashes at the beginning and at the end of a path do not count.
 */
function targetOf(url: string): { authority: string | undefined; path: string; query: string } {
  const [, authority, rest = url] = /^http:\/\/([^/?]*)(.*)$/i.exec(url) ?? []
  const at = rest.indexOf('?')
  const [path, query] = at === -1 ? [rest, ''] : [rest.slice(0, at), rest.slice(at + 1)]
  return { authority, path: `/${path.replace(/^\/+|(?<!\/)\/+$/g, '')}`, query }
}

const decoders: ReadonlyMap<string, 'gunzipSync' | 'inflateSync'> = new Map([
  ['gzip', 'gunzipSync'],
  ['x-gzip', 'gunzipSync'],
  ['deflate', 'inflateSync'],
])

/**
 * Reads the body as text, decompressed; or returns why it is refused. The rest of one that is too large is read and
 * discarded so that the client sees the answer. Rejects when the connection ends before it.
 */
async function bodyOf(request: IncomingMessage, budget: Budget, held: { bytes: number }): Promise<string | Refusal> {
  const bytes = await bytesOf(request, budget, held)
  if (bytes instanceof Refusal) return bytes
  const encoding = request.headers['content-encoding']?.trim().toLowerCase() ?? 'identity'
  if (encoding === 'identity' || bytes.length === 0) return textOf(bytes)
  const decoder = decoders.get(encoding)
  // ASSUMED A1263: a body may be compressed with gzip or deflate; another encoding is 415.
  if (!decoder) return frameworkRefusal(415, 'Unsupported Media Type', 'Content-Encoding must be gzip or deflate')
  try {
    return textOf(process.getBuiltinModule('node:zlib')[decoder](bytes, { maxOutputLength: bodyLimitBytes }))
  } catch (error) {
    const isBomb = (error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE'
    return isBomb ? tooLarge() : frameworkRefusal(400, 'Bad Request', 'Invalid compressed payload')
  }
}

// ASSUMED A1152: a body that is not UTF-8, such as CSV as spreadsheets write it, is refused: every name would be damaged.
function textOf(bytes: Buffer): string | Refusal {
  if (isUtf8(bytes)) return bytes.toString('utf8')
  return frameworkRefusal(400, 'Bad Request', 'Invalid request payload: the text must be in UTF-8')
}

/** By events: an iterator takes longer than many an answer. */
function bytesOf(request: IncomingMessage, budget: Budget, held: { bytes: number }): Promise<Buffer | Refusal> {
  return new Promise((resolve, reject) => {
    let chunks: Buffer[] = []
    let refusal: Refusal | undefined
    request.on('data', (chunk: Buffer) => {
      if (refusal) return
      if (held.bytes + chunk.length > bodyLimitBytes) refusal = tooLarge()
      else if (chunk.length > budget.leftBytes) refusal = overloaded()
      if (refusal) {
        // What was held is free for others while the rest is discarded.
        budget.leftBytes += held.bytes
        held.bytes = 0
        chunks = []
        return
      }
      budget.leftBytes -= chunk.length
      held.bytes += chunk.length
      chunks.push(chunk)
    })
    request.on('end', () => resolve(refusal ?? Buffer.concat(chunks)))
    request.on('error', reject)
  })
}

async function write(response: ServerResponse, reply: Answer, isLast: boolean, { now }: Exchange): Promise<void> {
  const { status, body } = reply
  const headers: Record<string, string | number> = {
    ...reply.headers,
    // Node's own is made ahead and lags behind in a busy process: a stamp in the body would be later than its answer.
    date: (now === undefined ? new Date() : new Date(now())).toUTCString(),
    'cache-control': 'no-store',
    ...(isLast ? { connection: 'close' } : {}),
  }
  if (body === undefined) {
    response.writeHead(status, headers).end()
    return
  }
  if (isGenerator(body)) {
    // The length is unknown before the last piece; a failure in the middle resets the connection, so the client notices.
    response.writeHead(status, headers)
    await pipeline(Readable.from(body, { objectMode: false }), response)
    return
  }
  const sent = typeof body === 'string' || body instanceof Uint8Array ? body : JSON.stringify(body)
  const bytes = Buffer.byteLength(sent)
  headers['content-type'] ??= 'application/json; charset=utf-8'
  headers['content-length'] = bytes
  // A text goes out in one piece with the head; one of as many bytes as characters is ASCII, and needs no encoding.
  response.writeHead(status, headers).end(sent, bytes === sent.length ? 'latin1' : 'utf8')
}

function isGenerator(body: unknown): body is Generator<string> | AsyncGenerator<string | Uint8Array> {
  if (typeof body !== 'object' || body === null || !('next' in body)) return false
  return Symbol.iterator in body || Symbol.asyncIterator in body
}

function refusalAnswer({ status, body }: Refusal, app: ServeOptions['app']): Answer {
  return { status, headers: { 'x-request-id': app.requestId() }, body }
}

/**
 * Gathers the requests of one turn of the event loop so that they share a commit
 * (docs/toolchain.md#sandbox-server: almost twice the throughput).
 */
function queueOf(app: ServeOptions['app']) {
  let waiting: Array<{ request: AppRequest; resolve: (answer: Answer) => void }> = []
  const flush = () => {
    const batch = waiting
    waiting = []
    const requests = batch.map(({ request }) => request)
    const answers = app.handleAll(requests)
    for (const [index, { resolve }] of batch.entries()) resolve(answers[index] as Answer)
  }
  return {
    flush,
    add: (request: AppRequest) =>
      new Promise<Answer>((resolve) => {
        if (waiting.length === 0) setImmediate(flush)
        waiting.push({ request, resolve })
      }),
  }
}

async function listening(make: () => Server, host: string, port: number): Promise<Server> {
  for (;;) {
    const server = make()
    await new Promise<void>((resolve, reject) => {
      server.once('error', (error: NodeJS.ErrnoException) => {
        const reason = error.code === 'EADDRINUSE' ? 'is taken' : `cannot be used (${error.code ?? error.message})`
        reject(
          new SandboxError('port-taken', `port ${port} on ${host} ${reason}`, {
            hint: 'omit --port to get a free one',
            cause: error,
          }),
        )
      })
      server.listen({ host, port, exclusive: true }, resolve)
    })
    if (port !== 0 || !portsFetchRefuses.has(portOf(server))) return server
    await closeServer(server)
  }
}

function portOf(server: Server): number {
  return (server.address() as AddressInfo).port
}

function closeServer(server: Server): Promise<void> {
  return new Promise((resolve) => {
    const force = setTimeout(() => server.closeAllConnections(), graceMs)
    server.close(() => {
      clearTimeout(force)
      resolve()
    })
    server.closeIdleConnections()
  })
}

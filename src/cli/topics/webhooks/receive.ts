// A receiver of deliveries on this computer: checks each, records and forwards genuine ones, and reports what arrived.
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { PassThrough } from 'node:stream'
import { PromoError, usageError } from '../../../errors.ts'
import { checked, type DeliveryCheck, type DeliveryContent, parsed } from './delivery.ts'
import type { Forwarder } from './forward.ts'
import type { Recorder } from './record.ts'
import { signatureHeader } from './signature.ts'

export interface ReceiverOptions extends Omit<DeliveryCheck, 'nowMs'> {
  /** 0: any free port. */
  port: number
  /** Says whether an event is wanted; others are answered with 200 and ignored. */
  wants: (type: string) => boolean
  bodyLimitBytes: number
  /** Passes the content of genuine deliveries on. */
  keepsContent?: boolean
  record?: Recorder
  forward?: Forwarder
  /** Unix time in milliseconds. */
  now: () => number
}

/** The result of one request. */
export interface Received extends DeliveryContent {
  received_at: string
  result: 'accepted' | 'replayed' | 'malformed' | 'forged' | 'stale' | 'too large' | 'not a POST' | 'not forwarded'
  size_bytes: number
  /** The HTTP status it was answered with. */
  answered: number
  /** The status of the program it was forwarded to, or why there is none. */
  forward?: number | string
  /** Where its body was written. */
  file?: string
  reason?: string
  /** What a genuine delivery contained, if that was asked for. */
  content?: unknown
}

export interface Receiver {
  port: number
  /** Every request that was not ignored, in the order of the answers; ends after `close`. */
  received: AsyncIterable<Received>
  /** Lets requests in progress end, for two seconds at most. */
  close: () => Promise<void>
}

/** How many ids are remembered to detect replays; the oldest are dropped first. */
const longestMemory = 100_000
const drainMs = 2_000

/** How long a sender may take, in milliseconds; Node looks for late ones only every 30 s unless told otherwise. */
const requestLimits = { headersTimeout: 10_000, requestTimeout: 30_000, connectionsCheckingInterval: 1_000 }

/**
 * Starts receiving on 127.0.0.1.
 *
 * A delivery whose id occurred before is refused with 409. ASSUMED A-w-3: that is the id of the delivery, not of the event,
 * which is the same for two webhooks that point here. A delivery answered with anything but 200 may come again. Throws
 * `usage` when the port is taken.
 */
export async function startReceiver(options: ReceiverOptions): Promise<Receiver> {
  const { createServer } = process.getBuiltinModule('node:http')
  const received = new PassThrough({ objectMode: true })
  const known = new Set<string>()
  const server = createServer(requestLimits, (request, response) => {
    receive(request, options, known).then(
      (came) => {
        answer(response, came?.answered ?? 200)
        // Not after the end: a request may outlast the time it is given.
        if (came && received.writable) received.write(came)
      },
      (error) => {
        answer(response, 500)
        received.destroy(error)
      },
    )
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => reject(notListening(error, options.port)))
    server.listen(options.port, '127.0.0.1', resolve)
  })
  return {
    port: (server.address() as AddressInfo).port,
    received,
    async close() {
      const late = setTimeout(() => server.closeAllConnections(), drainMs)
      await new Promise((resolve) => {
        server.close(resolve)
        server.closeIdleConnections()
      })
      clearTimeout(late)
      received.end()
    },
  }
}

/** Handles one request; returns undefined for one that is not wanted or incomplete. Rejects when it cannot be recorded. */
async function receive(
  request: IncomingMessage,
  options: ReceiverOptions,
  known: Set<string>,
): Promise<Received | undefined> {
  const nowMs = options.now()
  const body = await bodyOf(request, options.bodyLimitBytes).catch(() => undefined)
  // The sender closed the connection midway, so there is no one to answer.
  if (body === undefined) return undefined
  const about = { received_at: new Date(nowMs).toISOString(), size_bytes: body.length }
  if (request.method !== 'POST') return { ...about, result: 'not a POST', answered: 405 }
  if (body.length > options.bodyLimitBytes) return { ...about, result: 'too large', answered: 413 }
  const signatures = request.headersDistinct[signatureHeader] ?? []
  const verdict = checked({ body, signatures, contentType: request.headers['content-type'] }, { ...options, nowMs })
  if (verdict.is !== 'genuine') {
    return { ...about, result: verdict.is, reason: verdict.reason, answered: verdict.is === 'forged' ? 401 : 400 }
  }
  const { delivery } = verdict
  const { id, type } = delivery
  if (!options.wants(type ?? '')) return undefined
  if (id !== undefined && known.has(id)) return { ...about, ...delivery, result: 'replayed', answered: 409 }
  // Before anything is awaited, or two copies at the same time would both count as new.
  if (id !== undefined) remember(known, id)
  const came = await handOn(request, body, { ...about, ...delivery }, options)
  if (id !== undefined && came.answered !== 200) known.delete(id)
  return came
}

async function handOn(
  { headers }: IncomingMessage,
  body: Uint8Array,
  about: DeliveryContent & Pick<Received, 'received_at' | 'size_bytes'>,
  { record, forward, keepsContent }: ReceiverOptions,
): Promise<Received> {
  const file = await record?.({ body, headers, type: about.type, receivedAt: about.received_at })
  const content = keepsContent ? { content: parsed(body) } : {}
  const recorded = { ...about, ...content, ...(file !== undefined && { file }) }
  if (!forward) return { ...recorded, result: 'accepted', answered: 200 }
  const status = await forward(body, headers)
  const isTaken = typeof status === 'number' && status >= 200 && status < 300
  return isTaken
    ? { ...recorded, result: 'accepted', answered: 200, forward: status }
    : { ...recorded, result: 'not forwarded', answered: 502, forward: status }
}

/** Reads a body; of one that is too large, only enough to prove it. */
async function bodyOf(request: IncomingMessage, limitBytes: number): Promise<Buffer> {
  const chunks: Buffer[] = []
  let sizeBytes = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    if (sizeBytes <= limitBytes) chunks.push(chunk)
    sizeBytes += chunk.length
  }
  return Buffer.concat(chunks)
}

function remember(known: Set<string>, id: string): void {
  known.add(id)
  const [oldest] = known
  if (known.size > longestMemory && oldest !== undefined) known.delete(oldest)
}

function answer(response: ServerResponse, status: number): void {
  response.writeHead(status, { 'content-length': 0 }).end()
}

function notListening({ code }: NodeJS.ErrnoException, port: number): PromoError {
  if (code === 'EADDRINUSE') {
    return usageError(`port ${port} is taken`, 'omit --port to use a free one')
  }
  return new PromoError('io', `cannot listen on port ${port} (${code})`)
}

// A receiver of webhooks on a free loopback port, which records every delivery.
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { noteDelivery } from './strict-answers.ts'

export interface Received {
  method: string
  path: string
  headers: IncomingHttpHeaders
  raw: string
  // biome-ignore lint/suspicious/noExplicitAny: a test reads any body, and asserts what it expects.
  body: any
}

export interface Receiver {
  url: string
  port: number
  received: Received[]
  close: () => Promise<void>
}

/** Starts a receiver that answers 200, or what `answer` does. With `isEdited` the deliveries are a test's, and may be anything. */
export async function startReceiver(
  answer: (response: ServerResponse, delivery: Received) => void = (response) => response.end(),
  { isEdited = false } = {},
): Promise<Receiver> {
  const received: Received[] = []
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk) => chunks.push(chunk))
    request.on('end', () => {
      const raw = Buffer.concat(chunks).toString('utf8')
      const { method = '', url = '', headers } = request
      const delivery = { method, path: url, headers, raw, body: raw === '' ? undefined : JSON.parse(raw) }
      received.push(delivery)
      if (!isEdited && 'x-voucherify-signature' in headers) noteDelivery(delivery.body)
      answer(response, delivery)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const close = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve())
      server.closeAllConnections()
    })
  return { url: `http://127.0.0.1:${port}`, port, received, close }
}

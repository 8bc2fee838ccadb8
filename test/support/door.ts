// A door in front of the embedded service, which loses requests and answers on request.
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'

/** What happens to a request: it is passed on, lost on its way, answered without the answer arriving, or answered by the door. */
export type Passage = 'pass' | 'before' | 'after' | Instead

/** What the door does in place of the service. */
export interface Instead {
  /** What the service gets instead of the body that was sent. */
  body?: (text: string) => string
  /** The status of an answer that is not the service's. */
  status?: number
  /** Its text, a web page where it begins with `<`. */
  text?: string
  /** After how many seconds it may be sent again. */
  retryAfterS?: number
  /** Passes the request on later; its answer is lost. */
  later?: (apply: () => Promise<unknown>) => void
}

/**
 * Opens a door that passes requests on to an origin. Where `decide` says that a request or its answer is lost, `lost` is called, and the
 * connection breaks without a word.
 */
export async function doorTo(
  origin: string,
  decide: (method: string, url: string) => Passage | Promise<Passage>,
  lost: () => void = () => {},
) {
  const server = createServer(async (request, response) => {
    const { method = 'GET', url = '/' } = request
    const what = await decide(method, url)
    const lose = () => {
      lost()
      request.socket.destroy()
    }
    if (what === 'before') return lose()
    const bytes = await bodyOf(request)
    const instead = typeof what === 'object' ? what : {}
    const body = instead.body ? Buffer.from(instead.body(bytes.toString())) : bytes
    const { host: _, connection: __, 'content-length': ___, 'transfer-encoding': ____, ...headers } = request.headers
    const pass = () =>
      fetch(`${origin}${url}`, {
        method,
        headers: headers as Record<string, string>,
        ...(body.length > 0 && { body }),
      })
    const { status, text = '{"code":0,"key":"fault"}' } = instead
    instead.later?.(pass)
    if (status !== undefined) {
      const type = text.startsWith('<') ? 'text/html' : 'application/json'
      const pause = instead.retryAfterS === undefined ? {} : { 'retry-after': String(instead.retryAfterS) }
      return response.writeHead(status, { 'content-type': type, ...(pause as Record<string, string>) }).end(text)
    }
    const answer = await pass()
    const answered = Buffer.from(await answer.arrayBuffer())
    if (what === 'after') return lose()
    const type = answer.headers.get('content-type')
    response.writeHead(answer.status, type === null ? {} : { 'content-type': type }).end(answered)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const pieces: Buffer[] = []
  for await (const piece of request) pieces.push(piece as Buffer)
  return Buffer.concat(pieces)
}

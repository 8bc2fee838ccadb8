// A door in front of the embedded service, which loses requests and answers on request.
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'

/** What happens to a request: it is passed on, lost on its way, or answered without the answer arriving. */
export type Passage = 'pass' | 'before' | 'after'

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
    const body = await bodyOf(request)
    const { host: _, connection: __, 'content-length': ___, 'transfer-encoding': ____, ...headers } = request.headers
    const answer = await fetch(`${origin}${url}`, {
      method,
      headers: headers as Record<string, string>,
      ...(body.length > 0 && { body }),
    })
    const bytes = Buffer.from(await answer.arrayBuffer())
    if (what === 'after') return lose()
    const type = answer.headers.get('content-type')
    response.writeHead(answer.status, type === null ? {} : { 'content-type': type }).end(bytes)
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

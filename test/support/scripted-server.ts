// A real HTTP server on loopback that answers from a list, one action per request, and records the requests.
import type { IncomingHttpHeaders, IncomingMessage, Server, ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'

/** What the server does with one request. */
export type Action =
  | { do: 'answer'; status: number; body?: unknown; headers?: Record<string, string> }
  | { do: 'text'; status: number; text: string; headers?: Record<string, string> }
  | { do: 'bytes'; status: number; bytes: Uint8Array; headers?: Record<string, string> }
  /** Closes the connection with RST before anything is answered. */
  | { do: 'reset' }
  /** Closes the connection with FIN before anything is answered. */
  | { do: 'close' }
  /** Announces more bytes than it sends, then closes. */
  | { do: 'truncate'; status: number; text: string }
  /** Sends part of a body that is delimited by the end of the connection. */
  | { do: 'cut'; text: string }
  /** Never answers. */
  | { do: 'stall' }
  /** Sends the head and part of the body, never the rest. */
  | { do: 'stall-body'; text: string }
  /** Sends these bytes as they are, the text in Latin-1, and closes: what is not HTTP, or what Node would not send. */
  | { do: 'garbage'; text: string; rest?: Uint8Array }
  /** Sends this many zero bytes, compressed. */
  | { do: 'gzip-bomb'; sizeBytes: number }
  /** Sends this many bytes, uncompressed. */
  | { do: 'huge'; sizeBytes: number }

/** A request as it arrived. */
export interface Asked {
  method: string
  url: string
  headers: IncomingHttpHeaders
  body: string
}

export interface ScriptedServer extends AsyncDisposable {
  origin: string
  /** The environment in which promo calls it. */
  env: Record<string, string>
  asked: Asked[]
  /** The number of connections opened so far. */
  connections: () => number
}

/**
 * Starts a server that performs one action per request and repeats the last, or asks a function. `stalled` is called after
 * each request whose answer never comes, or never ends, once what is sent of it is sent.
 */
export async function scriptedServer(
  script: Action[] | ((asked: Asked, index: number) => Action | Promise<Action>),
  stalled?: () => void,
): Promise<ScriptedServer> {
  const http = process.getBuiltinModule('node:http')
  const asked: Asked[] = []
  let connections = 0
  const server: Server = http.createServer(async (request, response) => {
    const { method = '', url = '', headers } = request
    const seen = { method, url, headers, body: await bodyOf(request) }
    const index = asked.push(seen) - 1
    const action = (
      typeof script === 'function' ? await script(seen, index) : (script[index] ?? script.at(-1))
    ) as Action
    act(action, response)
    if (action.do.startsWith('stall') && stalled !== undefined) setImmediate(() => setImmediate(stalled))
  })
  server.on('connection', () => {
    connections += 1
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const origin = `http://127.0.0.1:${port}`
  return {
    origin,
    env: { PROMO_BASE_URL: origin, PROMO_APP_ID: 'app', PROMO_APP_TOKEN: 'app-token' },
    asked,
    connections: () => connections,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** Shorthand for the most common action. */
export function answer(status: number, body?: unknown, headers: Record<string, string> = {}): Action {
  return { do: 'answer', status, body, headers }
}

function act(action: Action, response: ServerResponse): void {
  const socket = response.socket as Socket
  switch (action.do) {
    case 'answer': {
      const text = action.body === undefined ? '' : JSON.stringify(action.body)
      // Node's own date is made ahead, and lags behind the stamps of a script in a busy process.
      const date = new Date().toUTCString()
      response.writeHead(action.status, { 'content-type': 'application/json', date, ...action.headers }).end(text)
      return
    }
    case 'text':
      response.writeHead(action.status, action.headers).end(action.text)
      return
    case 'bytes':
      response.writeHead(action.status, action.headers).end(action.bytes)
      return
    case 'reset':
      socket.resetAndDestroy()
      return
    case 'close':
      socket.end()
      return
    case 'truncate':
      response.writeHead(action.status, { 'content-length': Buffer.byteLength(action.text) + 10 })
      response.write(action.text, () => socket.end())
      return
    case 'cut':
      socket.end(`HTTP/1.1 200 OK\r\ncontent-type: application/json\r\nconnection: close\r\n\r\n${action.text}`)
      return
    case 'stall':
      return
    case 'stall-body':
      response.writeHead(200, { 'content-type': 'application/json' }).write(action.text)
      return
    case 'garbage':
      socket.write(action.text, 'latin1')
      socket.end(action.rest ?? '')
      return
    case 'gzip-bomb': {
      const { gzipSync } = process.getBuiltinModule('node:zlib')
      const body = gzipSync(Buffer.alloc(action.sizeBytes, ' '))
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(body)
      return
    }
    case 'huge':
      response.writeHead(200).end(Buffer.alloc(action.sizeBytes, ' '))
      return
  }
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  return Buffer.concat(chunks).toString()
}

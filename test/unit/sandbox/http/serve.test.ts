import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { networkInterfaces } from 'node:os'
import { deflateSync, gzipSync } from 'node:zlib'
import { afterEach, expect, test } from 'vitest'
import { portsFetchRefuses } from '../../../../src/sandbox/http/loopback.ts'
import { serve } from '../../../../src/sandbox/http/serve.ts'
import { SandboxError } from '../../../../src/sandbox/sandbox-error.ts'
import { startTestSandbox, testSandbox } from '../../../support/sandbox.ts'

const open: Array<{ close(): Promise<void> }> = []
afterEach(async () => {
  await Promise.all(open.splice(0).map((sandbox) => sandbox.close()))
})

async function started() {
  const sandbox = await startTestSandbox({ demo: false })
  open.push(sandbox)
  const { app_id, app_token } = sandbox.credentials
  return {
    ...sandbox,
    port: Number(new URL(sandbox.url).port),
    pair: `X-App-Id: ${app_id}\r\nX-App-Token: ${app_token}\r\n`,
    headers: { 'x-app-id': app_id, 'x-app-token': app_token, 'content-type': 'application/json' },
  }
}

/** Sends bytes as they are and returns what the server sent until it closed the connection. */
async function exchange(port: number, text: string): Promise<string> {
  const socket: Socket = connect(port, '127.0.0.1')
  const received: Buffer[] = []
  socket.on('data', (chunk: Buffer) => received.push(chunk))
  socket.write(text)
  await once(socket, 'close')
  return Buffer.concat(received).toString()
}

const get = (port: number, rest: string, path = '/v1/vouchers') =>
  exchange(port, `GET ${path} HTTP/1.1\r\nConnection: close\r\n${rest}\r\n`)

test.each(['localhost', 'LOCALHOST', '127.0.0.1', '[::1]'])('the host name %s is answered', async (name) => {
  const { port, pair } = await started()

  const answer = await get(port, `Host: ${name}:${port}\r\n${pair}`)

  expect(answer).toMatch(/^HTTP\/1\.1 200 OK\r\n/)
  expect(answer).toContain('\r\nx-request-id: v-')
  expect(answer).toContain('\r\ncache-control: no-store\r\n')
  expect(answer).toContain('\r\ncontent-type: application/json; charset=utf-8\r\n')
  expect(answer).not.toMatch(/access-control/i)
})

test.each(['evil.example', 'localhost.evil.example', '127.0.0.1.evil.example', 'localhost', '127.0.0.1:1', '0.0.0.0'])(
  'the host name %s is refused with 421, with or without credentials',
  async (name) => {
    const { port, pair } = await started()

    const answer = await get(port, `Host: ${name}\r\n${pair}`)

    expect(answer).toMatch(/^HTTP\/1\.1 421 /)
    expect(answer).toContain('"error":"Misdirected Request"')
  },
)

test('a second Host is refused with 400, whichever is first', async () => {
  const { port, pair } = await started()
  const own = `Host: localhost:${port}\r\n`

  for (const hosts of [`${own}host: evil.example\r\n`, `host: evil.example\r\n${own}`]) {
    expect(await get(port, hosts + pair)).toMatch(/^HTTP\/1\.1 400 /)
  }
})

test.each([
  ['localhost', 200],
  ['evil.example', 421],
])('a target in absolute form counts instead of the Host: %s is answered %i', async (name, status) => {
  const { port, pair } = await started()

  const answer = await get(port, `Host: 127.0.0.1:${port}\r\n${pair}`, `http://${name}:${port}/v1/vouchers?limit=1`)

  expect(answer).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `))
})

test('refusals before the app have a request id too', async () => {
  const { port, pair } = await started()
  const page = () => get(port, `Host: localhost:${port}\r\n`, '/client/v1/promotions/tiers')

  const foreign = await get(port, `Host: evil.example\r\n${pair}`)
  const origin = await get(port, `Host: localhost:${port}\r\nOrigin: https://example.com\r\n${pair}`)
  const pages = await Promise.all(Array.from({ length: 6 }, page))

  expect(pages.join()).toMatch(/HTTP\/1\.1 429 /)
  for (const answer of [foreign, origin, ...pages]) expect(answer).toMatch(/\r\nx-request-id: v-[0-9a-f]{18}\r\n/i)
})

test.each(['https://example.com', 'null', 'http://127.0.0.1:1'])(
  'a request of the web origin %s is refused with 403',
  async (origin) => {
    const { port, pair } = await started()

    const answer = await get(port, `Host: localhost:${port}\r\nOrigin: ${origin}\r\n${pair}`)

    expect(answer).toMatch(/^HTTP\/1\.1 403 /)
    expect(answer).toContain('"key":"forbidden"')
  },
)

test('a web origin that is allowed by name is answered', async () => {
  const { app, credentials } = testSandbox()
  const served = await serve({ app, port: 0, allowedOrigins: ['http://localhost:3000'], report: () => {} })
  open.push(served)

  const answer = await get(
    served.port,
    `Host: localhost:${served.port}\r\nOrigin: http://localhost:3000\r\nX-App-Id: ${credentials.app_id}\r\nX-App-Token: ${credentials.app_token}\r\n`,
  )

  expect(answer).toMatch(/^HTTP\/1\.1 200 /)
})

/** Begins a request with a body of 10 MiB, and sends all of it but the last byte. */
async function begun(port: number, head: string): Promise<{ socket: Socket; answer: Promise<string> }> {
  const socket = connect(port, '127.0.0.1')
  const received: Buffer[] = []
  socket.on('data', (chunk: Buffer) => received.push(chunk))
  const answer = once(socket, 'close').then(() => Buffer.concat(received).toString())
  const size = 10 * 1024 * 1024
  socket.write(
    `POST /v1/vouchers HTTP/1.1\r\nHost: localhost:${port}\r\nConnection: close\r\nContent-Length: ${size}\r\n${head}\r\n`,
  )
  await new Promise((resolve) => socket.write(Buffer.alloc(size - 1, ' '), resolve))
  return { socket, answer }
}

test('a large body without credentials is refused before it has arrived', async () => {
  const { port } = await started()

  const socket = connect(port, '127.0.0.1')
  socket.write(`POST /v1/vouchers HTTP/1.1\r\nHost: localhost:${port}\r\nContent-Length: 10000000\r\n\r\n{`)
  const [answer] = await once(socket, 'data')

  expect(String(answer)).toMatch(/^HTTP\/1\.1 401 /)
  socket.destroy()
})

test('large bodies share one budget: what exceeds it is 503, and the others are answered', async () => {
  const { port, pair } = await started()

  const requests = []
  for (let at = 0; at < 8; at += 1) requests.push(await begun(port, pair))
  for (const { socket } of requests) socket.write(' ')
  const answers = await Promise.all(requests.map(({ answer }) => answer))
  const statuses = answers.map((answer) => answer.slice(9, 12)).toSorted()
  const later = await begun(port, pair)
  later.socket.write(' ')

  expect(new Set(statuses)).toEqual(new Set(['400', '503']))
  expect(statuses.filter((status) => status === '503').length).toBeGreaterThanOrEqual(1)
  expect(await later.answer).toMatch(/^HTTP\/1\.1 400 /)
})

test('an absent body is answered without one', async () => {
  const { url, headers } = await started()
  await fetch(`${url}/v1/vouchers/A`, { method: 'POST', headers, body: '{"gift":{"amount":1}}' })

  const answer = await fetch(`${url}/v1/vouchers/A`, { method: 'DELETE', headers })

  expect([answer.status, await answer.text()]).toEqual([204, ''])
})

test.each([
  ['/v1/vouchers/', 'the slash after a code that is to be drawn'],
  ['/v1/vouchers//', 'two slashes at the end'],
  ['//v1/vouchers', 'a base address that ends in a slash'],
])('a voucher is created at %s: %s', async (path) => {
  const { port, pair } = await started()
  const body = '{"type":"GIFT_VOUCHER","gift":{"amount":100}}'
  const head = `POST ${path} HTTP/1.1\r\nHost: localhost:${port}\r\nConnection: close\r\n${pair}`

  const created = await exchange(port, `${head}Content-Length: ${body.length}\r\n\r\n${body}`)
  const listed = await get(port, `Host: localhost:${port}\r\n${pair}`)
  const emptyName = await get(port, `Host: localhost:${port}\r\n${pair}`, '/v1/vouchers//redemption')

  expect(created).toMatch(/^HTTP\/1\.1 200 OK\r\n/)
  expect(listed).toContain('"total":1')
  expect(emptyName).toMatch(/^HTTP\/1\.1 404 /)
})

test('a slash at the end of a query belongs to its value', async () => {
  const { port, pair } = await started()
  const body = '{"type":"GIFT_VOUCHER","gift":{"amount":100},"category":"a/"}'
  const head = `POST /v1/vouchers HTTP/1.1\r\nHost: localhost:${port}\r\nConnection: close\r\n${pair}`
  await exchange(port, `${head}Content-Length: ${body.length}\r\n\r\n${body}`)

  expect(await get(port, `Host: localhost:${port}\r\n${pair}`, '/v1/vouchers?category=a/')).toContain('"total":1')
})

test('HEAD is answered with the head of the answer to GET', async () => {
  const { port, pair } = await started()
  const head = (path: string) =>
    exchange(port, `HEAD ${path} HTTP/1.1\r\nHost: localhost:${port}\r\nConnection: close\r\n${pair}\r\n`)

  expect(await head('/v1/vouchers')).toMatch(
    /^HTTP\/1\.1 200 OK\r\n[\s\S]*\r\ncontent-length: [1-9]\d*\r\n[\s\S]*\r\n\r\n$/,
  )
  expect(await head('/v1/vouchers/NONE')).toMatch(/^HTTP\/1\.1 404 Not Found\r\n[\s\S]*\r\n\r\n$/)
  expect(await head('/v1/validations')).toMatch(/^HTTP\/1\.1 405 /)
})

const card = Buffer.from('{"type":"GIFT_VOUCHER","gift":{"amount":100}}')
const damaged = Buffer.from('{"type":"GIFT_VOUCHER","gift":{"amount":100},"code":"CAF\xc9"}', 'latin1')

test.each([
  ['gzip', gzipSync(card), 200],
  ['GZIP', gzipSync(card), 200],
  ['deflate', deflateSync(card), 200],
  ['identity', card, 200],
  ['gzip', card, 400],
  ['identity', damaged, 400],
  ['gzip', gzipSync(damaged), 400],
  ['gzip', gzipSync(card).subarray(0, 30), 400],
  ['gzip', gzipSync(Buffer.alloc(10_485_761, ' ')), 413],
  ['br', card, 415],
])('a body with the encoding %s is read, or refused by name (%#)', async (encoding, sent, status) => {
  const served = await started()
  const headers = { ...served.headers, 'content-encoding': encoding }
  const body = new Uint8Array(sent)

  const answer = await fetch(`${served.url}/v1/vouchers`, { method: 'POST', headers, body })

  expect(answer.status).toBe(status)
  expect(await answer.json()).toMatchObject(status === 200 ? { gift: { amount: 100 } } : { statusCode: status })
})

test('dots in a path remain codes and reach no other call', async () => {
  const { port, pair } = await started()

  const answer = await get(port, `Host: localhost:${port}\r\n${pair}`, '/v1/vouchers/x/%2E%2E')
  const raw = await get(port, `Host: localhost:${port}\r\n${pair}`, '/v1/vouchers/..')

  expect(answer).toContain('The sandbox does not serve GET /v1/vouchers/x/%2E%2E')
  expect(raw).toContain('Cannot find voucher with id ..')
})

test('a body beyond 10 MiB is answered 413 after it was read', async () => {
  const { url, headers } = await started()

  const answer = await fetch(`${url}/v1/vouchers/A`, { method: 'POST', headers, body: 'x'.repeat(10_485_761) })

  expect(answer.status).toBe(413)
  expect(await answer.json()).toMatchObject({ statusCode: 413, error: 'Request Entity Too Large' })
})

test('headers beyond 16 KiB are answered 431', async () => {
  const { port } = await started()

  expect(await get(port, `Host: localhost:${port}\r\nX-Long: ${'x'.repeat(17_000)}\r\n`)).toMatch(/^HTTP\/1\.1 431 /)
})

test('a hundred concurrent creations are all stored, once each', async () => {
  const { url, headers } = await started()
  const codes = Array.from({ length: 100 }, (_, index) => `C${index % 50}`)
  const asked = { method: 'POST', headers, body: '{"gift":{"amount":1}}' }

  const answers = await Promise.all(codes.map((code) => fetch(`${url}/v1/vouchers/${code}`, asked)))
  const list = await (await fetch(`${url}/v1/vouchers`, { headers })).json()

  expect(answers.filter(({ status }) => status === 200)).toHaveLength(50)
  expect(answers.filter(({ status }) => status === 409)).toHaveLength(50)
  expect(list).toMatchObject({ total: 50 })
})

test('the service listens on loopback only', async () => {
  const { port } = await started()
  const outside = Object.values(networkInterfaces())
    .flatMap((addresses) => addresses ?? [])
    .filter((address) => !address.internal && address.family === 'IPv4')

  for (const { address } of outside) {
    const socket = connect(port, address)
    const [error] = await once(socket, 'error')
    expect((error as NodeJS.ErrnoException).code).toBe('ECONNREFUSED')
  }
  expect(port).toBeGreaterThan(0)
})

test('a free port is never one that fetch refuses', async () => {
  const { port } = await started()

  expect(portsFetchRefuses.has(port)).toBe(false)
  expect(portsFetchRefuses.has(6000)).toBe(true)
})

test('a port that is taken is reported', async () => {
  const { port } = await started()
  const { app } = testSandbox()

  const error = await serve({ app, port, report: () => {} }).catch((reason: unknown) => reason)

  expect(error).toBeInstanceOf(SandboxError)
  expect(error).toMatchObject({ reason: 'port-taken', message: `port ${port} on 127.0.0.1 is taken` })
})

test('closing waits for the request in flight, and then nothing listens', async () => {
  const sandbox = await startTestSandbox({ demo: false })
  const port = Number(new URL(sandbox.url).port)
  const { app_id, app_token } = sandbox.credentials
  const socket = connect(port, '127.0.0.1')
  const received: Buffer[] = []
  socket.on('data', (chunk: Buffer) => received.push(chunk))
  socket.write(
    `POST /v1/vouchers/A HTTP/1.1\r\nHost: localhost:${port}\r\nX-App-Id: ${app_id}\r\nX-App-Token: ${app_token}\r\nContent-Type: application/json\r\nExpect: 100-continue\r\nContent-Length: 21\r\n\r\n`,
  )
  await once(socket, 'data')

  const closing = sandbox.close()
  socket.write('{"gift":{"amount":1}}')
  await Promise.all([closing, once(socket, 'close')])

  expect(Buffer.concat(received).toString()).toMatch(/HTTP\/1\.1 200 OK\r\n(.*\r\n)*connection: close\r\n/i)
  await expect(fetch(sandbox.url)).rejects.toThrow()
})

test.each([
  ['nothing', ''],
  ['half of a head', 'POST /v1/vouchers HTTP/1.1\r\nHost: localhost:PORT\r\n'],
  ['a head without its body', 'POST /v1/vouchers HTTP/1.1\r\nHost: localhost:PORT\r\nContent-Length: 10\r\n\r\n{'],
])('a client that sends %s and no more does not hold its connection', async (_, text) => {
  const { app } = testSandbox()
  const limits = { headersTimeout: 50, requestTimeout: 100, connectionsCheckingInterval: 10 }
  const { port, close } = await serve({ app, port: 0, report: () => {}, limits })
  open.push({ close })

  const answer = await exchange(port, text.replace('PORT', String(port)))

  // Where the call waits for the body, the connection is closed without an answer.
  expect(answer).toMatch(/^(?:HTTP\/1\.1 408 |$)/)
})

test('an answer has the date of its own second, however busy the process is', async () => {
  let answeredAt = 0
  const app = {
    isAdmitted: () => true,
    requestId: () => 'v-1',
    handleAll: (requests: readonly unknown[]) => {
      // Nothing else runs meanwhile, no timer either.
      const second = Math.floor(Date.now() / 1000)
      while (Math.floor(Date.now() / 1000) === second);
      answeredAt = Math.floor(Date.now() / 1000) * 1000
      return requests.map(() => ({ status: 200, headers: {}, body: {} }))
    },
  }
  const served = await serve({ app, port: 0, report: () => {} })
  open.push(served)

  for (const turn of [1, 2]) {
    const answer = await get(served.port, `Host: localhost:${served.port}\r\n`)

    const date = Date.parse(/^date: (.*)\r$/im.exec(answer)?.[1] ?? '')
    expect(date, `answer ${turn}`).toBeGreaterThanOrEqual(answeredAt)
  }
})

test('a team of a thousand clients is answered, each on a connection of its own', async () => {
  const sandbox = await startTestSandbox()
  open.push(sandbox)
  const { app_id, app_token } = sandbox.credentials
  const port = Number(new URL(sandbox.url).port)
  const head = `GET /v1/vouchers HTTP/1.1\r\nHost: localhost:${port}\r\nX-App-Id: ${app_id}\r\nX-App-Token: ${app_token}\r\n\r\n`
  const sockets = await Promise.all(
    Array.from({ length: 1_000 }, async () => {
      const socket = connect(port, '127.0.0.1')
      await once(socket, 'connect')
      return socket
    }),
  )

  const answers = await Promise.all(
    sockets.map(async (socket) => {
      const answered = once(socket, 'data')
      socket.write(head)
      const [chunk] = (await answered) as [Buffer]
      return chunk.subarray(0, 15).toString()
    }),
  )
  for (const socket of sockets) socket.destroy()

  expect(new Set(answers)).toEqual(new Set(['HTTP/1.1 200 OK']))
})

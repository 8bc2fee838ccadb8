import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import type { AddressInfo, Socket } from 'node:net'
import { inspect } from 'node:util'
import { afterEach, expect, test, vi } from 'vitest'
import { z } from 'zod'
import { createClient } from '../../../../src/api/client.ts'
import { createTransport } from '../../../../src/api/request/transport.ts'
import { endpoint } from '../../../../src/contract/endpoint.ts'
import { needing } from '../../../support/programs.ts'
import { answer, scriptedServer } from '../../../support/scripted-server.ts'
import { fakeClock } from '../pacing/fake-clock.ts'

const call = endpoint('test.call', 'Test', {
  call: 'GET /v1/test',
  response: z.looseObject({}),
  source: 'test',
})

let opened: AsyncDisposable[] = []
afterEach(async () => {
  vi.unstubAllEnvs()
  vi.useRealTimers()
  for (const one of opened) await one[Symbol.asyncDispose]()
  opened = []
})

test.each(['HTTPS_PROXY', 'https_proxy'])(
  'a call goes through the proxy of %s as a tunnel, without its own headers',
  async (name) => {
    const proxy = await proxyThat((socket) => void socket.end('HTTP/1.1 502 Bad Gateway\r\n\r\n'))

    const error = await errorOf('https://service.test', { [name]: proxy.url })

    expect(error).toMatchObject({ kind: 'network', exitCode: 5, phase: 'not_sent', attempts: 3 })
    expect(proxy.heads).toHaveLength(3)
    expect(proxy.heads[0]).toMatch(/^CONNECT service\.test:443 HTTP\/1\.1\r\n/)
    expect(proxy.heads.join('')).not.toContain('app-token')
  },
)

test.each([
  ['', 'at service.test through the proxy 127.0.0.1:1: the connection was refused'],
  ['other.test', 'at service.test through the proxy 127.0.0.1:1: the connection was refused'],
])('an unreachable proxy is named without its password, where NO_PROXY is "%s"', async (NO_PROXY, expected) => {
  const error = await errorOf('https://service.test', { HTTPS_PROXY: 'http://user:CANARY@127.0.0.1:1', NO_PROXY })

  expect((error as Error).message).toContain(expected)
  expect((error as Error).message).not.toContain('CANARY')
})

test.each(['service.test', '.test', '*.test', 'x.example, service.test', '*'])(
  'a host that NO_PROXY=%s names is reached without the proxy',
  async (NO_PROXY) => {
    const proxy = await proxyThat((socket) => void socket.end('HTTP/1.1 502 Bad Gateway\r\n\r\n'))

    const error = await errorOf('https://service.test', { HTTPS_PROXY: proxy.url, NO_PROXY })

    expect((error as Error).message).toMatch(/service\.test cannot be reached: |failed at service\.test: /)
    expect(proxy.heads).toEqual([])
  },
)

test('a proxy that asks for credentials ends the command at once, and its own are not repeated', async () => {
  const proxy = await proxyThat((socket) => void socket.end('HTTP/1.1 407 Proxy Authentication Required\r\n\r\n'))
  const url = proxy.url.replace('http://', 'http://user:CANARY-password@')

  const error = await errorOf('https://service.test', { HTTPS_PROXY: url })

  expect(error).toMatchObject({ kind: 'config', exitCode: 4, phase: 'not_sent', attempts: 1 })
  expect(inspect(error, { depth: 20, showHidden: true })).not.toContain('CANARY')
  expect(proxy.heads).toHaveLength(1)
})

test.each(['http://user:%zz@127.0.0.1:1', 'http://%E0%A4%A:x@127.0.0.1:1', 'socks5://127.0.0.1:1', 'nonsense'])(
  'a proxy address that cannot be used, %s, is named without its value',
  async (url) => {
    const error = await errorOf('https://service.test', { HTTPS_PROXY: url })

    expect(error).toMatchObject({ kind: 'config', exitCode: 4 })
    expect(error).toMatchObject({
      message: 'HTTPS_PROXY is not an address like http://proxy.example:3128',
      facts: { hint: 'set HTTPS_PROXY again, or unset it' },
    })
  },
)

test('a host in NO_PROXY is called directly', async () => {
  const proxy = await proxyThat((socket) => void socket.end('HTTP/1.1 502 Bad Gateway\r\n\r\n'))
  const closed = await scriptedServer([])
  await closed[Symbol.asyncDispose]()
  const origin = closed.origin.replace('http://127.0.0.1', 'https://0.0.0.0')

  expect(await errorOf(origin, { HTTPS_PROXY: proxy.url, NO_PROXY: 'other.test,0.0.0.0' })).toMatchObject({
    message: expect.stringMatching(/the connection was refused/),
  })
  expect(proxy.heads).toEqual([])
})

test.each(['http', 'https'])('this computer is never called through a proxy, by %s', async (scheme) => {
  const proxy = await proxyThat((socket) => void socket.end('HTTP/1.1 502 Bad Gateway\r\n\r\n'))
  const server = await scriptedServer([answer(200, {})])
  opened.push(server)
  const origin = server.origin.replace('http:', `${scheme}:`)

  const error = await errorOf(origin, { HTTPS_PROXY: proxy.url, HTTP_PROXY: proxy.url })

  // The server speaks no TLS: an error about that is a sign that it was reached.
  if (scheme === 'http') expect(error).toBeUndefined()
  else expect(error).toMatchObject({ message: expect.stringMatching(/the TLS handshake failed/) })
  expect(proxy.heads).toEqual([])
})

test.each(['proxy:3128', 'user:CANARY@proxy', 'socks5://CANARY@proxy:1', '::'])(
  'the proxy address %j is refused without repeating it',
  async (address) => {
    const error = await errorOf('https://service.test', { HTTPS_PROXY: address })

    expect(error).toMatchObject({ kind: 'config', exitCode: 4 })
    expect(inspect(error, { depth: 20, showHidden: true })).not.toContain('CANARY')
  },
)

test('a client that never called closes without opening anything', async () => {
  const client = createClient({ origin: 'https://service.test', credentials: {}, userAgent: 'promo/test' })

  await expect(client.close()).resolves.toBeUndefined()
})

test('each request has its own full time, also one that begins while another waits', async () => {
  const asked = [0, 1, 2].map(() => Promise.withResolvers<void>())
  const server = await scriptedServer((_, index) => {
    asked[index]?.resolve()
    return index === 1 ? answer(200, {}) : { do: 'stall' }
  })
  const transport = createTransport({ origin: server.origin, concurrency: 3, timeoutMs: 300 })
  opened.push(server, { [Symbol.asyncDispose]: () => transport.close() })
  const ends: string[] = []
  const send = (name: string) => {
    const sent = transport.send({ method: 'GET', target: '/', headers: {}, body: null })
    return sent.finally(() => ends.push(name))
  }

  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
  const first = send('first')
  await asked[0]?.promise
  await vi.advanceTimersByTimeAsync(150)
  const second = await send('second')
  const third = send('third')
  await asked[2]?.promise
  await vi.advanceTimersByTimeAsync(149)
  const before = [...ends]
  await vi.advanceTimersByTimeAsync(1)
  const between = [...ends]
  await vi.advanceTimersByTimeAsync(149)
  const late = [...ends]
  await vi.advanceTimersByTimeAsync(1)

  expect(second).toMatchObject({ status: 200 })
  expect([before, between, late, ends]).toEqual([
    ['second'],
    ['second', 'first'],
    ['second', 'first'],
    ['second', 'first', 'third'],
  ])
  expect(await Promise.all([first, third])).toEqual(Array(2).fill({ code: 'DEADLINE', sent: true }))
})

test('more requests than connections wait for one, in their order', async () => {
  const waiting: (() => void)[] = []
  // Both connections have a request before either is answered.
  const both = () =>
    new Promise<void>((resolve) => {
      waiting.push(resolve)
      if (waiting.length === 2) for (const release of waiting.splice(0)) release()
    })
  const server = await scriptedServer(async ({ url }) => {
    if (url !== '/0') await both()
    return answer(200, {})
  })
  const transport = createTransport({ origin: server.origin, concurrency: 2, timeoutMs: 600_000 })
  opened.push(server, { [Symbol.asyncDispose]: () => transport.close() })
  const send = (target: string) => transport.send({ method: 'GET', target, headers: {}, body: null })

  await send('/0')
  await Promise.all(['/1', '/2'].map(send))
  await Promise.all(['/3', '/4', '/5', '/6', '/7', '/8'].map(send))

  expect(server.connections()).toBe(2)
  const places = server.asked.map(({ url }) => Number(url.slice(1)))
  for (const [at, place] of places.entries()) expect(Math.abs(at - place)).toBeLessThan(2)
})

test('the connections that a client leaves are those of the next one, which may need fewer or more', async () => {
  const server = await scriptedServer([answer(200, {})])
  opened.push(server)
  const lines = { free: [] }
  const turns: string[] = []
  const transport = (concurrency: number) => {
    const connected = () => void turns.push(`of ${concurrency}`)
    return createTransport({ origin: server.origin, concurrency, timeoutMs: 600_000, connected, lines })
  }
  const request = { method: 'GET', target: '/', headers: {}, body: null } as const
  const send = async (one: ReturnType<typeof transport>, times: number) =>
    await Promise.all(Array.from({ length: times }, () => one.send(request)))

  const [first, second, third] = [transport(2), transport(1), transport(3)]
  await send(first, 1)
  await first.close(true)
  await send(second, 2)
  await second.close(true)
  const kept = server.connections()
  await send(third, 3)
  await third.close()

  expect([kept, server.connections()]).toEqual([1, 3])
  expect(turns).toEqual(['of 2', 'of 3', 'of 3'])
  await expect(third.send(request)).resolves.toMatchObject({ sent: false })
})

test('a request that waits for a connection when no more may begin is never sent', async () => {
  const drain = new AbortController()
  const server = await scriptedServer(async () => {
    drain.abort()
    await new Promise((resolve) => setTimeout(resolve, 20))
    return answer(200, {})
  })
  const transport = createTransport({ origin: server.origin, concurrency: 1, timeoutMs: 600_000, drain: drain.signal })
  opened.push(server, { [Symbol.asyncDispose]: () => transport.close() })
  const send = () => transport.send({ method: 'GET', target: '/', headers: {}, body: null })

  const [first, ...others] = await Promise.all([send(), send(), send()])

  expect(first).toMatchObject({ status: 200 })
  expect(others).toEqual([
    { code: 'STOPPED', sent: false },
    { code: 'STOPPED', sent: false },
  ])
  expect(server.asked).toHaveLength(1)
})

test('nothing is written to a new connection before its turn, and nothing at all once that was cancelled', async () => {
  const server = await scriptedServer([answer(200, {})])
  const turns = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  let made = 0
  const connected = () => turns[made++]?.promise
  const transport = createTransport({ origin: server.origin, concurrency: 2, timeoutMs: 600_000, connected })
  opened.push(server, { [Symbol.asyncDispose]: () => transport.close() })
  const left: string[] = []
  const send = (target: string) =>
    transport.send({ method: 'GET', target, headers: {}, body: null }, () => left.push(target))

  const one = send('/one')
  const other = send('/other')
  await expect.poll(() => made).toBe(2)
  const before = { left: [...left], asked: server.asked.length }
  turns[0]?.resolve()
  turns[1]?.reject(new Error('stopped'))

  expect(before).toEqual({ left: [], asked: 0 })
  expect([await one, await other]).toMatchObject([{ status: 200 }, { sent: false }])
  expect(left).toHaveLength(1)
})

test('through a proxy, too, a request waits for its turn once its tunnel is made', needing('openssl'), async () => {
  vi.stubEnv('NODE_TLS_REJECT_UNAUTHORIZED', '0')
  const port = await serviceWithTls()
  const proxy = await proxyThat((socket) => {
    socket.write('HTTP/1.1 200 OK\r\n\r\n')
    const service = process.getBuiltinModule('node:net').connect(port, '127.0.0.1')
    service.on('error', () => {})
    socket.pipe(service).pipe(socket)
  })
  const turns = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const made: object[] = []
  const connected = (connection: object) => turns[made.push(connection) - 1]?.promise
  const transport = createTransport({
    origin: 'https://service.test',
    proxy: { HTTPS_PROXY: proxy.url },
    concurrency: 2,
    timeoutMs: 600_000,
    connected,
  })
  opened.unshift({ [Symbol.asyncDispose]: () => transport.close() })
  const left: string[] = []
  const send = (target: string) =>
    transport.send({ method: 'GET', target, headers: {}, body: null }, () => left.push(target))

  const both = [send('/one'), send('/other')]
  await expect.poll(() => made).toHaveLength(2)
  const before = [...left]
  turns[0]?.resolve()
  turns[1]?.reject(new Error('stopped'))

  expect(before).toEqual([])
  expect((await Promise.all(both)).map((result) => ('status' in result ? result.status : result.sent))).toEqual(
    expect.arrayContaining([200, false]),
  )
  expect(new Set(made).size).toBe(2)
  expect(left).toHaveLength(1)
})

test('the wait for its turn is no part of the time that a request has', async () => {
  const server = await scriptedServer([answer(200, {})])
  const waits = Promise.withResolvers<void>()
  const turn = Promise.withResolvers<void>()
  const connected = () => {
    waits.resolve()
    return turn.promise
  }
  const transport = createTransport({ origin: server.origin, concurrency: 1, timeoutMs: 300, connected })
  opened.push(server, { [Symbol.asyncDispose]: () => transport.close() })

  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
  const sent = transport.send({ method: 'GET', target: '/', headers: {}, body: null })
  await waits.promise
  await vi.advanceTimersByTimeAsync(900)
  turn.resolve()

  expect(await sent).toMatchObject({ status: 200 })
})

async function errorOf(origin: string, proxy: Record<string, string>): Promise<unknown> {
  const client = createClient({
    origin,
    credentials: { application: { id: 'app-id', token: 'app-token' } },
    proxy,
    clock: fakeClock(),
    userAgent: 'promo/test',
  })
  opened.push({ [Symbol.asyncDispose]: () => client.close() })
  return client.call(call).then(
    () => undefined,
    (error: unknown) => error,
  )
}

/** A service with a certificate that nobody trusts; answers 200. */
async function serviceWithTls(): Promise<number> {
  const made = spawnSync('openssl', [
    ...'req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 1'.split(' '),
    ...'-subj /CN=service.test -keyout - -out -'.split(' '),
  ])
  const pem = made.stdout.toString()
  const server = process.getBuiltinModule('node:https').createServer({ key: pem, cert: pem }, (_request, response) => {
    response.end('{}')
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  opened.push({
    async [Symbol.asyncDispose]() {
      server.close()
      server.closeAllConnections()
    },
  })
  return (server.address() as AddressInfo).port
}

/** A proxy that records the head of each request and then does one thing. */
async function proxyThat(act: (socket: Socket) => void) {
  const heads: string[] = []
  const server = process.getBuiltinModule('node:net').createServer((socket) => {
    socket.on('error', () => {})
    socket.once('data', (head) => {
      heads.push(head.toString())
      act(socket)
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  opened.push({
    async [Symbol.asyncDispose]() {
      server.close()
      await once(server, 'close')
    },
  })
  return { heads, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }
}

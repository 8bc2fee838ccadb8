import { inspect } from 'node:util'
import { afterEach, expect, test } from 'vitest'
import { createClient } from '../../../src/api/client.ts'
import type { Connection } from '../../../src/api/connection.ts'
import { type Action, answer, type ScriptedServer, scriptedServer } from '../../support/scripted-server.ts'
import { fakeClock } from './pacing/fake-clock.ts'

const csv = 'ID,Code\r\nv_1,X\r\n'
const file: Action = { do: 'text', status: 200, text: csv, headers: { 'content-type': 'text/plain' } }

let opened: ScriptedServer[] = []
afterEach(async () => {
  for (const server of opened) await server[Symbol.asyncDispose]()
  opened = []
})

test('a file comes with the token of its address and the credentials of the client', async () => {
  const { server, read } = await exportAt([file])

  expect(await read()).toBe(csv)
  expect(server.asked).toMatchObject([
    {
      method: 'GET',
      url: '/v1/exports/exp_1?token=CANARY-token',
      headers: { 'x-app-id': 'app-id', 'x-app-token': 'app-token' },
    },
  ])
})

test('a file larger than an answer may be is read to its end', async () => {
  const { read } = await exportAt([{ do: 'huge', sizeBytes: 40 * 1024 * 1024 }])

  expect(await read()).toHaveLength(40 * 1024 * 1024)
})

test('a file on the download host of the service is read', async () => {
  const api = await started([])
  const { read } = await exportAt([file], { origin: api.origin })

  expect(await read()).toBe(csv)
})

test('a file on any other host is refused and nothing is sent there', async () => {
  const api = await started([])
  const { server, read } = await exportAt([file], { origin: api.origin, downloadOrigin: 'https://download.test' })

  await expect(read()).rejects.toMatchObject({
    kind: 'api',
    exitCode: 3,
    message: expect.stringMatching(/is not a host of the service$/),
  })
  expect(server.asked).toEqual([])
})

test.each([
  ['a server error', answer(503)],
  ['a reset', { do: 'reset' }],
  ['too many requests', answer(429)],
] as [string, Action][])('after %s the file is asked for again', async (_, action) => {
  const { server, read } = await exportAt([action, file])

  expect(await read()).toBe(csv)
  expect(server.asked).toHaveLength(2)
})

test.each([
  [
    'refused credentials',
    answer(401, { code: 401, key: 'unauthorized', message: 'Unauthorized CANARY-token' }),
    'auth',
    4,
    1,
  ],
  ['a file that is not there', answer(404), 'api', 3, 1],
  ['a redirect', answer(302, undefined, { location: 'https://evil.example/' }), 'config', 4, 1],
  ['another success', { do: 'answer', status: 204 }, 'network', 5, 3],
  ['a reset every time', { do: 'reset' }, 'network', 5, 3],
  ['a web page', { ...file, headers: { 'content-type': 'text/html' } }, 'network', 5, 1],
  ['an empty file', { ...file, text: '' }, 'network', 5, 1],
  ['a compressed file', { ...file, headers: { 'content-encoding': 'gzip' } }, 'network', 5, 1],
  [
    'a last line cut by the end of the connection',
    { do: 'garbage', text: `HTTP/1.1 200 OK\r\n\r\n${csv}v_2` },
    'network',
    5,
    1,
  ],
  ['a file that breaks off', { do: 'truncate', status: 200, text: csv }, 'network', 5, 1],
] as [string, Action, string, number, number][])(
  '%s ends the download as it should, without its token',
  async (_, action, kind, exitCode, requests) => {
    const { server, read, lines } = await exportAt([action])

    const error = await read().catch((caught: unknown) => caught)

    expect(error).toMatchObject({ kind, exitCode })
    expect(server.asked).toHaveLength(requests)
    expect(inspect(error, { depth: 20, showHidden: true }) + lines.join()).not.toContain('CANARY')
  },
)

test('what arrived before the file was cut off was handed over', async () => {
  const { pieces } = await exportAt([{ do: 'truncate', status: 200, text: csv }])
  const read: string[] = []

  await expect(
    (async () => {
      for await (const piece of pieces()) read.push(Buffer.from(piece).toString())
    })(),
  ).rejects.toMatchObject({ exitCode: 5 })
  expect(read.join('')).toBe(csv)
})

async function started(script: Action[]) {
  const server = await scriptedServer(script)
  opened.push(server)
  return server
}

async function exportAt(script: Action[], options: Partial<Connection> = {}) {
  const server = await started(script)
  const lines: string[] = []
  const client = createClient({
    origin: server.origin,
    downloadOrigin: server.origin,
    credentials: { application: { id: 'app-id', token: 'app-token' } },
    clock: fakeClock(),
    observe: (line) => lines.push(line),
    userAgent: 'promo/test',
    ...options,
  })
  const pieces = () => client.download(`${server.origin}/v1/exports/exp_1?token=CANARY-token`)
  const read = async () => {
    const chunks: Uint8Array[] = []
    for await (const piece of pieces()) chunks.push(piece)
    return Buffer.concat(chunks).toString()
  }
  return { server, lines, pieces, read }
}

// Interim answers that nobody asked for, in front of the answer itself. Source: docs/reliability.md#fault-matrix, F-64.
import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { expect, test } from 'vitest'
import { keysFor } from '../support/command-lines.ts'
import { promoIn, temporaryFolder } from '../support/promo.ts'

const body = JSON.stringify({ object: 'event', type: 'e', customer: { id: 'c' } })
const final = `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`
const hints = 'HTTP/1.1 103 Early Hints\r\nlink: </style.css>; rel=preload\r\n\r\n'

/** Runs a line against a service that begins each of its answers like this; returns how often it was asked, too. */
async function after(interim: string, line: string) {
  let asked = 0
  const server = createServer((socket) => {
    socket.on('error', () => {})
    socket.on('data', (data) => {
      if (!/^(?:GET|POST) /.test(data.toString())) return
      asked += 1
      socket.write(interim + final)
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const promo = promoIn(temporaryFolder())
  const ran = await promo(line.split(' '), { env: keysFor(origin) })
  server.close()
  return { ...ran, asked }
}

const send = 'events send e --customer source_id=a --yes'

test.each([
  ['102', 'HTTP/1.1 102 Processing\r\n\r\n'],
  ['103', hints],
  ['103, twice', hints + hints],
])('%s before the answer changes nothing', async (_, interim) => {
  expect(await after(interim, send)).toMatchObject({ exitCode: 0, asked: 1 })
})

test('100 that nobody asked for leaves an event unknown, which is not sent again', async () => {
  const { exitCode, asked, stderr } = await after('HTTP/1.1 100 Continue\r\n\r\n', send)

  expect([exitCode, asked]).toEqual([6, 1])
  expect(stderr).toContain('it is unknown whether')
})

import { createHmac } from 'node:crypto'
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import { eventFilter } from '../../../../../src/cli/topics/webhooks/events.ts'
import { forwarderTo, forwardTarget } from '../../../../../src/cli/topics/webhooks/forward.ts'
import { type Receiver, type ReceiverOptions, startReceiver } from '../../../../../src/cli/topics/webhooks/receive.ts'
import { recorderInto } from '../../../../../src/cli/topics/webhooks/record.ts'
import { startReceiver as startRecording } from '../../../../support/receiver.ts'

/** A program that deliveries are handed on to; those of these tests are not the service's. */
const startTarget = (answer?: Parameters<typeof startRecording>[0]) => startRecording(answer, { isEdited: true })

const secret = 'secretKey'
const noon = Date.parse('2026-02-03T12:00:00.000Z')
const open: { close: () => Promise<void> }[] = []

afterEach(async () => {
  for (const thing of open.splice(0)) await thing.close()
})

async function receiving(options: Partial<ReceiverOptions> = {}): Promise<Receiver> {
  const receiver = await startReceiver({
    port: 0,
    secret,
    wants: () => true,
    bodyLimitBytes: 1000,
    now: () => noon,
    ...options,
  })
  open.push(receiver)
  return receiver
}

const delivery = (id: string, type = 'voucher.disabled', created_at = '2026-02-03T11:59:00.000Z') =>
  JSON.stringify({ id, type, created_at, event: { id: `ev_${id}` } })

const signed = (body: string): [string, string][] => [
  ['x-voucherify-signature', createHmac('sha256', secret).update(body).digest('hex')],
]

async function send({ port }: Receiver, body: string, headers: [string, string][] = signed(body), method = 'POST') {
  const response = await fetch(`http://127.0.0.1:${port}/any/path`, {
    method,
    headers,
    ...(method === 'POST' && { body }),
  })
  return response.status
}

/** What was received until now; the receiver is closed by it. */
async function all(receiver: Receiver) {
  await receiver.close()
  const received = []
  for await (const came of receiver.received) received.push(came)
  return received
}

describe('a receiver', () => {
  test('answers 200 to what is signed, and says what it was', async () => {
    const receiver = await receiving()

    expect(await send(receiver, delivery('whs_1'))).toBe(200)

    expect(await all(receiver)).toEqual([
      {
        received_at: '2026-02-03T12:00:00.000Z',
        result: 'accepted',
        answered: 200,
        size_bytes: delivery('whs_1').length,
        id: 'whs_1',
        event_id: 'ev_whs_1',
        type: 'voucher.disabled',
        created_at: '2026-02-03T11:59:00.000Z',
      },
    ])
  })

  test('takes a signed text that is no event', async () => {
    const receiver = await receiving()

    expect(await send(receiver, '  message  ')).toBe(200)

    expect(await all(receiver)).toMatchObject([{ result: 'accepted', size_bytes: 11 }])
  })

  test.each<[string, number, string, [string, string][] | undefined]>([
    ['no signature', 400, 'malformed', []],
    ['two signature headers', 400, 'malformed', [...signed('x'), ...signed('y')]],
    ['a header of two thousand characters', 400, 'malformed', [['x-voucherify-signature', 'a'.repeat(2000)]]],
    ['the signature of another body', 401, 'forged', signed('something else')],
  ])('refuses %s with %i', async (what, status, result, headers) => {
    const receiver = await receiving()
    const body = delivery('whs_1')

    const answered = what.startsWith('two') ? await sendTwice(receiver, body) : await send(receiver, body, headers)

    expect(answered).toBe(status)
    expect(await all(receiver)).toMatchObject([{ result, answered: status }])
  })

  test('refuses a replay with 409, and takes another delivery of the same event', async () => {
    const receiver = await receiving()
    const other = delivery('whs_1').replace('"whs_1"', '"whs_2"')

    const answered = [await send(receiver, delivery('whs_1')), await send(receiver, delivery('whs_1'))]
    answered.push(await send(receiver, other))

    expect(answered).toEqual([200, 409, 200])
    expect((await all(receiver)).map(({ result }) => result)).toEqual(['accepted', 'replayed', 'accepted'])
  })

  test('refuses a body over the limit, and another method', async () => {
    const receiver = await receiving({ bodyLimitBytes: 20 })

    expect(await send(receiver, delivery('whs_1'))).toBe(413)
    expect(await send(receiver, '', [], 'GET')).toBe(405)

    expect((await all(receiver)).map(({ result }) => result)).toEqual(['too large', 'not a POST'])
  })

  test.each([
    ['2026-02-03T11:55:00.000Z', 200],
    ['2026-02-03T11:54:59.999Z', 400],
    ['2026-02-03T12:05:00.000Z', 200],
    ['2026-02-03T12:05:00.001Z', 400],
    ['yesterday', 400],
  ])('with a limit of five minutes answers a delivery of %s with %i', async (created_at, status) => {
    const receiver = await receiving({ maxAgeMs: 300_000 })

    expect(await send(receiver, delivery('whs_1', 'voucher.disabled', created_at))).toBe(status)
  })

  test('answers 200 to an event that is not wanted, and says nothing of it', async () => {
    const receiver = await receiving({ wants: eventFilter(['campaign.vouchers.aded']) })

    expect(await send(receiver, delivery('whs_1'))).toBe(200)
    expect(await send(receiver, delivery('whs_2', 'campaign.vouchers.added'))).toBe(200)

    expect((await all(receiver)).map(({ id }) => id)).toEqual(['whs_2'])
  })

  test('a taken port is named, with exit 2', async () => {
    const { port } = await receiving()

    await expect(receiving({ port })).rejects.toMatchObject({ exitCode: 2, message: `port ${port} is taken` })
  })
})

// fetch joins two headers of one name into one, which node:http would show as one.
async function sendTwice({ port }: Receiver, body: string): Promise<number> {
  const { connect } = process.getBuiltinModule('node:net')
  const [[name, value] = ['', '']] = signed(body)
  const socket = connect(port, '127.0.0.1')
  const twice = `${name}: ${value}\r\n`.repeat(2)
  socket.end(`POST / HTTP/1.1\r\nHost: x\r\n${twice}Content-Length: ${body.length}\r\nConnection: close\r\n\r\n${body}`)
  let answer = ''
  for await (const chunk of socket) answer += String(chunk)
  return Number(answer.split(' ')[1])
}

describe('forwarding', () => {
  test('hands on the bytes and the signature as they arrived', async () => {
    const target = await startTarget()
    open.push(target)
    const receiver = await receiving({
      forward: forwarderTo(forwardTarget(`${target.url}/hooks?a=1`, false, { env: {} })),
    })
    const body = '{ "id": "whs_1", "points": 9007199254740993 }'
    const headers = signed('{"id":"whs_1","points":9007199254740993}')

    expect(await send(receiver, body, [...headers, ['authorization', 'Bearer canary']])).toBe(200)

    expect(target.received).toMatchObject([{ path: '/hooks?a=1', raw: body, headers: Object.fromEntries(headers) }])
    expect(target.received[0]?.headers.authorization).toBeUndefined()
    expect(await all(receiver)).toMatchObject([{ result: 'accepted', forward: 200 }])
  })

  test('what the other program does not take is answered 502, and may come again', async () => {
    const target = await startTarget((response) => {
      response.statusCode = target.received.length === 1 ? 503 : 204
      response.end()
    })
    open.push(target)
    const receiver = await receiving({ forward: forwarderTo(new URL(target.url)) })

    expect([await send(receiver, delivery('whs_1')), await send(receiver, delivery('whs_1'))]).toEqual([502, 200])
    expect(await all(receiver)).toMatchObject([
      { result: 'not forwarded', forward: 503 },
      { result: 'accepted', forward: 204 },
    ])
  })

  test('a program that is not there is named by the error', async () => {
    const target = await startTarget()
    await target.close()
    const receiver = await receiving({ forward: forwarderTo(new URL(target.url)) })

    expect(await send(receiver, delivery('whs_1'))).toBe(502)

    expect(await all(receiver)).toMatchObject([{ forward: 'ECONNREFUSED' }])
  })

  test.each([
    ['https://shop.example/hooks', 'shop.example is not this computer'],
    ['http://127.0.0.1.shop.example/', 'is not this computer'],
    ['http://0.0.0.0:1/', 'is not this computer'],
    ['ftp://127.0.0.1/', 'is not an http or https address'],
    ['nonsense', 'is not an http or https address'],
    ['http://a:b@127.0.0.1/', 'must not contain a user name'],
  ])('does not go to %s', (address, message) => {
    expect(() => forwardTarget(address, false, { env: {} })).toThrow(message)
  })

  test('goes anywhere when that is wanted', () => {
    expect(forwardTarget('https://shop.example/hooks', true, { env: {} }).host).toBe('shop.example')
  })

  test('never goes to where certificates are not checked', () => {
    const env = { NODE_TLS_REJECT_UNAUTHORIZED: '0' }

    expect(() => forwardTarget('https://127.0.0.1:8443/', false, { env })).toThrow('NODE_TLS_REJECT_UNAUTHORIZED=0')
    expect(forwardTarget('http://127.0.0.1:3000/', false, { env }).port).toBe('3000')
  })

  test('never hands on a body that a blank has changed without changing its signature', async () => {
    const target = await startTarget()
    open.push(target)
    const receiver = await receiving({ forward: forwarderTo(new URL(target.url)) })
    const body = '{"id":"whs_1","points":12}'

    const answered = [await send(receiver, body)]
    for (const changed of ['{"id":"whs_1","points":1 2}', '{"id":"whs_1","points":12}\v']) {
      answered.push(await send(receiver, changed, signed(body)))
    }

    expect(answered).toEqual([200, 400, 400])
    expect(target.received).toHaveLength(1)
    const reason = 'the body is not valid JSON, or nests deeper than 64 levels'
    expect(await all(receiver)).toMatchObject([
      { result: 'accepted' },
      { result: 'malformed', reason },
      { result: 'malformed', reason },
    ])
  })
})

test('a signed body of more levels than any delivery has is malformed', async () => {
  const receiver = await receiving()
  const nested = (levels: number) => `{"id":"whs_${levels}","data":${'['.repeat(levels - 1)}${']'.repeat(levels - 1)}}`

  expect([await send(receiver, nested(64)), await send(receiver, nested(65))]).toEqual([200, 400])
})

describe('recording', () => {
  test('writes the bytes and the signature, under names of its own, for the owner only', async () => {
    const folder = join(mkdtempSync(join(tmpdir(), 'promo-test-')), 'new', 'folder')
    const receiver = await receiving({ record: recorderInto(folder) })
    const odd = delivery('../../whs_2', '../../etc/passwd')

    await send(receiver, delivery('whs_1'))
    await send(receiver, odd, [...signed(odd), ['authorization', 'Bearer canary']])

    const names = readdirSync(folder).toSorted()
    expect(names).toEqual([
      '2026-02-03T12-00-00.000Z_0001_voucher.disabled.body',
      '2026-02-03T12-00-00.000Z_0001_voucher.disabled.headers',
      '2026-02-03T12-00-00.000Z_0002_other.body',
      '2026-02-03T12-00-00.000Z_0002_other.headers',
    ])
    expect(readFileSync(join(folder, names[2] ?? ''), 'utf8')).toBe(odd)
    expect(readFileSync(join(folder, names[3] ?? ''), 'utf8')).toMatch(
      /^content-type: .*\nuser-agent: .*\nx-voucherify-signature: [0-9a-f]{64}\n$/,
    )
    expect(names.map((name) => statSync(join(folder, name)).mode & 0o777)).toEqual([0o600, 0o600, 0o600, 0o600])
    expect((await all(receiver)).map(({ file }) => file)).toEqual([
      join(folder, names[0] ?? ''),
      join(folder, names[2] ?? ''),
    ])
  })

  test('what cannot be recorded is answered 500 and ends the receiving', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'promo-test-'))
    const receiver = await receiving({ record: recorderInto(folder) })
    rmSync(folder, { recursive: true })
    const ended = (async () => {
      for await (const _ of receiver.received);
    })()

    const answered = send(receiver, delivery('whs_1'))

    await expect(ended).rejects.toMatchObject({
      kind: 'io',
      message: expect.stringMatching(/^cannot write ".*: its folder does not exist$/),
    })
    expect(await answered).toBe(500)
  })
})

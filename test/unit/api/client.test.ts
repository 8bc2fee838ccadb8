import { afterEach, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { createClient } from '../../../src/api/client.ts'
import type { Connection } from '../../../src/api/connection.ts'
import { endpoint, type Repeat } from '../../../src/contract/endpoint.ts'
import { createVoucher } from '../../../src/contract/new-voucher.ts'
import { listVouchers } from '../../../src/contract/voucher-lists.ts'
import { deleteVoucher, disableVoucher, getVoucher } from '../../../src/contract/vouchers.ts'
import { type Action, answer, type ScriptedServer, scriptedServer } from '../../support/scripted-server.ts'
import { timerByHand } from '../../support/timer-by-hand.ts'
import { type FakeClock, fakeClock } from './pacing/fake-clock.ts'

const pair = { id: 'app-id-0000', token: 'app-token-1111' }
const voucher = { id: 'v_1', code: 'X', object: 'voucher', active: false, gift: { amount: 1.0 } }
const notFound = {
  code: 404,
  key: 'not_found',
  message: 'Resource not found',
  details: 'Cannot find voucher with id X',
  request_id: 'v-1',
  resource_id: 'X',
}
const taken = { code: 409, key: 'duplicate_found', message: 'Duplicated resource found', resource_id: 'X' }
const x = { path: { code: 'X' } }

let opened: AsyncDisposable[] = []
afterEach(async () => {
  for (const one of opened.reverse()) await one[Symbol.asyncDispose]()
  opened = []
})

describe('one call', () => {
  test('is sent once, with the application pair, and returns the answer unchanged', async () => {
    const { client, server } = await talkTo([answer(200, voucher)])

    expect(await client.call(disableVoucher, x)).toEqual(voucher)
    expect(server.asked).toMatchObject([
      {
        method: 'POST',
        url: '/v1/vouchers/X/disable',
        body: '',
        headers: { 'x-app-id': 'app-id-0000', 'x-app-token': 'app-token-1111', 'user-agent': 'promo/test' },
      },
    ])
  })

  test('keeps the members of the answer in the order and with the digits of the service', async () => {
    const text = '{"zeta":1,"code":"X","active":false,"object":"voucher","id":"v_1","points":9007199254740993}'
    const { client } = await talkTo([{ do: 'text', status: 200, text }])

    const disabled = await client.call(disableVoucher, x)

    expect(JSON.stringify(disabled)).toBe(text)
  })

  test('sends a checked JSON body', async () => {
    const { client, server } = await talkTo([answer(200, { ...voucher, active: true })])

    await client.call(createVoucher, { ...x, body: { type: 'GIFT_VOUCHER', gift: { amount: 500 } } })

    expect(server.asked).toMatchObject([
      { headers: { 'content-type': 'application/json' }, body: '{"type":"GIFT_VOUCHER","gift":{"amount":500}}' },
    ])
  })

  test('sends a body of bytes unchanged', async () => {
    const { client, server } = await talkTo([answer(200, voucher)])
    const text =
      '{ "type": "LOYALTY_CARD", "loyalty_card": {"points": 1}, "metadata": {"points": 9007199254740993, "rate": 1.0} }'

    await client.call(createVoucher, { ...x, body: Buffer.from(text) })

    expect(server.asked).toMatchObject([{ body: text }])
  })

  test('sends a form where the contract declares one', async () => {
    const introspect = endpoint('token.introspect', 'Introspect a token', {
      call: 'POST /v1/oauth/introspect',
      credential: 'application-pair',
      encoding: 'form',
      body: z.strictObject({ access_token: z.string() }),
      response: z.looseObject({ active: z.boolean() }),
      repeat: 'read',
      source: 'docs/service/authentication.md#introspect-a-token',
    })
    const { client, server } = await talkTo([answer(200, { active: true })])

    await client.call(introspect, { body: { access_token: 'a b&c' } })

    expect(server.asked).toMatchObject([
      { headers: { 'content-type': 'application/x-www-form-urlencoded' }, body: 'access_token=a+b%26c' },
    ])
  })

  test('carries a bearer token instead of the pair where either is accepted', async () => {
    const { client, server } = await talkTo([answer(200, voucher)], {
      credentials: { application: pair, accessToken: 'bearer-2222' },
    })

    await client.call(disableVoucher, x)

    expect(server.asked[0]?.headers).toMatchObject({ authorization: 'Bearer bearer-2222' })
    expect(server.asked[0]?.headers).not.toHaveProperty('x-app-token')
  })

  test('carries the management pair where the contract asks for it', async () => {
    const { client, server } = await talkTo([answer(200, {})], {
      credentials: { application: pair, management: { id: 'm-id', token: 'm-token' } },
    })

    await client.call(callOf('read', 'management'))

    expect(server.asked[0]?.headers).toMatchObject({ 'x-management-id': 'm-id', 'x-management-token': 'm-token' })
    expect(server.asked[0]?.headers).not.toHaveProperty('x-app-token')
  })

  test('carries the client-side pair and an origin where the contract asks for them', async () => {
    const client = { id: 'c-id-12', token: 'c-token' }
    const page = await talkTo([answer(200, {})], {
      credentials: { application: pair, client, accessToken: 'bearer-2222' },
      clientOrigin: 'https://shop.example',
    })
    const noPage = await talkTo([answer(200, {})], { credentials: { client } })

    await page.client.call(callOf('read', 'client'))
    await noPage.client.call(callOf('read', 'client'))

    const headers = { 'x-client-application-id': 'c-id-12', 'x-client-token': 'c-token' }
    expect(page.server.asked[0]?.headers).toMatchObject({ ...headers, origin: 'https://shop.example' })
    expect(page.server.asked[0]?.headers).not.toHaveProperty('x-app-token')
    expect(page.server.asked[0]?.headers).not.toHaveProperty('authorization')
    expect(noPage.server.asked[0]?.headers).toMatchObject({ ...headers, origin: noPage.server.origin })
  })

  test('carries a bearer token and an origin where there is no client-side pair', async () => {
    const { client, server } = await talkTo([answer(200, {})], {
      credentials: { application: pair, accessToken: 'bearer-2222' },
    })

    await client.call(callOf('read', 'client'))

    expect(server.asked[0]?.headers).toMatchObject({ authorization: 'Bearer bearer-2222', origin: server.origin })
  })

  test('never carries the application pair where the client-side one is asked for', async () => {
    const { client, server } = await talkTo([answer(200, {})])

    await expect(client.call(callOf('read', 'client'))).rejects.toMatchObject({
      kind: 'config',
      exitCode: 4,
      message: 'this call needs a client-side key pair, and the environment has none',
      facts: { hint: 'set PROMO_CLIENT_ID and PROMO_CLIENT_TOKEN' },
    })
    expect(server.asked).toEqual([])
  })

  test('takes an empty answer where the contract allows one', async () => {
    const { client } = await talkTo([{ do: 'answer', status: 204 }])

    expect(await client.call(deleteVoucher, x)).toBeUndefined()
  })

  test('reads a compressed answer', async () => {
    const { gzipSync } = process.getBuiltinModule('node:zlib')
    const packed = gzipSync(JSON.stringify(voucher))
    const { client } = await talkTo([
      { do: 'bytes', status: 200, bytes: packed, headers: { 'content-encoding': 'gzip' } },
    ])

    expect(await client.call(disableVoucher, x)).toEqual(voucher)
  })

  test('reports the outcome, with attempts and request id', async () => {
    const { client } = await talkTo([answer(500), answer(200, voucher, { 'x-request-id': 'v-9' })])

    expect(await client.exchange(disableVoucher, x)).toEqual({
      outcome: 'confirmed',
      answer: voucher,
      attempts: 2,
      status: 200,
      requestId: 'v-9',
      ambiguousBefore: true,
      window: expect.anything(),
    })
  })

  test('has a time that begins no later than the millisecond of the first attempt', async () => {
    let elapsedMs = 0.9
    const clock = {
      now: () => elapsedMs,
      wall: () => Math.floor(1_000_000 + elapsedMs),
      sleep: async () => {
        elapsedMs = 100.1
      },
    }
    const { client } = await talkTo([answer(500), answer(200, voucher)], { clock, isEmbedded: true })

    const { window } = await client.exchange(disableVoucher, x)

    expect(window?.fromMs).toBe(1_000_000)
  })
})

describe('before anything is sent', () => {
  test.each([
    ['an unknown member', { type: 'GIFT_VOUCHER', gift: { amount: 1 }, amout: 1 }, /the body is not valid: .*"amout"/],
    ['a wrong value', { discount: { type: 'PERCENT', percent_off: 101 } }, /discount\.percent_off must be at most 100/],
    ['a member named __proto__', JSON.parse('{"metadata":{"__proto__":{"a":1}}}'), /"__proto__"/],
    ['a nest of 65 levels', { metadata: nested(64) }, /deeper than 64 levels/],
    [
      'too many bytes',
      { type: 'LOYALTY_CARD', loyalty_card: { points: 1 }, additional_info: 'x'.repeat(1024 * 1024) },
      /larger than 1 MiB/,
    ],
    ['bytes that are not JSON', Buffer.from('{"type":'), /not JSON in UTF-8/],
    ['bytes that are not UTF-8', Buffer.from([0x22, 0xff, 0x22]), /not JSON in UTF-8/],
  ])('%s in a body is refused by call and by plan alike', async (_, body, message) => {
    const { client, server } = await talkTo([answer(200, voucher)])
    const request = { ...x, body } as never

    await expect(client.call(createVoucher, request)).rejects.toMatchObject({
      kind: 'usage',
      exitCode: 2,
      message: expect.stringMatching(message),
    })
    expect(() => client.plan(createVoucher, request)).toThrow(message)
    expect(server.asked).toEqual([])
  })

  test('a query the contract does not know is refused', async () => {
    const { client, server } = await talkTo([answer(200, voucher)])

    await expect(client.call(deleteVoucher, { ...x, query: { forse: true } } as never)).rejects.toThrow(/"forse"/)
    expect(server.asked).toEqual([])
  })

  test.each([
    ['application', 'live', 'promo profiles update live --app-id ID'],
    ['management', 'live', 'promo profiles update live --management-id ID'],
    ['client', 'live', 'set PROMO_CLIENT_ID and PROMO_CLIENT_TOKEN'],
    ['application', 'environment', 'set PROMO_APP_ID and PROMO_APP_TOKEN'],
    ['management', 'environment', 'set PROMO_MANAGEMENT_ID and PROMO_MANAGEMENT_TOKEN'],
  ] as const)('a call without its %s keys is refused, naming %s and how to add them', async (kind, profile, hint) => {
    const { client, server } = await talkTo([answer(200, {})], { credentials: {}, describe: { profile } })
    const whose = profile === 'live' ? 'profile "live"' : 'the environment'

    await expect(client.call(callOf('read', kind))).rejects.toMatchObject({
      kind: 'config',
      exitCode: 4,
      message: expect.stringMatching(new RegExp(`^this call needs an? ${kind}.* key pair, and ${whose} has none$`)),
      facts: { hint },
    })
    expect(server.asked).toEqual([])
  })

  test.each([
    'http://service.example',
    'ftp://127.0.0.1',
    'http://127.0.0.1.evil.example',
    'http://localhost.evil.example',
    'nonsense',
  ])('the origin %s is refused', (origin) => {
    expect(() => createClient({ origin, credentials: {}, userAgent: 'promo/test' })).toThrow(/is not https/)
  })
})

test('a client that only reads sends no call that may change something', async () => {
  const { client, server } = await talkTo([answer(200, voucher)], { readOnly: 'PROMO_READ_ONLY' })

  await expect(client.call(disableVoucher, x)).rejects.toThrow(/^PROMO_READ_ONLY allows only calls that read/)
  await client.call(getVoucher, x)
  expect(server.asked.map(({ method }) => method)).toEqual(['GET'])
})

describe('a refusal', () => {
  test('names the call, its subject, the reason and the request id', async () => {
    const { client, server } = await talkTo([answer(404, notFound)])

    await expect(client.call(disableVoucher, x)).rejects.toMatchObject({
      kind: 'api',
      exitCode: 3,
      phase: 'rejected',
      status: 404,
      attempts: 1,
      requestId: 'v-1',
      message:
        'the service refused vouchers.disable "X" (404 not_found: Resource not found; Cannot find voucher with id X), request v-1',
      facts: {
        http: { method: 'POST', path: '/v1/vouchers/X/disable', status: 404 },
        api: { code: 404, key: 'not_found', request_id: 'v-1', resource_id: 'X' },
      },
    })
    expect(server.asked).toHaveLength(1)
  })

  test.each([
    [
      400,
      { statusCode: 400, error: 'Bad Request', message: 'Invalid request payload JSON format' },
      'api',
      3,
      /\(400: Invalid request payload JSON format\)/,
    ],
    [
      402,
      { code: 402, key: 'missing_required_feature', message: 'Payment required' },
      'api',
      3,
      /402 missing_required_feature/,
    ],
    [404, undefined, 'api', 3, /\(it answered 404 with an empty body\)$/],
    [403, '<html>', 'auth', 4, /\(it answered 403 with a body that does not say why\)$/],
    [401, { code: 401, key: 'unauthorized', message: 'Unauthorized' }, 'auth', 4, /401 unauthorized/],
    [
      403,
      { code: 403, key: 'forbidden', message: 'Forbidden', details: 'Project is bound to different region' },
      'auth',
      4,
      /different region/,
    ],
    [403, { code: 403, key: 'forbidden', message: 'Forbidden', resource_id: 'camp_1' }, 'api', 3, /403 forbidden/],
  ] as const)('with status %s and body %j is %s, exit %s', async (status, body, kind, exitCode, message) => {
    const { client, server } = await talkTo([answer(status, body)])

    await expect(client.call(disableVoucher, x)).rejects.toMatchObject({
      kind,
      exitCode,
      phase: 'rejected',
      message: expect.stringMatching(message),
    })
    expect(server.asked).toHaveLength(1)
  })

  test('of the credentials names the key, the profile and the region they were sent to', async () => {
    const { client, server } = await talkTo([answer(401)], { describe: { profile: 'live', region: 'us' } })

    await expect(client.call(disableVoucher, x)).rejects.toMatchObject({
      facts: {
        hint: `the application key from profile "live" was sent to region us (${new URL(server.origin).host}); check the key: promo profiles update live --keys`,
      },
    })
  })
})

// Every way in which an answer may be lost or spoiled, for every class of call.
// Source: docs/reliability.md#failure-phases.
const losses: [string, Action][] = [
  ['a reset before the answer', { do: 'reset' }],
  ['an end before the answer', { do: 'close' }],
  ['a truncated answer', { do: 'truncate', status: 200, text: '{"ok":tr' }],
  ['a truncated refusal', { do: 'truncate', status: 404, text: '{"code":404' }],
  ['a cut answer without a length', { do: 'cut', text: '{"ok":tr' }],
  ['no answer in time', { do: 'stall' }],
  ['half an answer in time', { do: 'stall-body', text: '{"ok":' }],
  ['an empty answer', { do: 'answer', status: 200 }],
  ['a web page', { do: 'text', status: 200, text: '<!doctype html><p>Sign in to the network</p>' }],
  ['text that is not JSON', { do: 'text', status: 200, text: 'OK' }],
  ['the wrong shape', answer(200, { ok: 'yes' })],
  ['a list for an object', answer(200, [])],
  ['a failure inside a success', answer(200, { code: 500, message: 'Internal error', ok: true })],
  ['an unknown compression', { do: 'text', status: 200, text: 'x', headers: { 'content-encoding': 'zstd-9' } }],
  ['a broken compression', { do: 'text', status: 200, text: 'x', headers: { 'content-encoding': 'gzip' } }],
  ['bytes that are not HTTP', { do: 'garbage', text: 'HELO\r\n\r\n' }],
  ['status 408', answer(408)],
  ['status 500', answer(500, { code: 500, message: 'Internal error' })],
  ['status 502 with a page', { do: 'text', status: 502, text: '<html>' }],
  ['status 503', answer(503)],
  ['status 504', answer(504)],
]
const repeatable: Repeat[] = ['read', 'key', 'idempotent', 'duplicate']
const unrepeatable: Repeat[] = ['reconcile', 'once']

describe('a lost answer', () => {
  test.each(losses.flatMap(([what, loss]) => repeatable.map((repeat) => [what, repeat, loss] as const)))(
    '(%s) to a call of class %s is asked for again',
    async (_, repeat, loss) => {
      const { client, server } = await talkTo([loss, answer(200, { ok: true })])

      expect(await client.exchange(callOf(repeat))).toMatchObject({
        outcome: 'confirmed',
        attempts: 2,
        ambiguousBefore: true,
        answer: { ok: true },
      })
      expect(server.asked).toHaveLength(2)
    },
  )

  test.each(losses.flatMap(([what, loss]) => unrepeatable.map((repeat) => [what, repeat, loss] as const)))(
    '(%s) to a call of class %s ends as unknown after one request',
    async (_, repeat, loss) => {
      const { client, server } = await talkTo([loss, answer(200, { ok: true })])

      await expect(client.call(callOf(repeat))).rejects.toMatchObject({
        kind: 'unknown_outcome',
        exitCode: 6,
        phase: 'ambiguous',
        attempts: 1,
      })
      expect(server.asked).toHaveLength(1)
    },
  )

  test.each<[Repeat, number]>([
    ['read', 3],
    ['key', 3],
    ['idempotent', 3],
    ['duplicate', 2],
  ])('that stays lost ends a call of class %s with exit 5 after %i requests', async (repeat, requests) => {
    const { client, server } = await talkTo([{ do: 'reset' }])

    await expect(client.call(callOf(repeat))).rejects.toMatchObject({
      kind: 'network',
      exitCode: 5,
      phase: 'ambiguous',
      attempts: requests,
      facts: { retryable: true },
    })
    expect(server.asked).toHaveLength(requests)
  })

  test('is repeated as often as any when the caller agreed to duplicates', async () => {
    const { client, server } = await talkTo([{ do: 'reset' }])

    await expect(client.call(callOf('once'), {}, { repeat: 'duplicate' })).rejects.toMatchObject({ attempts: 3 })
    expect(server.asked).toHaveLength(3)
  })

  test('is not repeated when the request itself makes it happen twice', async () => {
    const { client, server } = await talkTo([answer(500), answer(200, { ok: true })])

    await expect(client.call(callOf('read'), {}, { repeat: 'once' })).rejects.toMatchObject({ exitCode: 6 })
    expect(server.asked).toHaveLength(1)
  })

  test('is waited out with a growing delay', async () => {
    const { client, clock } = await talkTo([answer(500)], { retries: 4 })

    await client.call(callOf('read')).catch(() => {})

    expect(clock.slept).toEqual([125, 250, 500, 1000])
  })

  test.each([
    ['over 32 MiB', { do: 'huge', sizeBytes: 33 * 1024 * 1024 }],
    ['of 200 KB that unpack to 200 MB', { do: 'gzip-bomb', sizeBytes: 200 * 1000 * 1000 }],
  ] as [string, Action][])('because of an answer %s is never asked for again', async (_, action) => {
    const reading = await talkTo([action])
    const writing = await talkTo([action])

    await expect(reading.client.call(callOf('read'))).rejects.toMatchObject({ kind: 'api', exitCode: 3 })
    await expect(writing.client.call(callOf('idempotent'))).rejects.toMatchObject({ exitCode: 6, phase: 'ambiguous' })
    expect(reading.server.asked).toHaveLength(1)
    expect(writing.server.asked).toHaveLength(1)
  })
})

describe('a taken key', () => {
  test('after a lost answer is reported as inferred', async () => {
    const { client } = await talkTo([{ do: 'reset' }, answer(409, taken)])

    expect(await client.exchange(createVoucher, { ...x, body: { gift: { amount: 1 } } })).toMatchObject({
      outcome: 'inferred',
      attempts: 2,
      status: 409,
      ambiguousBefore: true,
      failure: taken,
    })
  })

  test.each([
    [
      'after a lost answer is no voucher to return',
      [{ do: 'reset' }, answer(409, taken)],
      { kind: 'unknown_outcome', exitCode: 6, phase: 'ambiguous' },
    ],
    ['at the first attempt is a conflict', [answer(409, taken)], { kind: 'api', phase: 'rejected', status: 409 }],
    [
      'after a throttled attempt is a conflict as well',
      [answer(429), answer(409, taken)],
      { exitCode: 3, phase: 'rejected', attempts: 2 },
    ],
    [
      'is not looked at where the answer after a lost one refuses the credentials',
      [answer(500), answer(401)],
      { kind: 'unknown_outcome', exitCode: 6, phase: 'ambiguous', attempts: 2 },
    ],
  ] as [string, Action[], object][])('%s', async (_, script, expected) => {
    const { client } = await talkTo(script)

    await expect(client.call(createVoucher, { ...x, body: { gift: { amount: 1 } } })).rejects.toMatchObject(expected)
  })
})

test('a delete that finds nothing after a lost answer has done its work', async () => {
  const { client } = await talkTo([{ do: 'reset' }, answer(404, notFound)])

  expect(await client.call(deleteVoucher, x)).toBeUndefined()
})

describe('the echo of a code', () => {
  test.each([
    ['the same code', { code: 'X' }, 'confirmed'],
    ['the id that was asked for', { code: 'other', id: 'X' }, 'confirmed'],
    ['the code in another case', { code: 'x' }, 'confirmed'],
    ['another code', { code: 'Y' }, 'ambiguous'],
  ])('of a disabled voucher: %s', async (_, echo, expected) => {
    const { client } = await talkTo([answer(200, { ...voucher, ...echo })])

    expect(await outcomeOf(client.exchange(disableVoucher, x))).toBe(expected)
  })

  test.each([
    ['the same code', { code: 'X' }, 'confirmed'],
    ['the code in another case', { code: 'x' }, 'ambiguous'],
    ['the code as an id', { code: 'other', id: 'X' }, 'ambiguous'],
  ])('of a created voucher: %s', async (_, echo, expected) => {
    const { client } = await talkTo([answer(200, { ...voucher, ...echo })])

    expect(await outcomeOf(client.exchange(createVoucher, { ...x, body: { gift: { amount: 1 } } }))).toBe(expected)
  })

  test('a voucher that is still active was not disabled', async () => {
    const { client } = await talkTo([answer(200, { ...voucher, active: true })])

    expect(await outcomeOf(client.exchange(disableVoucher, x))).toBe('ambiguous')
  })
})

describe('too many requests', () => {
  test.each([
    ['as a status', answer(429)],
    ['as a number inside a success', answer(200, { code: 429, message: 'Too many requests hit the API too quickly.' })],
    [
      'as a text inside a bad request',
      answer(400, { code: '429', message: 'Too many requests hit the API too quickly.' }),
    ],
  ])('(%s) are waited out for every class of call', async (_, throttled) => {
    for (const repeat of [...repeatable, ...unrepeatable]) {
      const { client, server } = await talkTo([throttled, answer(200, { ok: true })])

      expect(await client.exchange(callOf(repeat))).toMatchObject({
        outcome: 'confirmed',
        attempts: 2,
        ambiguousBefore: false,
      })
      expect(server.asked).toHaveLength(2)
    }
  })

  test('are not meant by a voucher whose code is 429', async () => {
    const { client } = await talkTo([answer(200, { ...voucher, code: '429', message: 'sale' })])

    expect(await client.exchange(getVoucher, { path: { code: '429' } })).toMatchObject({
      outcome: 'confirmed',
      attempts: 1,
    })
  })

  test('pause every call of the client for as long as the service asks', async () => {
    const times: number[] = []
    const clock = fakeClock()
    const { client } = await talkTo(
      (_, index) => {
        times.push(clock.now())
        return index === 0 ? answer(429, undefined, { 'retry-after': '2' }) : answer(200, { ok: true })
      },
      { clock },
    )

    await client.call(callOf('once'))
    await Promise.all([client.call(callOf('once')), client.call(callOf('read'))])

    expect(times[0]).toBe(1000)
    expect(times[1]).toBe(3000)
    expect(times.slice(2).every((time) => time >= 3000)).toBe(true)
  })

  test('a busy service is left alone by every other call, even when the call itself may not be repeated', async () => {
    const times: number[] = []
    const clock = fakeClock()
    const { client } = await talkTo(
      (_, index) => {
        times.push(clock.now())
        return index === 0 ? answer(503, undefined, { 'retry-after': '2' }) : answer(200, { ok: true })
      },
      { clock },
    )

    await client.call(callOf('once')).catch(() => {})
    await client.call(callOf('once'))

    expect(times).toEqual([1000, 3000])
  })

  test('with a wait of hours end the command and name the time to run it again', async () => {
    const { client, server } = await talkTo([answer(429, undefined, { 'retry-after': '7200', date: '' })])

    await expect(client.call(callOf('once'))).rejects.toMatchObject({
      kind: 'network',
      exitCode: 5,
      phase: 'rejected',
      waitMs: 7_200_000,
      message: expect.stringContaining('the service asks for no requests before 2026-01-02T02:00:01.000Z'),
    })
    await expect(client.call(callOf('once'))).rejects.toMatchObject({ exitCode: 5, phase: 'not_sent', attempts: 0 })
    expect(server.asked).toHaveLength(1)
  })

  test('that do not end exhaust the attempts with exit 5', async () => {
    const { client } = await talkTo([answer(429)])

    await expect(client.call(callOf('once'))).rejects.toMatchObject({ exitCode: 5, phase: 'rejected', attempts: 3 })
  })
})

describe('a redirect', () => {
  test.each(
    [300, 301, 302, 303, 304, 307, 308].flatMap((status) =>
      ['other', 'same', 'relative', 'none'].map((to) => [status, to] as const),
    ),
  )('with status %s to %s is never followed', async (status, to) => {
    const other = await scriptedServer([answer(200, { ok: true })])
    opened.push(other)
    const { client, server } = await talkTo((asked) => {
      const locations: Record<string, string> = {
        other: `${other.origin}${asked.url}`,
        same: `http://${asked.headers.host}/x`,
        relative: '//evil.example/',
        none: '',
      }
      return answer(status, undefined, locations[to] ? { location: locations[to] } : {})
    })

    await expect(client.call(callOf('read'))).rejects.toMatchObject({
      kind: 'config',
      exitCode: 4,
      phase: 'ambiguous',
      attempts: 1,
    })
    expect(server.asked).toHaveLength(1)
    expect(other.asked).toEqual([])
  })

  test('is named with the host it points to', async () => {
    const { client } = await talkTo([answer(302, undefined, { location: 'https://login.example/sso?token=abc' })])

    await expect(client.call(callOf('once'))).rejects.toThrow(
      /answered 302, a redirect to login\.example, which is never followed$/,
    )
  })
})

describe('without a connection', () => {
  test('nothing was sent, and every class of call is tried again', async () => {
    const server = await scriptedServer([])
    await server[Symbol.asyncDispose]()
    for (const repeat of [...repeatable, ...unrepeatable]) {
      const client = clientFor(server.origin, {})

      await expect(client.call(callOf(repeat))).rejects.toMatchObject({
        kind: 'network',
        exitCode: 5,
        phase: 'not_sent',
        attempts: 3,
        message: expect.stringMatching(/^test\.call failed at 127\.0\.0\.1:\d+: the connection was refused, 3 times$/),
      })
    }
  })

  test('a lost answer before keeps the outcome unknown to a job', async () => {
    const { client } = await talkTo((_, index) => {
      if (index === 0) setImmediate(() => void server[Symbol.asyncDispose]())
      return { do: 'reset' }
    })
    const server = opened.at(-2) as ScriptedServer

    await expect(client.call(callOf('key'))).rejects.toMatchObject({ exitCode: 5, phase: 'ambiguous' })
  })

  test('a certificate that is not trusted ends the command at once', async () => {
    const { client } = await talkTo([answer(200)])
    const plain = (opened.at(-2) as ScriptedServer).origin
    void client
    const secure = clientFor(plain.replace('http:', 'https:'), {})

    await expect(secure.call(callOf('read'))).rejects.toMatchObject({
      kind: 'config',
      exitCode: 4,
      phase: 'not_sent',
      attempts: 1,
    })
  })
})

describe('a stop', () => {
  test('while an answer is awaited leaves the outcome unknown', async () => {
    const stop = new AbortController()
    const { client } = await talkTo(
      () => {
        setImmediate(() => stop.abort())
        return { do: 'stall' }
      },
      { signal: stop.signal },
    )

    await expect(client.call(callOf('read'))).rejects.toMatchObject({
      kind: 'stopped',
      exitCode: 130,
      phase: 'ambiguous',
      attempts: 1,
    })
  })

  test('before a call sends nothing', async () => {
    const stop = new AbortController()
    const { client, server } = await talkTo([answer(200, { ok: true })], { signal: stop.signal })
    stop.abort()

    await expect(client.call(callOf('read'))).rejects.toMatchObject({ kind: 'stopped', phase: 'not_sent' })
    expect(server.asked).toEqual([])
  })

  test('during the wait between two attempts ends it', async () => {
    const stop = new AbortController()
    const { client, server } = await talkTo([answer(429)], {
      signal: stop.signal,
      observe: (line) => {
        if (line.startsWith('=')) setImmediate(() => stop.abort())
      },
      clock: {
        sleep: (_, signal) =>
          new Promise((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason))),
      },
    })

    await expect(client.call(callOf('once'))).rejects.toMatchObject({ kind: 'stopped', phase: 'not_sent', attempts: 1 })
    expect(server.asked).toHaveLength(1)
  })
})

test('a call whose deadline passes while it waits for a connection is never sent', async () => {
  const { client, server } = await talkTo([{ do: 'stall' }, answer(200, { ok: true })], {
    concurrency: 1,
    retries: 0,
  })

  const [first, second] = await Promise.allSettled([client.call(callOf('once')), client.call(callOf('once'))])
  await client.call(callOf('read'))

  expect(first).toMatchObject({ reason: { exitCode: 6, phase: 'ambiguous' } })
  expect(second).toMatchObject({ reason: { exitCode: 5, phase: 'not_sent' } })
  expect(server.asked).toHaveLength(2)
})

test('no more connections are opened than calls may run at the same time', async () => {
  const { client, server } = await talkTo([answer(200, { ok: true })], { concurrency: 3 })

  await Promise.all(Array.from({ length: 30 }, () => client.call(callOf('read'))))

  expect(server.asked).toHaveLength(30)
  expect(server.connections()).toBe(3)
})

test('each request and each answer is reported in a line without secrets', async () => {
  const lines: string[] = []
  const { client, server } = await talkTo([answer(503), answer(404, notFound)], { observe: (line) => lines.push(line) })

  await client.call(deleteVoucher, { ...x, query: { force: true } }).catch(() => {})

  expect(lines.map((line) => line.replace(/in \d+ ms/, 'in 1 ms').replace(server.origin, ''))).toEqual([
    '> DELETE /v1/vouchers/X?force=true',
    '< 503 in 1 ms',
    '= attempt 2 in 0.5 s: it answered 503 with an empty body',
    '> DELETE /v1/vouchers/X?force=true',
    '< 404 in 1 ms, request v-1',
  ])
})

test('a plan shows the request with its secrets hidden and sends nothing', async () => {
  const { client, server } = await talkTo([answer(200, voucher)], { apiVersion: 'v2018-08-01' })

  expect(client.plan(createVoucher, { path: { code: 'a/b' }, body: { gift: { amount: 1 } } })).toEqual({
    method: 'POST',
    url: `${server.origin}/v1/vouchers/a%2Fb`,
    path: '/v1/vouchers/a%2Fb',
    headers: {
      Accept: 'application/json',
      'Accept-Encoding': 'gzip',
      'Content-Type': 'application/json',
      'User-Agent': 'promo/test',
      'X-App-Id': 'app-…',
      'X-App-Token': '[redacted]',
      'X-Voucherify-API-Version': 'v2018-08-01',
    },
    body: { gift: { amount: 1 } },
  })
  expect(server.asked).toEqual([])
})

test('a plan needs no credentials and no service', () => {
  const client = createClient({ origin: 'http://127.0.0.1', credentials: {}, userAgent: 'promo/test' })

  expect(client.plan(callOf('once', 'management'))).toEqual({
    method: 'POST',
    url: 'http://127.0.0.1/v1/test',
    path: '/v1/test',
    headers: {
      Accept: 'application/json',
      'Accept-Encoding': 'gzip',
      'User-Agent': 'promo/test',
      'X-Management-Id': '[redacted]',
      'X-Management-Token': '[redacted]',
    },
  })
})

test('a call that is given up when its turn comes leaves its turn to the next', async () => {
  const { client, server } = await talkTo([answer(200, voucher)], { rate: { requests: 2, perMs: 1000 } })
  const onTurn = async () => {
    throw new Error('the row cannot be recorded')
  }

  for (let call = 1; call <= 3; call += 1)
    await expect(client.call(disableVoucher, x, { onTurn })).rejects.toThrow('the row cannot be recorded')

  expect(await client.call(disableVoucher, x)).toEqual(voucher)
  expect(server.asked).toHaveLength(1)
})

test('a listing goes through the same client, page by page', async () => {
  const { client, server } = await talkTo((asked, index) =>
    answer(200, { object: 'list', data_ref: 'vouchers', vouchers: index < 2 ? [{ id: asked.url }] : [], total: 2 }),
  )

  const seen: unknown[] = []
  for await (const item of client.items(listVouchers, { query: { campaign: 'Black Friday' } }, { pageSize: 1 }))
    seen.push(item)

  expect(seen).toEqual([
    { id: '/v1/vouchers?limit=1&page=1&order=-created_at&campaign=Black%20Friday' },
    { id: '/v1/vouchers?limit=1&page=2&campaign=Black%20Friday' },
  ])
  // A full page is not the last one on the word of the total alone.
  expect(server.asked).toHaveLength(3)
})

function callOf(repeat: Repeat, credential: 'application' | 'management' | 'client' = 'application') {
  return endpoint('test.call', 'Test', {
    call: 'POST /v1/test',
    credential,
    response: z.looseObject({ ok: z.boolean().optional() }),
    repeat,
    source: 'test',
  })
}

function nested(levels: number): unknown {
  return levels === 0 ? {} : { a: nested(levels - 1) }
}

async function outcomeOf(exchange: Promise<{ outcome: string }>): Promise<string> {
  return exchange.then(
    ({ outcome }) => outcome,
    ({ phase }) => phase,
  )
}

/** Nothing is waited for in vain: the time of a request is over as soon as the server stalls. */
async function talkTo(script: Parameters<typeof scriptedServer>[0], options: Partial<Connection> = {}) {
  const { timer, runOut } = timerByHand()
  const server = await scriptedServer(script, runOut)
  opened.push(server)
  const clock = { ...fakeClock(), ...options.clock } as FakeClock
  return { server, clock, client: clientFor(server.origin, { timer, ...options, clock }) }
}

function clientFor(origin: string, options: Partial<Connection>) {
  const client = createClient({
    origin,
    credentials: { application: pair },
    userAgent: 'promo/test',
    clock: fakeClock(),
    ...options,
  })
  opened.push({ [Symbol.asyncDispose]: () => client.close() })
  return client
}

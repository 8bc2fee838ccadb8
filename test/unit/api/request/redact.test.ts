import { inspect } from 'node:util'
import { afterEach, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { createClient } from '../../../../src/api/client.ts'
import type { Connection } from '../../../../src/api/connection.ts'
import { scrubberFor, shownHeaders } from '../../../../src/api/request/redact.ts'
import { endpoint } from '../../../../src/contract/endpoint.ts'
import { shownBody, shownTarget } from '../../../../src/contract/secret-names.ts'
import { type Action, answer, scriptedServer } from '../../../support/scripted-server.ts'
import { timerByHand } from '../../../support/timer-by-hand.ts'
import { fakeClock } from '../pacing/fake-clock.ts'

test('only harmless headers are shown, and four characters of the application id', () => {
  const shown = shownHeaders({
    Accept: 'application/json',
    'User-Agent': 'promo/1',
    'X-App-Id': '12345678-aaaa',
    'X-App-Token': 'secret-token',
    'X-Management-Id': 'secret-id',
    Authorization: 'Bearer secret',
    'X-Anything-New': 'secret',
  })

  expect(shown).toEqual({
    Accept: 'application/json',
    'User-Agent': 'promo/1',
    'X-App-Id': '1234…',
    'X-App-Token': '[redacted]',
    'X-Management-Id': '[redacted]',
    Authorization: '[redacted]',
    'X-Anything-New': '[redacted]',
  })
})

test.each([
  ['/v1/vouchers', '/v1/vouchers'],
  ['/v1/vouchers?limit=10&order=code', '/v1/vouchers?limit=10&order=code'],
  ['/v1/exports/e?token=abc&x=1', '/v1/exports/e?token=[redacted]&x=1'],
  ['/v1/x?access_token=a=b&Signature=c', '/v1/x?access_token=[redacted]&Signature=[redacted]'],
])('%s is shown as %s', (target, shown) => {
  expect(shownTarget(target)).toBe(shown)
})

test('members of a body that are named like secrets are hidden at every depth', () => {
  const shown = shownBody({
    access_token: 'a',
    token_type: 'Bearer',
    list: [{ webhook_token: 'b', server_side_key: { app_id: 'c', app_token: 'd' } }],
    password: 'e',
    points: 3,
    note: null,
  })

  expect(shown).toEqual({
    access_token: '[redacted]',
    token_type: 'Bearer',
    list: [{ webhook_token: '[redacted]', server_side_key: { app_id: 'c', app_token: '[redacted]' } }],
    password: '[redacted]',
    points: 3,
    note: null,
  })
})

test("the client's own secrets are removed from everything reported about a call", () => {
  const scrub = scrubberFor({ application: { id: 'id', token: 's3cr3t/token' }, accessToken: 'bearer-secret' })

  expect(scrub('a s3cr3t/token b s3cr3t%2Ftoken c bearer-secret d id')).toBe(
    'a [redacted] b [redacted] c [redacted] d id',
  )
  // The long s is the s of ASCII to whatever ignores case.
  expect(scrub('a \u017F3cr3t/token')).toBe('a [redacted]')
})

const canaries = [
  'CANARY-app-id',
  'CANARY-app-token',
  'CANARY-mgmt-id',
  'CANARY-mgmt-token',
  'CANARY-bearer',
  'CANARY-body',
]
const [appId = '', appToken = '', managementId = '', managementToken = '', bearer = '', inBody = ''] = canaries

describe('no error and no line of --verbose holds a secret', () => {
  let opened: AsyncDisposable[] = []
  afterEach(async () => {
    for (const one of opened) await one[Symbol.asyncDispose]()
    opened = []
  })

  const echo = {
    code: 400,
    message: `bad ${canaries.join(' ')}`,
    key: appToken,
    details: managementToken,
    resource_id: bearer,
  }
  test.each([
    ['a refusal that repeats them', answer(400, echo)],
    ['a refusal so long that it is cut inside of one', answer(400, { code: 400, message: `${bearer} `.repeat(60) })],
    ['a refusal of the credentials that repeats them', answer(401, echo)],
    ['a server error that repeats them', answer(500, echo)],
    ['a success of the wrong shape that repeats them', answer(200, { [appToken]: appToken, ok: bearer })],
    ['a redirect that repeats them', answer(302, undefined, { location: `https://${appToken}.example/?t=${bearer}` })],
    ['a page', { do: 'text', status: 200, text: `<html>${appToken}` }],
    ['a reset', { do: 'reset' }],
    ['a stall', { do: 'stall' }],
    ['bytes that are not HTTP', { do: 'garbage', text: `${appToken}\r\n\r\n` }],
  ] as [string, Action][])('after %s', async (_, action) => {
    const { timer, runOut } = timerByHand()
    const server = await scriptedServer([action], runOut)
    opened.push(server)
    const lines: string[] = []
    const said: string[] = []

    for (const credential of ['application', 'application-pair', 'management'] as const) {
      const client = clientFor(server.origin, '', { timer, observe: (line) => lines.push(line) })
      for (const repeat of ['read', 'once'] as const) {
        const request = { body: { access_token: inBody }, query: { token: inBody } }
        said.push(shown(await client.call(callOf(credential, repeat), request).catch((error: unknown) => error)))
        said.push(JSON.stringify(client.plan(callOf(credential, repeat), request)))
      }
      await client.close()
    }

    expect(said).toHaveLength(12)
    expect([...said, ...lines].filter((text) => text.toLowerCase().includes('canary'))).toEqual([])
  })

  test.each(['\n', '\r\n', ' ', '\u0000', 'é'])(
    'when a token ends with %j, which is refused before anything is sent',
    async (end) => {
      const server = await scriptedServer([answer(200, { ok: 'yes' })])
      opened.push(server)
      const client = clientFor(server.origin, end)

      for (const credential of ['application', 'application-pair', 'management'] as const) {
        const error = await client
          .call(callOf(credential, 'read'), { body: { access_token: 'x' } })
          .catch((caught: unknown) => caught)

        expect(error).toMatchObject({ kind: 'config', exitCode: 4 })
        expect(shown(error)).not.toContain('CANARY')
      }
      expect(server.asked).toEqual([])
    },
  )
})

function clientFor(origin: string, end: string, options: Partial<Connection> = {}) {
  return createClient({
    origin,
    credentials: {
      application: { id: appId, token: `${appToken}${end}` },
      management: { id: managementId, token: `${managementToken}${end}` },
      accessToken: `${bearer}${end}`,
    },
    describe: { profile: 'live', region: 'eu' },
    clock: fakeClock(),
    userAgent: 'promo/test',
    ...options,
  })
}

function callOf(credential: 'application' | 'application-pair' | 'management', repeat: 'read' | 'once') {
  return endpoint('test.call', 'Test', {
    call: 'POST /v1/test',
    credential,
    query: z.strictObject({ token: z.string().optional() }),
    body: z.strictObject({ access_token: z.string() }),
    response: z.strictObject({ ok: z.literal('yes') }),
    repeat,
    source: 'test',
  })
}

/** Everything that could be printed about an error: its JSON, its inspection with causes, its stack. */
function shown(error: unknown): string {
  const { message, stack } = error as Error
  return [JSON.stringify(error), inspect(error, { depth: 20, showHidden: true }), message, stack].join('\n')
}

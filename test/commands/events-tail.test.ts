import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { RunningSandbox } from '../../src/sandbox/embedded.ts'
import { eventually } from '../support/eventually.ts'
import { promoIn, type RunOptions, temporaryFolder } from '../support/promo.ts'
import { startReceiver } from '../support/receiver.ts'
import { startTestSandbox } from '../support/sandbox.ts'
import { answer, scriptedServer } from '../support/scripted-server.ts'

const promo = promoIn(temporaryFolder())
let sandbox: RunningSandbox
let env: Record<string, string>

beforeEach(async () => {
  sandbox = await startTestSandbox()
  const { app_id, app_token } = sandbox.credentials
  env = { PROMO_BASE_URL: sandbox.url, PROMO_APP_ID: app_id, PROMO_APP_TOKEN: app_token }
})
afterEach(() => sandbox.close())

const tail = (argv: string[], options: RunOptions = {}) => promo(['events', 'tail', ...argv], { ...options, env })
// biome-ignore lint/suspicious/noExplicitAny: a test reads any body, and asserts what it expects.
const post = (path: string, body: object): Promise<any> =>
  fetch(`${sandbox.url}${path}`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'x-app-id': sandbox.credentials.app_id,
      'x-app-token': sandbox.credentials.app_token,
    },
    body: JSON.stringify(body),
  }).then((response) => response.json())
const redeem = (code: string) =>
  post('/v1/redemptions', {
    redeemables: [{ object: 'voucher', id: code }],
    customer: { source_id: 'shop-1001' },
    order: { amount: 5000 },
  })

describe('events tail', () => {
  test('shows what happened since a time, a line each, with the reason of a failure', async () => {
    await post('/v1/publications', { customer: { source_id: 'shop-1001' }, voucher: 'WELCOME-002' })
    await redeem('WELCOME-001')
    await redeem('XMAS2025')

    const { exitCode, stdout } = await tail(['--since', '5m', '--once', '--type', 'redemption.*,publication.*'])

    expect(exitCode).toBe(0)
    const lines = stdout.trimEnd().split('\n')
    expect(lines.map((line) => line.split('  ').slice(1, -1))).toEqual([
      ['publication.succeeded', 'WELCOME-002', 'customer shop-1001'],
      ['redemption.succeeded', 'WELCOME-001', 'customer shop-1001'],
      ['redemption.failed', 'XMAS2025', 'customer shop-1001', 'voucher expired'],
    ])
  })

  test('prints JSON Lines with the whole entry', async () => {
    const { redemptions } = await redeem('WELCOME-001')

    const { stdout, stderr } = await tail(['--since', '5m', '--once', '--type', 'redemption.succeeded', '--jsonl'])

    expect(stderr).toBe('')
    expect(
      stdout
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line)),
    ).toEqual([
      {
        at: redemptions[0].date,
        type: 'redemption.succeeded',
        id: redemptions[0].id,
        about: 'WELCOME-001',
        customer: 'shop-1001',
        data: expect.objectContaining({ id: redemptions[0].id, object: 'redemption', result: 'SUCCESS' }),
      },
    ])
  })

  test('shows a rollback with its reason, new vouchers and campaigns when they are named, and nothing older', async () => {
    const { redemptions } = await redeem('WELCOME-001')
    await post(`/v1/redemptions/${redemptions[0].id}/rollback`, { reason: 'Sent back' })
    await post('/v1/vouchers/NEW-1', { type: 'GIFT_VOUCHER', gift: { amount: 500 } })

    const { stdout } = await tail(
      '--since 5m --once --type redemption.rollback.*,voucher.created,campaign.*'.split(' '),
    )

    const lines = stdout.trimEnd().split('\n')
    expect(lines.map((line) => line.split('  ').slice(1, -1))).toEqual([
      ['redemption.rollback.succeeded', 'WELCOME-001', 'customer shop-1001', 'Sent back'],
      ['voucher.created', 'NEW-1', 'GIFT_VOUCHER'],
    ])
  })

  test('shows what was changed as it is now: a code that is off, the points of a card, a customer', async () => {
    await post('/v1/vouchers/WELCOME-003/disable', {})
    await post('/v1/loyalties/members/CLUB-001/balance', { points: 5 })
    await post('/v1/customers', { source_id: 'shop-1001', name: 'Ada W.' })
    await post('/v1/vouchers/NEW-2', { type: 'GIFT_VOUCHER', gift: { amount: 500 } })
    await post('/v1/vouchers/NEW-2/balance', { amount: 1500 })

    const { stdout } = await tail(['--since', '5m', '--once', '--type', '*.updated'])

    const lines = stdout.trimEnd().split('\n')
    expect(lines.map((line) => line.split('  ').slice(1, 3))).toEqual([
      ['voucher.updated', 'WELCOME-003'],
      ['voucher.updated', 'CLUB-001'],
      ['customer.updated', 'Ada W.'],
      ['voucher.updated', 'NEW-2'],
    ])
    expect(lines.map((line) => line.split('  ').at(-2))).toEqual([
      'off',
      expect.stringMatching(/^on, \d+ points$/),
      'shop-1001',
      'on, 2,000 left',
    ])
  })

  test('follows until Ctrl-C, and says what that costs', async () => {
    await redeem('WELCOME-001')

    const { exitCode, stdout, stderr } = await tail(['--since', '5m', '--type', 'redemption.*'], {
      onStdout: (_text, stop) => stop('SIGINT'),
    })

    expect(exitCode).toBe(130)
    expect(stdout).toContain('redemption.succeeded')
    expect(stderr).toContain('following redemptions every 30s, 120 requests an hour; Ctrl-C ends it\n')
  })

  describe('with --webhook', () => {
    const management = () => ({
      ...env,
      PROMO_MANAGEMENT_ID: sandbox.credentials.management_id,
      PROMO_MANAGEMENT_TOKEN: sandbox.credentials.management_token,
      PROMO_PROJECT_ID: sandbox.credentials.project_id,
      PROMO_WEBHOOK_SECRET: sandbox.credentials.webhook_secret,
    })
    const addresses = async () => {
      const argv = ['webhooks', 'list', '--csv', '--columns', 'target_url', '--no-header']
      return (await promo(argv, { env: management() })).stdout
    }
    const follow = (url: string, flags: string[] = [], options: RunOptions = {}) =>
      promo(['events', 'tail', '--webhook', url, ...flags], { ...options, env: management() })

    test('shows what a webhook of its own delivers, and removes the webhook after Ctrl-C', async () => {
      const before = await addresses()
      const url = await freeAddress()

      const running = follow(url, ['--type', 'voucher.created', '--jsonl'], {
        onStdout: (_text, stop) => stop('SIGINT'),
      })
      await eventually(async () => (await addresses()).includes(url))
      await post('/v1/vouchers/NEW-1', { type: 'GIFT_VOUCHER', gift: { amount: 500 } })
      const { exitCode, stdout, stderr } = await running

      expect(exitCode).toBe(130)
      expect(JSON.parse(stdout)).toMatchObject({
        type: 'voucher.created',
        id: expect.stringMatching(/^evvou_/),
        about: 'NEW-1',
        data: { data: { voucher: { type: 'GIFT_VOUCHER' } } },
      })
      expect(stderr).toMatch(/webhook "wh_\w+" was removed\n/)
      expect(await addresses()).toBe(before)
    })

    test('ends by itself after the time of --for, and removes the webhook', async () => {
      const before = await addresses()

      const { exitCode, stdout, stderr } = await follow(await freeAddress(), ['--for', '1ms'])

      expect([exitCode, stdout]).toEqual([0, ''])
      expect(stderr).toMatch(/webhook "wh_\w+" was removed\n/)
      expect(await addresses()).toBe(before)
    })

    test('a webhook that cannot be removed is named, with the command that removes it', async () => {
      const webhook = { id: 'wh_1', object: 'webhook', target_url: 'http://127.0.0.1/', events: [], active: true }
      await using server = await scriptedServer(({ method }) => {
        if (method === 'DELETE') return answer(403, { code: 403, message: 'Forbidden' })
        return answer(200, method === 'POST' ? webhook : { object: 'list', data_ref: 'data', data: [], total: 0 })
      })

      const argv = ['events', 'tail', '--webhook', 'http://127.0.0.1/', '--port', '0', '--for', '1ms']
      const ran = await promo(argv, { env: { ...management(), PROMO_BASE_URL: server.origin } })

      expect(ran).toEnd(4, 'webhook "wh_1" was not removed; try: promo webhooks delete wh_1\n')
    })

    test('creates none where an earlier run left one, and says how to remove it', async () => {
      const ran = await follow('http://127.0.0.1:8090/')

      expect(ran).toEnd(3, /webhook "(wh_\w+)" already sends to this address[\s\S]*\ntry: promo webhooks delete \1/)
    })

    test.each<[string, string[], RegExp]>([
      ['a tunnel without a port', ['https://tunnel.example/'], /try: add --port 8090/],
      ['an event nobody knows', ['http://127.0.0.1:8091/', '--type', 'nothing'], /there is no event "nothing"/],
      ['a beginning in the past', ['http://127.0.0.1:8091/', '--since', '1h'], /--since/],
    ])('refuses %s before any request', async (_what, [url = '', ...flags], message) => {
      expect(await follow(url, [...flags, '-v'])).toSendNothing(2, message)
    })
  })

  test.each<[string, string[], RegExp]>([
    [
      'a type that no list shows',
      ['--type', 'voucher.deleted'],
      /no list shows "voucher\.deleted"; polling sees redemp/,
    ],
    [
      'the event of a change, with the name under which lists show it,',
      ['--type', 'voucher.disabled'],
      /try: --type voucher\.updated, or --webhook URL/,
    ],
    ['a time that is none', ['--since', 'tomorrow'], /"tomorrow" is not a time/],
    ['an interval below a second', ['--interval', '10ms'], /an --interval is at least 1s/],
    ['--once without a beginning', ['--once'], /--since/],
  ])('refuses %s before any request', async (_what, argv, message) => {
    expect(await tail([...argv, '-v'])).toSendNothing(2, message)
  })
})

/** An address of this computer at which nothing listens. */
async function freeAddress(): Promise<string> {
  const { url, close } = await startReceiver()
  await close()
  return `${url}/`
}

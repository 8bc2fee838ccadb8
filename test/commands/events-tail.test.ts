import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { RunningSandbox } from '../../src/sandbox/embedded.ts'
import { promoIn, type RunOptions, temporaryFolder } from '../support/promo.ts'
import { startTestSandbox } from '../support/sandbox.ts'

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

    const { stdout } = await tail(['--since', '5m', '--once', '--type', 'redemption.rollback.*,voucher.*,campaign.*'])

    const lines = stdout.trimEnd().split('\n')
    expect(lines.map((line) => line.split('  ').slice(1, -1))).toEqual([
      ['redemption.rollback.succeeded', 'WELCOME-001', 'customer shop-1001', 'Sent back'],
      ['voucher.created', 'NEW-1', 'GIFT_VOUCHER'],
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

  test.each<[string, string[], RegExp]>([
    [
      'a type that no list shows',
      ['--type', 'voucher.deleted'],
      /no list shows "voucher\.deleted"; polling sees redemp/,
    ],
    ['a time that is none', ['--since', 'yesterday'], /"yesterday" is not a time/],
    ['an interval below a second', ['--interval', '10ms'], /an --interval is at least 1s/],
    ['--once without a beginning', ['--once'], /--since/],
  ])('refuses %s before any request', async (_what, argv, message) => {
    const { exitCode, stderr } = await tail([...argv, '-v'])

    expect(exitCode).toBe(2)
    expect(stderr).toMatch(message)
    expect(stderr).not.toContain('> GET')
  })
})

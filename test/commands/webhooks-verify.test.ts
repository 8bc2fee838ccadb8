import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { nowhere, promoIn, temporaryFolder } from '../support/promo.ts'
import { sparseFile } from '../support/sparse-file.ts'
import { keys } from '../support/terminal.ts'

const folder = temporaryFolder()
const promo = promoIn(folder)
const body = 'examples/delivery.json'
const headers = ['--headers', 'examples/delivery.headers']
const env = { PROMO_WEBHOOK_SECRET: 'secretKey' }
const verify = (argv: string[], options = {}) => promo(['webhooks', 'verify', ...argv], options)

describe('webhooks verify', () => {
  test('confirms that a saved delivery is genuine, and describes it', async () => {
    const json = await verify([body, ...headers, '--json'], { env })
    const table = await verify([body, ...headers], { env })
    const csv = await verify([body, ...headers, '--csv'], { env })

    expect(json.exitCode).toBe(0)
    expect(JSON.parse(json.stdout)).toEqual({
      valid: true,
      id: 'whs_11a1b2c3d4e5f60718',
      event_id: 'evvou_11a1b2c3d4e5f60718',
      type: 'voucher.disabled',
      created_at: '2026-02-03T10:15:30.000Z',
    })
    expect(table.stdout).toMatch(/^valid +true\ntype +voucher\.disabled\n/)
    expect(csv.stdout.split('\n')[1]).toMatch(/^true,,voucher\.disabled,whs_11a1b2c3d4e5f60718,/)
  })

  test.each([
    ['there is none', [], { PROMO_APP_ID: 'a', PROMO_APP_TOKEN: 'b', PROMO_BASE_URL: 'https://promo.example.com' }],
    ['stdin is the keyboard', ['--secret-stdin'], {}],
  ])('asks for the secret on a terminal where %s, and never shows it', async (_, flags, more) => {
    const { exitCode, stderr } = await verify([body, ...headers, ...flags], {
      env: more,
      terminal: { columns: 80 },
      answers: [[/the webhook secret:/, `secretKey${keys.enter}`]],
    })

    expect(exitCode).toBe(0)
    expect(stderr).toContain('*********')
    expect(stderr).not.toContain('secretKey')
  })

  test('exits 12 when a byte of the body differs', async () => {
    const changed = join(folder, 'changed.json')
    writeFileSync(changed, readFileSync(body, 'utf8').replace('false', 'true'))

    const { exitCode, stdout } = await verify([changed, ...headers, '--json'], { env })

    expect(exitCode).toBe(12)
    expect(JSON.parse(stdout)).toEqual({
      valid: false,
      reason: 'the signature is not that of this body with this webhook secret',
    })
  })

  test('exits 12 when the headers contain no signature', async () => {
    const { exitCode, stdout } = await verify([body, '--headers', body, '--json'], { env })

    expect(exitCode).toBe(12)
    expect(JSON.parse(stdout).reason).toBe('no x-voucherify-signature header')
  })

  test('exits 12 when the delivery is older than --max-age', async () => {
    const now = () => Date.parse('2026-02-03T10:20:31.000Z')

    const late = await verify([body, ...headers, '--max-age', '5m'], { env, now })
    const inTime = await verify([body, ...headers, '--max-age', '302s'], { env, now })

    expect([late.exitCode, inTime.exitCode]).toEqual([12, 0])
  })

  test('prefers the secret from stdin to the environment', async () => {
    const wrong = { PROMO_WEBHOOK_SECRET: 'another-one' }

    const stdin = await verify([body, ...headers, '--secret-stdin'], { env: wrong, stdin: 'secretKey\n' })
    const environment = await verify([body, ...headers], { env: wrong, stdin: 'secretKey\n' })

    expect([stdin.exitCode, environment.exitCode]).toEqual([0, 12])
  })

  test('uses the secret of the sandbox profile', async () => {
    expect((await verify([body, ...headers, '--profile', 'sandbox'])).exitCode).toBe(12)
  })

  test('stops with exit 4 without a secret, and explains where to put it', async () => {
    const ran = await verify([body, ...headers], {
      env: { PROMO_APP_ID: 'app-id', PROMO_APP_TOKEN: 'app-token' },
    })

    expect(ran).toEnd(4, 'set PROMO_WEBHOOK_SECRET')
  })

  test.each<[string, string[], string | undefined, RegExp]>([
    ['a body that is missing', [nowhere, '--signature', 'aa'], undefined, /\/nowhere": there is no such file/],
    ['headers that are missing', [body, '--headers', nowhere], undefined, /cannot read .*there is no such file/],
    ['a device', ['/dev/zero', '--signature', 'aa'], undefined, /is a device, not a file/],
    ['nothing', ['/dev/null', '--signature', 'aa'], undefined, /"\/dev\/null" is empty/],
    ['a signature and headers', [body, ...headers, '--signature', 'aa'], undefined, /signature/],
    ['neither a signature nor headers', [body], undefined, /missing --signature or --headers/],
    ['a body that is too long', [sparseFile(), '--signature', 'aa'], undefined, /is longer than 32 MiB/],
    ['a secret that is too long', [body, ...headers, '--secret-stdin'], 'x'.repeat(70_000), /is longer than 64 KiB/],
    ['an empty secret', [body, ...headers, '--secret-stdin'], '\n', /the webhook secret is empty/],
    ['a secret of two words', [body, ...headers, '--secret-stdin'], 'canary canary', /holds a space/],
    ['an age that is none', [body, ...headers, '--max-age', '5'], undefined, /is not a duration/],
  ])('refuses %s', async (_what, argv, stdin, message) => {
    const { exitCode, stderr } = await verify(argv, { env, ...(stdin !== undefined && { stdin }) })

    expect(exitCode).toBe(2)
    expect(stderr).toMatch(message)
    expect(stderr).not.toContain('canary')
  })
})

describe('webhooks listen', () => {
  test.each<[string, string[], RegExp]>([
    [
      'a target that is not this computer',
      ['--forward-to', 'https://shop.example/'],
      /is not this computer\ntry: add --forward-anywhere/,
    ],
    ['an unknown event', ['--event', 'nothing'], /there is no event "nothing"/],
    ['a port that is none', ['--port', '70000'], /70000/],
    ['--forward-anywhere alone', ['--forward-anywhere'], /forward-to/],
  ])('refuses %s', async (_what, argv, message) => {
    expect(await promo(['webhooks', 'listen', ...argv], { env })).toEnd(2, message)
  })
})

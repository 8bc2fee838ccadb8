// Whether a code can be used now, as lists and pages say it: the switch and dates of a voucher, and those of its campaign.
import { describe, expect, test } from 'vitest'
import { voucherState } from '../../src/cli/topics/vouchers/state.ts'
import { promo, promoIn, temporaryFolder } from '../support/promo.ts'
import { hearing } from '../support/sent-requests.ts'
import { startedSandbox } from '../support/started-sandbox.ts'

const now = Date.parse('2026-11-23T08:00:00.000Z')

function shop() {
  const run = promoIn(temporaryFolder())
  return async (...argv: string[]) => {
    const ran = await run([...argv, '--profile', 'sandbox'], { now: () => now })
    return { ...ran, lines: ran.stdout.trimEnd().split('\n') }
  }
}

const changes: [name: string, set: string | undefined, voucher: string, campaign: string][] = [
  ['paused', undefined, 'campaign paused', 'paused'],
  ['yet to start', 'start_date=2026-12-01T00:00:00.000Z', 'not before 1 Dec', 'not before 1 Dec'],
  ['over', 'expiration_date=2026-11-01T00:00:00.000Z', 'campaign ended', 'ended'],
]

describe.each(changes)('a campaign that is %s', (_name, set, ofVoucher, ofCampaign) => {
  const paused = async () => {
    const promo = shop()
    // A code that was handed out keeps its own terms, so it has no dates but those of the campaign.
    await promo('publications', 'create', '--voucher', 'GIFT-001', '--customer', 'source_id=shop-1002')
    if (set === undefined) await promo('campaigns', 'disable', 'Gift cards', '--yes')
    else await promo('campaigns', 'update', 'Gift cards', '--set', set, '--yes')
    return promo
  }

  test('is told by its vouchers, the page of a customer and the list of campaigns', async () => {
    const promo = await paused()

    const voucher = await promo('vouchers', 'get', 'GIFT-001', '--columns', 'state', '--no-header')
    const vouchers = await promo('vouchers', 'list', '--code', 'GIFT-001', '--columns', 'state', '--no-header')
    const campaigns = await promo('campaigns', 'list', '--columns', 'name,state', '--no-header')
    const page = await promo('customers', 'show', 'shop-1002')

    expect(voucher.stdout.trim()).toBe(ofVoucher)
    expect([...new Set(vouchers.lines.map((line) => line.trim()))]).toEqual([ofVoucher])
    expect(campaigns.stdout).toMatch(new RegExp(`^Gift cards +${ofCampaign}$`, 'm'))
    expect(campaigns.stdout).toMatch(/^Welcome +on$/m)
    expect(page.stdout).toMatch(new RegExp(`^ {2}GIFT-001 +GIFT_VOUCHER +${ofVoucher} `, 'm'))
  })

  test('is named by the explanation of a validation', async () => {
    const promo = await paused()
    const words = { paused: 'is off', ended: 'is over' }[ofCampaign] ?? 'is not valid before 1 Dec'

    const { stdout, exitCode } = await promo('validate', 'redeemables', 'GIFT-001', '--amount', '1000', '--explain')

    expect(stdout).toContain(`it is on; its campaign "Gift cards" ${words} (voucher_`)
    expect(exitCode).toBe(12)
  })
})

test('a voucher that is itself off is told as that, and its campaign is not read', async () => {
  const promo = shop()
  await promo('vouchers', 'disable', 'GIFT-001')

  const { result, sent } = await hearing(() => promo('vouchers', 'get', 'GIFT-001'))

  expect(result.stdout).toMatch(/^state +off$/m)
  expect(sent.map(({ path }) => path)).toEqual(['/v1/vouchers/GIFT-001'])
})

test('of many vouchers each campaign is read once, and for CSV and JSON none', async () => {
  const promo = shop()

  const table = await hearing(() => promo('vouchers', 'list', '--limit', '100', '--campaign', 'Welcome'))
  const csv = await hearing(() => promo('vouchers', 'list', '--limit', '100', '--csv'))
  const asked = await hearing(() => promo('vouchers', 'list', '--limit', '100', '--csv', '--columns', 'code,state'))

  expect(table.sent.filter(({ path }) => path.startsWith('/v1/campaigns/'))).toHaveLength(1)
  expect(csv.sent.map(({ path }) => path)).toEqual(['/v1/vouchers'])
  expect(csv.result.lines[0]).not.toContain('state')
  expect(asked.sent.filter(({ path }) => path.startsWith('/v1/campaigns/'))).toHaveLength(1)
  expect(asked.result.lines[1]).toMatch(/^[^,]+,on$/)
})

test('a voucher that is off is explained as that, with its campaign', async () => {
  const promo = shop()
  await promo('vouchers', 'disable', 'GIFT-001')

  const { stdout } = await promo('validate', 'redeemables', 'GIFT-001', '--amount', '1000', '--explain')

  expect(stdout).toContain('\n  it is off (voucher_disabled)\n')
})

test('a key that may not read campaigns is told once, and the own state is shown', async () => {
  const sandbox = await startedSandbox()
  const { app_id, app_token } = sandbox.credentials
  const env = { PROMO_BASE_URL: sandbox.url, PROMO_APP_ID: app_id, PROMO_APP_TOKEN: app_token }
  const { stdout: token } = await promo('token create --scope vouchers --raw', { env })

  const { stdout, stderr } = await promo('vouchers list --columns state --no-header', {
    env: { PROMO_BASE_URL: sandbox.url, PROMO_ACCESS_TOKEN: token.trim() },
  })

  await sandbox.close()
  expect(stdout).toMatch(/^(on *\n)+$/)
  expect(stderr.match(/warning: whether campaigns are paused or over is not shown: /g)).toHaveLength(1)
})

test.each([
  [{ active: false }, undefined, 'off'],
  [{ active: true, expiration_date: '2026-11-01T00:00:00.000Z' }, { active: false }, 'expired'],
  [{ active: true, start_date: '2027-01-31T00:00:00.000Z' }, undefined, 'not before 31 Jan 2027'],
  [
    { active: true, expiration_date: '2027-01-01T00:00:00.000Z' },
    { expiration_date: '2026-11-01T00:00:00.000Z' },
    'on',
  ],
  [{}, {}, 'on'],
])('the voucher %j of the campaign %j is "%s"', (voucher, campaign, state) => {
  expect(voucherState(voucher, campaign, now)).toBe(state)
})

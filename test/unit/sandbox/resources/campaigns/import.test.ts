import { expect, test } from 'vitest'
import { club, coupons, gifts } from '../../../../support/campaigns.ts'
import { ended, upload } from '../../../../support/rows.ts'
import { type TestSandbox, testSandbox } from '../../../../support/sandbox.ts'

const percent = { type: 'DISCOUNT_VOUCHER', discount: { type: 'PERCENT', percent_off: 20 } }
const fixture = {
  campaigns: [
    { ...coupons('Spring'), id: 'camp_spring', type: 'AUTO_UPDATE', expiration_date: '2027-01-01', voucher: percent },
    { ...gifts('Gifts'), id: 'camp_gifts' },
    { ...club('Club'), id: 'camp_club' },
    { id: 'camp_promo', name: 'Promo', campaign_type: 'PROMOTION' },
  ],
  vouchers: [{ code: 'OLD', type: 'DISCOUNT_VOUCHER', discount: { type: 'AMOUNT', amount_off: 100 } }],
}
const importing = ({ call }: TestSandbox, campaign: string, file: string) =>
  call('POST', `/v1/campaigns/${campaign}/importCSV`, upload(file))

test('codes of a list get what their campaign gives its codes, and say what differs', async () => {
  const sandbox = testSandbox({ fixture })
  const { post, ask, events } = sandbox

  const off = { active: false, metadata: { x: 1 } }
  const answer = post('/v1/campaigns/Spring/import', [
    { code: 'A' },
    { code: 'B', ...off },
    { code: 'C', start_date: 'soon' },
  ])
  const action = await ended(sandbox, answer)

  expect(answer.status).toBe(202)
  const result = { done_count: 2, failed_count: 1, failed: [{ code: 'C', row: 3 }] }
  expect(action).toMatchObject({ type: 'CAMPAIGN.VOUCHERS_IMPORT', result })
  const dates = { expiration_date: '2027-01-01T00:00:00.000Z', active: true }
  ask('GET /v1/vouchers/A', { campaign_id: 'camp_spring', discount: percent.discount, ...dates })
  ask('GET /v1/vouchers/B', off)
  expect(events()).toEqual([['campaign.vouchers.added', 'camp_spring']])
})

test.each([
  ['codes that exist', [{ code: 'OLD' }, { code: 'A' }], 'duplicate_key', '1 voucher codes(s) already exist.'],
  ['codes that it names twice', [{ code: 'A' }, { code: 'A' }], 'duplicate_key', '1 voucher codes(s) already exist.'],
  ['rows without a code', [{ active: true }], 'invalid_voucher', "Each voucher should have required property 'code'"],
])('a list with %s is refused as a whole', (_, body, key, details) => {
  const { ask } = testSandbox({ fixture })

  ask('POST /v1/campaigns/Spring/import', body, { key, details })
  ask('GET /v1/async-actions', { async_actions: [] })
})

test('a list for an unknown campaign is a 404, and a promotion has no codes to import', () => {
  const sandbox = testSandbox({ fixture })

  expect(importing(sandbox, 'none', 'Code\nA\n')).toMatchObject({ status: 404, body: { resource_type: 'campaign' } })
  sandbox.ask('POST /v1/campaigns/Promo/import', [{ code: 'A' }], 'invalid_campaign')
})

test('discount, dates and limits are those of the campaign, and columns that say otherwise are metadata', async () => {
  const sandbox = testSandbox({ fixture })
  const others = {
    'Voucher Type': 'GIFT_VOUCHER',
    'Discount Type': 'AMOUNT',
    Value: '15',
    'Start Date': '2026-01-01',
    'Expiration Date': '2030-01-01',
    'Redemption Limit': '3',
    'Additional Info': 'note',
    own: 'mine',
  }
  const file = [
    ['Code', 'Active', 'category', ...Object.keys(others)],
    ['A', 'FALSE', 'no such category', ...Object.values(others)],
    ['B', '', '', ...Object.values(others).map(() => '')],
    ['OLD', '', '', ...Object.values(others)],
  ]

  const answer = importing(sandbox, 'camp_spring', file.map((cells) => cells.join()).join('\n'))
  const action = await ended(sandbox, answer)

  expect(answer.status).toBe(200)
  expect(action).toMatchObject({ type: 'CAMPAIGN.VOUCHERS_IMPORT_CSV', result: { done_count: 2, failed_count: 1 } })
  expect(action.result.failed).toEqual([{ code: 'OLD', row: 4, reason: 'Duplicated voucher exists with id OLD' }])
  const dates = { start_date: null, expiration_date: '2027-01-01T00:00:00.000Z' }
  const own = { ...percent, ...dates, redemption: { quantity: null }, additional_info: null }
  const vouchers = [
    { ...own, code: 'A', active: false, category: 'no such category', metadata: others },
    { ...own, code: 'B', active: true, metadata: {} },
  ]
  sandbox.ask('GET /v1/vouchers?campaign_id=camp_spring&order=code', { vouchers })
})

test('gift and loyalty cards of a file have values of their own', async () => {
  const sandbox = testSandbox({ fixture })
  const { ask } = sandbox

  await ended(sandbox, importing(sandbox, 'camp_gifts', 'Code,Gift Amount,Redeemed Amount\nG1,25,10.50\nG2,,\n'))
  await ended(sandbox, importing(sandbox, 'camp_club', 'Code,Loyalty Points\nL1,70\nL2,\n'))

  ask('GET /v1/vouchers/G1', { gift: { amount: 2500, balance: 1450 } })
  ask('GET /v1/vouchers/G2', { gift: { amount: 5000, balance: 5000 } })
  ask('GET /v1/vouchers/L1', { loyalty_card: { points: 70, balance: 70 } })
  ask('GET /v1/vouchers/L2', { loyalty_card: { points: 10, balance: 10 } })
})

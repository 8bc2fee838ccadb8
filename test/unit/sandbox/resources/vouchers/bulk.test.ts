import { expect, test } from 'vitest'
import { ended, reportOf, upload } from '../../../../support/rows.ts'
import { testSandbox } from '../../../../support/sandbox.ts'

const coupon = (code: string, more: Record<string, unknown> = {}) => ({
  code,
  type: 'DISCOUNT_VOUCHER',
  discount: { type: 'AMOUNT', amount_off: 100 },
  ...more,
})
const two = { vouchers: [coupon('A', { metadata: { a: 1, b: 2 } }), coupon('B')] }

test('each voucher of an update in bulk gets its own metadata, and an unknown code is not created', async () => {
  const sandbox = testSandbox({ fixture: two })
  const { post, ask, events } = sandbox

  const answer = post('/v1/vouchers/bulk/async', [
    { code: 'A', metadata: { b: 3 } },
    { code: 'NEW', metadata: { b: 3 } },
    { code: 'B', metadata: 'none' },
  ])
  const action = await ended(sandbox, answer)

  expect(answer.status).toBe(202)
  const result = { done_count: 1, failed_count: 2 }
  expect(action).toMatchObject({ type: 'VOUCHERS.BULK_UPDATE', operation_status: 'FAILED', result })
  expect(await reportOf(sandbox, action)).toBe(
    'code,row,found,updated,reason\nA,1,true,true,\nNEW,2,false,false,\nB,3,false,false,Property .metadata must be object\n',
  )
  expect(ask('GET /v1/vouchers/A').metadata).toEqual({ a: 1, b: 3 })
  ask('GET /v1/vouchers/NEW', 'not_found')
  expect(events()).toEqual([])
})

test('the older updates of vouchers work at once, say what became of each row, and change all rows or none', () => {
  const properties = { a: { type: 'number', optional: true }, b: { type: 'number', optional: true } }
  const metadata_schemas = [{ related_object: 'voucher', properties }]
  const { ask } = testSandbox({ fixture: { ...two, metadata_schemas } })
  const rows = (...list: [code: string, b: unknown][]) => list.map(([code, b]) => ({ code, metadata: { b } }))
  const became = (code: string, found = true) => ({ code, found, updated: found })
  const metadataOf = (code: string) => ask(`GET /v1/vouchers/${code}`).metadata

  expect(ask('POST /v1/vouchers/bulk', rows(['A', 3], ['NEW', 3]), 200)).toEqual([became('A'), became('NEW', false)])
  const same = { codes: ['B', 'A'], metadata: { a: 5 } }
  expect(ask('POST /v1/vouchers/metadata', same)).toEqual([became('B'), became('A')])
  ask('POST /v1/vouchers/bulk', rows(['A', 4], ['B', 'four']), 400)
  const details = 'Property .codes must NOT have more than 100 items'
  ask('POST /v1/vouchers/metadata', { codes: Array(101).fill('A'), metadata: {} }, { code: 400, details })
  expect([metadataOf('A'), metadataOf('B')]).toEqual([{ a: 5, b: 3 }, { a: 5 }])
})

test('many vouchers get the same metadata, if the schema allows it', async () => {
  const properties = { a: { type: 'number' }, b: { type: 'number', optional: true } }
  const sandbox = testSandbox({ fixture: { ...two, metadata_schemas: [{ related_object: 'voucher', properties }] } })

  const answer = sandbox.post('/v1/vouchers/metadata/async', { codes: ['A', 'B'], metadata: { b: 7 } })
  const action = await ended(sandbox, answer)

  expect(action).toMatchObject({ type: 'VOUCHERS.METADATA_UPDATE', result: { done_count: 1, failed_count: 1 } })
  expect(['A', 'B'].map((code) => sandbox.ask(`GET /v1/vouchers/${code}`).metadata)).toEqual([{ a: 1, b: 7 }, {}])
})

test.each([
  ['bulk/async', { code: 'A' }, 'Payload must be array,null'],
  ['metadata/async', { codes: 'A' }, 'Property .codes must be array,null'],
  ['metadata/async', { codes: ['A'], metadata: 'x' }, 'Property .metadata must be object,null'],
  ['import', { code: 'A' }, 'Payload must be array'],
  ['import', undefined, 'Payload must be array'],
  ['bulk/async', Array(100_001).fill(0), 'Payload must NOT have more than 100000 items'],
])('%s refuses a body: $2', (path, body, details) =>
  testSandbox().ask(`POST /v1/vouchers/${path}`, body, { key: 'invalid_payload', details }),
)

test('vouchers are imported from JSON without events, and taken codes fail alone', async () => {
  const sandbox = testSandbox({ fixture: two })
  const { post, ask, events } = sandbox
  const given = { category: 'unknown', redemption: { quantity: 3 }, metadata: { x: 1 } }

  const answer = post('/v1/vouchers/import', [
    coupon('A'),
    coupon('C', { ...given, ignored: true }),
    { code: 'G', type: 'GIFT_VOUCHER', gift: { amount: 500 } },
    { type: 'GIFT_VOUCHER', gift: { amount: 500 } },
  ])
  const action = await ended(sandbox, answer)

  expect(answer.status).toBe(202)
  expect(action).toMatchObject({ type: 'VOUCHERS.IMPORT', status: 'DONE', operation_status: 'FAILED' })
  expect(action.result).toEqual({
    message: '2 voucher(s) imported successfully, 2 failed.',
    done_count: 2,
    failed_count: 2,
    failed: [
      { code: 'A', row: 1, reason: 'Duplicated voucher exists with id A' },
      { code: null, row: 4, reason: "Payload must have required property 'code'" },
    ],
  })
  ask('GET /v1/vouchers/C', given)
  ask('GET /v1/vouchers/G', { gift: { amount: 500, balance: 500 } })
  expect(events()).toEqual([])
})

const list = [
  'Code,Voucher Type,Value,Discount Type,Category,Start Date,Expiration Date,Redemption Limit,Redeemed Quantity,Redeemed Amount,Active,Additional Info,team',
  'TEN,DISCOUNT_VOUCHER,10,AMOUNT,sale,2026-01-01,2027-01-01T00:00:00Z,5,2,,TRUE,hello,blue',
  'PCT,DISCOUNT_VOUCHER,12.5,PERCENT,,,,,,,false,,',
  'GIFT,GIFT_VOUCHER,100,,,,,,1,25.50,,,',
  'BAD,DISCOUNT_VOUCHER,10,UNIT,,,,,,,,,',
  'LATE,DISCOUNT_VOUCHER,10,AMOUNT,,tomorrow,,,,,,,',
].join('\n')

test('vouchers are imported from a file, with amounts in major units', async () => {
  const sandbox = testSandbox()
  const { call, ask, events } = sandbox

  const answer = call('POST', '/v1/vouchers/importCSV', upload(list))
  const action = await ended(sandbox, answer)

  expect(answer.status).toBe(202)
  expect(action).toMatchObject({ type: 'VOUCHERS.IMPORT_CSV', result: { done_count: 3, failed_count: 2 } })
  expect(action.result.failed).toEqual([
    { code: 'BAD', row: 5, reason: 'Column Discount Type must be one of AMOUNT, PERCENT, FIXED' },
    { code: 'LATE', row: 6, reason: 'Property .start_date cannot be recognized as a ISO-8601 compliant date' },
  ])
  ask('GET /v1/vouchers/TEN', {
    discount: { type: 'AMOUNT', amount_off: 1000 },
    category: 'sale',
    start_date: '2026-01-01T00:00:00.000Z',
    expiration_date: '2027-01-01T00:00:00.000Z',
    redemption: { quantity: 5, redeemed_quantity: 2 },
    active: true,
    additional_info: 'hello',
    metadata: { team: 'blue' },
  })
  ask('GET /v1/vouchers/PCT', { active: false, discount: { type: 'PERCENT', percent_off: 12.5 } })
  const spent = { redeemed_quantity: 1, redeemed_amount: 2550 }
  ask('GET /v1/vouchers/GIFT', { gift: { amount: 10000, balance: 7450 }, redemption: spent })
  expect(events()).toEqual([])
})

test('a file changes vouchers that exist, and announces each only when it is asked to', async () => {
  const sandbox = testSandbox({ fixture: two })
  const { call, ask, events } = sandbox
  const file =
    'Code,Voucher Type,Value,Discount Type,Redemption Limit,team\nA,,2,AMOUNT,9,blue\nB,GIFT_VOUCHER,1,,,\nC,,1,AMOUNT,,\n'

  const action = await ended(sandbox, call('POST', '/v1/vouchers/importCSV', upload(file, { webhooks_enable: 'true' })))

  const failed = [{ code: 'B', row: 3, reason: 'The voucher exists as a DISCOUNT_VOUCHER' }]
  expect(action.result).toMatchObject({ done_count: 2, failed })
  const metadata = { a: 1, b: 2, team: 'blue' }
  ask('GET /v1/vouchers/A', { discount: { amount_off: 200 }, redemption: { quantity: 9 }, metadata })
  expect(events().map(([type]) => type)).toEqual(['voucher.updated', 'voucher.created'])
})

test('the report of an update needs its token, and is gone after a week', async () => {
  const sandbox = testSandbox({ fixture: two })
  const { post, get, clock } = sandbox
  const answer = post('/v1/vouchers/metadata/async', { codes: ['A'], metadata: { b: 7 } })
  const action = await ended(sandbox, answer)
  const { pathname, search } = new URL(action.result.reports[0])

  expect(get(pathname, 'token=guess')).toMatchObject({ status: 401, body: { key: 'unauthorized' } })
  expect(get(pathname).status).toBe(401)
  expect(JSON.stringify(get('/v1/async-actions').body)).not.toContain('token')
  expect(action).not.toHaveProperty('report_token')
  clock.now = '2026-05-13T07:08:09.124Z'
  expect(get(pathname, search.slice(1)).status).toBe(404)
  expect(get(`/v1/async-actions/${action.id}`).body.result.reports).toEqual([])
})

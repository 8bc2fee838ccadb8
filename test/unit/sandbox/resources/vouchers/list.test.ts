import { expect, test } from 'vitest'
import { testSandbox } from '../../../../support/sandbox.ts'

const day = (n: number) => `2026-04-0${n}T00:00:00.000Z`
const off = { type: 'DISCOUNT_VOUCHER', discount: { type: 'AMOUNT', amount_off: 1 } }
const held = { created_at: day(3), updated_at: day(4), expiration_date: day(9) }
const twoOfFive = { quantity: 5, redeemed_quantity: 2 }

const fixture = {
  campaigns: [
    { id: 'camp_1', name: 'Spring', campaign_type: 'DISCOUNT_COUPONS', type: 'STATIC', active: true, metadata: {} },
  ],
  customers: [{ id: 'cust_1', source_id: 'ada@example.com', metadata: {} }],
  vouchers: [
    { id: 'v_1', code: 'C', ...off, created_at: day(1), updated_at: day(5), metadata: { seq: 7, vip: true } },
    { id: 'v_2', code: 'A', ...off, created_at: day(2), campaign: 'Spring', category: 'Late', active: false },
    { id: 'v_3', code: 'B/x', ...off, holder_id: 'cust_1', ...held },
    { id: 'v_4', code: 'b', ...off, created_at: day(4), redemption: twoOfFive, metadata: { seq: 'x"y', 'a.b': 'dot' } },
    { id: 'v_5', code: 'GIFT', gift: { amount: 10 }, created_at: day(4), start_date: '2026-06-01' },
  ],
}

function codes(query: string): string[] {
  const { body } = testSandbox({ fixture }).get('/v1/vouchers', query.replaceAll('$', '%24'))
  return body.vouchers.map((voucher: { code: string }) => voucher.code)
}

test('an empty project lists nothing in the full envelope, and one voucher as it is read', () => {
  const { ask } = testSandbox()
  const list = (...vouchers: object[]) => ({ object: 'list', data_ref: 'vouchers', vouchers, total: vouchers.length })

  expect(ask('GET /v1/vouchers')).toEqual(list())
  ask('POST /v1/vouchers/A', off)
  expect(ask('GET /v1/vouchers')).toEqual(list(ask('GET /v1/vouchers/A')))
})

test.each([
  ['', ['GIFT', 'b', 'B/x', 'A', 'C']],
  ['order=created_at', ['C', 'A', 'B/x', 'b', 'GIFT']],
  ['order=-created_at', ['GIFT', 'b', 'B/x', 'A', 'C']],
  ['order=updated_at', ['A', 'b', 'GIFT', 'B/x', 'C']],
  ['order=-updated_at', ['C', 'B/x', 'GIFT', 'b', 'A']],
  ['order=code', ['A', 'B/x', 'C', 'GIFT', 'b']],
  ['order=-code', ['b', 'GIFT', 'C', 'B/x', 'A']],
])(
  'vouchers are listed newest first, of two equally old ones the later id, or in the order that is asked for: %s',
  (query, expected) => {
    expect(codes(query)).toEqual(expected)
  },
)

test('ten are listed unless a limit says otherwise, pages are contiguous, and the total counts all matches', () => {
  const { ask } = testSandbox({ demo: true })
  const listed = (query: string, total = 1040) => ask(`GET /v1/vouchers?${query}`, { total }).vouchers

  expect(listed('')).toHaveLength(10)
  expect([1, 2, 3].flatMap((page) => listed(`limit=4&page=${page}`))).toEqual(listed('limit=12'))
  expect(listed('limit=1&filters[code][conditions][%24starts_with]=SPRING-', 1000)).toHaveLength(1)
})

test('a page after the last is empty and still has the total', () =>
  testSandbox({ fixture }).ask('GET /v1/vouchers?page=99', { vouchers: [], total: 5 }))

const filter = (field: string, rest: string) => `filters[${field}][conditions]${rest}`
const ofFilter = (field: string) => `Property .filters.${field}.conditions`

test.each([
  ['limit=0', 'Property .limit must be >= 1'],
  ['limit=101', 'Property .limit must be <= 100'],
  ['limit=ten', 'Property .limit must be number'],
  ['limit=1.5', 'Property .limit must be integer'],
  ['limit=', 'Property .limit must be number'],
  ['page=100', 'Property .page must be <= 99'],
  ['created_at[after]=soon', 'Property .created_at.after cannot be recognized as a ISO-8601 compliant date'],
  ['created_at=2026-01-01', 'Property .created_at must be object'],
  ['code=a&code[b]=c', 'Property code[b] is given both as a value and as an object'],
  [
    filter('colour', '[$is]=red'),
    expect.stringContaining('Property .filters.colour is not a field that vouchers can be filtered by: '),
  ],
  [filter('code', '[$is_days_ago]=1'), `${ofFilter('code')}.$is_days_ago is not an operator of this field`],
  [
    filter('created_at', '[$after]=soon'),
    `${ofFilter('created_at')}.$after cannot be recognized as a ISO-8601 compliant date`,
  ],
  [filter('created_at', '[$more_than]=x'), `${ofFilter('created_at')}.$more_than must be number`],
  [filter('redemption.quantity', '[$is]=x'), `${ofFilter('redemption.quantity')}.$is must be number`],
  [filter('code', '=x'), `${ofFilter('code')} must be object`],
  ['filters[code]=x', `${ofFilter('code')} must be object`],
  [`filters[junction]=xor&${filter('code', '[$is]=A')}`, 'Property .filters.junction must be one of and, or'],
])('the query %s is refused with 400', (query, details) => {
  const error = { key: 'invalid_query_params', message: 'Invalid query params', details }
  testSandbox({ fixture }).ask(`GET /v1/vouchers?${query.replaceAll('$', '%24')}`, error)
})

test.each<[string, string[]]>([
  ['campaign=Spring', ['A']],
  ['campaign_id=camp_1', ['A']],
  ['campaign=Nobody', []],
  ['category=Late', ['A']],
  ['customer=ada%40example.com', ['B/x']],
  ['customer=cust_1', ['B/x']],
  ['customer=nobody', []],
  ['code=B%2Fx', ['B/x']],
  ['ids[]=v_1&ids[]=v_3&ids[]=v_x', ['B/x', 'C']],
  ['ids[0]=v_1&ids[1]=v_3', ['B/x', 'C']],
  ['ids=v_1', ['C']],
  [`created_at[after]=${day(2)}&created_at[before]=${day(4)}`, ['B/x']],
  ['[created_at][after]=2026-04-03', ['GIFT', 'b']],
  [`updated_at[before]=${day(5)}`, ['B/x']],
  ['nothing=known', ['GIFT', 'b', 'B/x', 'A', 'C']],
])('a listing restricted by %s', (query, expected) => {
  expect(codes(query)).toEqual(expected)
})

test.each<[string, string[]]>([
  [filter('code', '[$is]=A'), ['A']],
  [filter('code', '[$is][0]=A'), ['A']],
  [filter('code', '[$is_not]=A'), ['GIFT', 'b', 'B/x', 'C']],
  [`${filter('code', '[$in][0]=A')}&${filter('code', '[$in][1]=b')}`, ['b', 'A']],
  [`${filter('code', '[$not_in][]=A')}&${filter('code', '[$not_in][]=b')}`, ['GIFT', 'B/x', 'C']],
  [filter('code', '[$starts_with]=B'), ['B/x']],
  [filter('code', '[$ends_with]=x'), ['B/x']],
  [filter('code', '[$ends_with]='), ['GIFT', 'b', 'B/x', 'A', 'C']],
  [filter('code', '[$contains]=%2F'), ['B/x']],
  [filter('code', '[$contains]=%25'), []],
  [filter('code', '[$not_contain]=%2F'), ['GIFT', 'b', 'A', 'C']],
  [filter('category', '[$has_value]='), ['A']],
  [filter('category', '[$is_unknown]='), ['GIFT', 'b', 'B/x', 'C']],
  [filter('category', '[$is_not]=Late'), ['GIFT', 'b', 'B/x', 'C']],
  [filter('type', '[$is]=GIFT_VOUCHER'), ['GIFT']],
  [filter('created_at', `[$after]=${day(3)}`), ['GIFT', 'b']],
  [filter('created_at', '[$before]=2026-04-02'), ['C']],
  [filter('created_at', '[$more_than]=33'), ['B/x', 'A', 'C']],
  [filter('created_at', '[$less_than]=33'), ['GIFT', 'b']],
  [filter('created_at', '[$is_days_ago]=34'), ['A']],
  [filter('updated_at', '[$is_unknown]='), ['GIFT', 'b', 'A']],
  [filter('start_date', '[$more_than_future]=20'), ['GIFT']],
  [filter('start_date', '[$less_than]=60'), []],
  [filter('redemption.redeemed_quantity', '[$is]=0'), ['GIFT', 'B/x', 'A', 'C']],
  [filter('redemption.redeemed_quantity', '[$more_than_equal]=2'), ['b']],
  [filter('is_referral_code', '[$is]=true'), []],
  [filter('is_referral_code', '[$is]=false'), ['GIFT', 'b', 'B/x', 'A', 'C']],
  [filter('metadata.seq', '[$is]=7'), ['C']],
  [filter('metadata.seq', '[$is]=x"y'), ['b']],
  [filter('metadata.seq', '[$has_value]='), ['b', 'C']],
  [filter('metadata.seq', '[$more_than]=6'), ['C']],
  [filter('metadata.seq', '[$less_than]=8'), ['C']],
  [filter('metadata.seq', '[$less_than_equal]=0'), []],
  [filter('metadata.vip', '[$is]=true'), ['C']],
  [filter('metadata.vip', '[$more_than_equal]=0'), []],
  [filter('metadata.a.b', '[$is]=dot'), ['b']],
  [filter(`metadata.x' OR 1%3D1 --`, '[$is]=1'), []],
  [filter('active', '[$enabled]=true'), ['GIFT', 'b', 'B/x', 'C']],
  [filter('active', '[$disabled]='), ['A']],
  [filter('active', '[$expired]=true'), ['B/x']],
  [filter('active', '[$active]=true'), ['b', 'C']],
  [filter('active', '[$active]={}'), ['b', 'C']],
  [
    `filters[junction]=or&${filter('code', '[$is]=A')}&${filter('category', '[$is_unknown]=')}`,
    ['GIFT', 'b', 'B/x', 'A', 'C'],
  ],
  [`filters[junction]=OR&${filter('code', '[$is]=A')}&${filter('type', '[$is]=GIFT_VOUCHER')}`, ['GIFT', 'A']],
  [`filters[junction]=and&${filter('code', '[$is]=A')}&${filter('type', '[$is]=GIFT_VOUCHER')}`, []],
])('a listing filtered by %s', (query, expected) => {
  expect(codes(query)).toEqual(expected)
})

test.each([
  ['active', '$enabled', 'false'],
  ['active', '$disabled', '0'],
  ['category', '$has_value', 'false'],
  ['category', '$is_unknown', 'no'],
])(
  'a filter on %s by %s is refused with the value %s, because it would find the opposite',
  (field, operator, value) => {
    const error = { key: 'invalid_query_params', details: `${ofFilter(field)}.${operator} must be true` }
    testSandbox({ fixture }).ask(`GET /v1/vouchers?${filter(field, `[${operator}]=${value}`)}`, error)
  },
)

test.each([
  ['filters[campaign_ids][conditions][$in][0]=camp_1', ['A']],
  ['filters[junction]=OR&filters[campaign_ids][conditions][$in][0]=none&filters[code][conditions][$is]=C', ['C']],
  ['filters[junction]=AND&filters[code][conditions][$is]=C', ['C']],
])('vouchers are found by %s', (query, expected) => {
  expect(codes(query)).toEqual(expected)
})

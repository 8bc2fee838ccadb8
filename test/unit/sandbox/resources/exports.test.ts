import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { type ExportKind, exportFields } from '../../../../src/sandbox/resources/exports/columns.ts'
import { exportKinds } from '../../../../src/sandbox/resources/exports/kinds.ts'
import { clubWith, emptyCard, freeCard } from '../../../support/loyalty.ts'
import { startTestSandbox, type TestSandbox } from '../../../support/sandbox.ts'

/** The file of an export by its id, read through the address that the export shows. */
function fileOf({ call }: Pick<TestSandbox, 'call'>, id: string): string {
  const { url } = call('GET', `/v1/exports/${id}`).body.result
  const address = new URL(url)
  const { status, headers, body } = call('GET', address.pathname, {
    query: address.search.slice(1),
    headers: { 'x-app-id': undefined, 'x-app-token': undefined },
  })
  expect(status).toBe(200)
  expect(headers['content-type']).toBe('text/plain; charset=utf-8')
  return [...body].join('')
}

/** Starts an export, waits until it is written and reads its file. */
async function exported(sandbox: TestSandbox, path: string, body?: unknown): Promise<string> {
  const answer = sandbox.call('POST', path, body === undefined ? {} : { body })
  expect(answer.status).toBe(200)
  await sandbox.settled()
  expect(sandbox.reports).toEqual([])
  return fileOf(sandbox, answer.body.id)
}

const cardPath = '/v1/loyalties/members/A/transactions/export'

test('an export of a card is created as scheduled, with the code of the card among its filters', () => {
  const { post } = clubWith(['A'])

  const { status, body } = post(cardPath, { parameters: { order: '-created_at', fields: ['id', 'amount'] } })

  expect(status).toBe(200)
  expect(body).toEqual({
    id: expect.stringMatching(/^exp_/),
    object: 'export',
    created_at: '2026-05-06T07:08:09.123Z',
    status: 'SCHEDULED',
    channel: 'API',
    exported_object: 'voucher_transactions',
    parameters: {
      order: '-created_at',
      fields: ['id', 'amount'],
      filters: { voucher_id: { conditions: { $in: ['A'] } } },
    },
    result: null,
    user_id: null,
  })
})

test('without a body the parameters are the filter alone, also when the card is named by its id', () => {
  const { post } = clubWith(['A'])
  const filters = { voucher_id: { conditions: { $in: ['A'] } } }

  expect(post(cardPath).body.parameters).toEqual({ filters })
  expect(post('/v1/loyalties/camp_club/members/v_A/transactions/export').body.parameters).toEqual({ filters })
  expect(post('/v1/vouchers/A/transactions/export').body.parameters).toEqual({ filters })
})

test('an export is scheduled, then in progress, then done, and only then has a file', async () => {
  const { post, get, give, settled, store } = clubWith(['A'])
  give('A', 5)
  const { id } = post(cardPath).body
  const { token } = JSON.parse(store.db.get<{ doc: string }>('SELECT doc FROM exports')?.doc ?? '')
  const early = get(`/download/v1/exports/${id}`, `token=${token}`)

  const working = settled()
  const { status, result } = get(`/v1/exports/${id}`).body
  await working

  expect(early.status).toBe(404)
  expect({ status, result }).toEqual({ status: 'IN_PROGRESS', result: null })
  expect(get(`/v1/exports/${id}`).body).toMatchObject({
    status: 'DONE',
    result: {
      url: expect.stringMatching(new RegExp(`^http://localhost/download/v1/exports/${id}\\?token=[0-9a-f]{48}$`)),
    },
  })
})

test('the file has the requested fields, in their order, quoted as CSV requires', async () => {
  const sandbox = clubWith(['GOLD/1 ☕', 'B'])
  sandbox.give('GOLD/1 ☕', 10, { reason: 'He said "sorry",\nthen left' })
  sandbox.give('GOLD/1 ☕', -3, { source_id: '=1+1' })
  sandbox.give('B', 99)

  const text = await exported(sandbox, `/v1/loyalties/members/${encodeURIComponent('GOLD/1 ☕')}/transactions/export`, {
    parameters: { fields: ['amount', 'balance', 'reason', 'source_id', 'voucher_id', 'created_at', 'source'] },
  })

  expect(text).toBe(
    [
      'Amount,Balance,Reason,Source ID,Voucher ID,Created At,Source',
      '10,10,"He said ""sorry"",\nthen left",,v_GOLD/1 ☕,2026-05-06T07:08:09.123Z,',
      '-3,7,,=1+1,v_GOLD/1 ☕,2026-05-06T07:08:09.123Z,',
      '',
    ].join('\n'),
  )
})

test('details are JSON in one cell', async () => {
  const sandbox = clubWith(['A'])
  sandbox.give('A', 1)

  const text = await exported(sandbox, cardPath, { parameters: { fields: ['details', 'related_transaction_id'] } })

  expect(text).toMatch(/^Details,Related Transaction ID\n"\{""balance"":\{""type"":""loyalty_card"",.*\}",\n$/)
})

test.each([
  ['created_at', ['5', '-2', '7']],
  ['-created_at', ['7', '-2', '5']],
  ['amount', ['-2', '5', '7']],
  ['-balance', ['7', '5', '-2']],
  ['reason', ['5', '7', '-2']],
  ['-reason', ['-2', '7', '5']],
])('rows are ordered by %s', async (order, amounts) => {
  const sandbox = clubWith(['A'])
  for (const [points, reason, day] of [
    [5, undefined, '07'],
    [-2, 'b', '08'],
    [7, 'a', '09'],
  ] as const) {
    sandbox.clock.now = `2026-05-${day}T00:00:00.000Z`
    sandbox.give('A', points, reason === undefined ? {} : { reason })
  }

  const text = await exported(sandbox, cardPath, { parameters: { order, fields: ['amount'] } })

  expect(text.trimEnd().split('\n').slice(1)).toEqual(amounts)
})

test.each(['reason', '-reason', 'created_at', '-created_at', 'id', '-amount'])(
  'an export of more rows than are read at once has each of them once, ordered by %s',
  async (order) => {
    const rows = Array.from({ length: 2500 }, (_, n) => ({
      id: `vtx_${String(n).padStart(5, '0')}`,
      voucher_id: 'v_A',
      campaign_id: 'camp_club',
      source_id: null,
      source: null,
      reason: n % 2 === 0 ? null : `r${n % 7}`,
      type: 'POINTS_ADDITION',
      details: { balance: { points: n % 5, balance: n, total: n, object: 'balance' } },
      related_transaction_id: null,
      created_at: `2026-05-01T00:00:0${n % 10}.000Z`,
    }))
    const sandbox = clubWith(['A'], { loyalty_transactions: rows })

    const text = await exported(sandbox, '/v1/loyalties/camp_club/transactions/export', {
      parameters: { order, fields: ['id', 'reason', 'created_at', 'amount'] },
    })
    const lines = text.trimEnd().split('\n').slice(1)
    const column = ['id', 'reason', 'created_at', 'amount'].indexOf(order.replace('-', ''))
    const values = lines.map((line) => line.split(',')[column] as string)
    const sign = order.startsWith('-') ? -1 : 1

    expect(new Set(lines.map((line) => line.split(',')[0])).size).toBe(2500)
    expect(values).toEqual(values.toSorted((a, b) => sign * (a < b ? -1 : a > b ? 1 : 0)))
  },
)

test('filters of the request restrict further and cannot include other cards', async () => {
  const sandbox = clubWith(['A', 'B'])
  sandbox.give('A', 1)
  sandbox.give('B', 2)
  sandbox.clock.now = '2026-06-01T00:00:00.000Z'
  sandbox.give('A', 3)
  const amounts = async (filters: unknown) =>
    (await exported(sandbox, cardPath, { parameters: { fields: ['amount'], filters } })).split('\n').slice(1, -1)

  expect(await amounts({ created_at: { conditions: { $after: ['2026-05-20'] } } })).toEqual(['3'])
  expect(await amounts({ voucher_id: { conditions: { $in: ['B'] } } })).toEqual(['1', '3'])
  expect(await amounts({ junction: 'or', campaign_id: { conditions: { $is: ['camp_club'] } } })).toEqual(['1', '3'])
})

test('an export by campaign says how its filters are joined, also when the request does not', () => {
  const { post } = clubWith(['A'])
  const filters = (body?: unknown) => post('/v1/campaigns/camp_club/transactions/export', body).body.parameters.filters

  expect(filters()).toEqual({ junction: 'AND', campaign_id: { conditions: { $in: ['camp_club'] } } })
  expect(filters({ parameters: { filters: { junction: 'OR' } } })).toMatchObject({ junction: 'OR' })
})

test('a filter by card does not cancel others', async () => {
  const sandbox = clubWith(['A'])
  sandbox.give('A', 1)
  sandbox.clock.now = '2026-06-01T00:00:00.000Z'
  sandbox.give('A', 3)
  const filters = {
    junction: 'or',
    voucher_id: { conditions: { $in: ['A'] } },
    created_at: { conditions: { $after: ['2026-05-20'] } },
  }

  expect(await exported(sandbox, cardPath, { parameters: { fields: ['amount'], filters } })).toBe('Amount\n3\n')
})

test('days ago are counted from the request, however late the file is written', async () => {
  const sandbox = clubWith(['A'])
  sandbox.give('A', 1)
  sandbox.clock.now = '2026-05-08T00:00:00.000Z'
  const filters = { created_at: { conditions: { $less_than_ago: [3] } } }
  const { id } = sandbox.post(cardPath, { parameters: { fields: ['amount'], filters } }).body
  sandbox.clock.now = '2026-06-08T00:00:00.000Z'

  await sandbox.settled()

  expect(fileOf(sandbox, id)).toBe('Amount\n1\n')
})

test.each([undefined, { parameters: { fields: [] } }])(
  'without fields (%j) a file has the default ones',
  async (body) => {
    expect(await exported(clubWith(['A']), cardPath, body)).toBe(
      'ID,Type,Source ID,Reason,Source,Balance,Amount,Created At\n',
    )
  },
)

test('an export that is deleted while a slice is written leaves nothing stored', async () => {
  const sandbox = clubWith(['A'])
  const { id } = sandbox.post(cardPath).body

  const working = sandbox.settled()
  sandbox.del(`/v1/exports/${id}`)
  await working

  expect(sandbox.store.db.get('SELECT count(*) AS n FROM export_parts')).toMatchObject({ n: 0 })
  expect(sandbox.reports).toEqual([])
})

test('an export of a program has the transactions of all its cards and of no other program', async () => {
  const sandbox = clubWith([], { vouchers: [emptyCard('A'), emptyCard('B'), emptyCard('T', 'camp_other')] })
  for (const [code, points] of [
    ['A', 1],
    ['B', 2],
    ['T', 3],
  ] as const)
    sandbox.give(code, points)
  const body = { parameters: { fields: ['amount'] } }

  const text = await exported(sandbox, '/v1/loyalties/Bean%20Club%20%2F%20Gold/transactions/export', body)

  expect(text).toBe('Amount\n1\n2\n')
  expect(await exported(sandbox, '/v1/campaigns/camp_other/transactions/export', body)).toBe('Amount\n3\n')
})

test('credits of gift cards are exported in major units, together with points, by the codes of the cards', async () => {
  const sandbox = clubWith([], { vouchers: [emptyCard('A'), { code: 'G', gift: { amount: 5000 } }] })
  sandbox.give('A', 7)
  sandbox.post('/v1/vouchers/G/balance', { amount: -1234 })
  const body = (filters?: unknown) => ({
    exported_object: 'voucher_transactions',
    parameters: { fields: ['type', 'amount', 'balance'], ...(filters ? { filters } : {}) },
  })

  expect(await exported(sandbox, '/v1/exports', body())).toBe(
    'Type,Amount,Balance\nPOINTS_ADDITION,7,7\nCREDITS_REMOVAL,-12.34,37.66\n',
  )
  expect(await exported(sandbox, '/v1/exports', body({ voucher_id: { conditions: { $in: ['G'] } } }))).toBe(
    'Type,Amount,Balance\nCREDITS_REMOVAL,-12.34,37.66\n',
  )
})

test('vouchers are exported with labels for people and amounts in major units', async () => {
  const sandbox = clubWith([], {
    vouchers: [
      { code: 'AMOUNT', discount: { type: 'AMOUNT', amount_off: 2050 }, metadata: { wave: 1, 'a,b': true } },
      { code: 'PERCENT', discount: { type: 'PERCENT', percent_off: 12.5 }, validity_day_of_week: [1, 2, 3] },
      { code: 'GIFT', gift: { amount: 200_000 }, metadata: { wave: { n: 1 } } },
      emptyCard('CARD'),
    ],
  })
  const parameters = { order: 'code', fields: ['code', 'voucher_type', 'value', 'validity_day_of_week', 'metadata'] }

  const plain = await exported(sandbox, '/v1/exports', { exported_object: 'voucher' })
  const text = await exported(sandbox, '/v1/exports', { exported_object: 'voucher', parameters })

  expect(plain.split('\n')[0]).toBe('Code,Voucher Type,Value,Discount Type')
  expect(text).toBe(
    [
      'Code,Voucher Type,Value,Validity Day Of Week,"metadata.a,b",metadata.wave',
      'AMOUNT,DISCOUNT_VOUCHER,20.50,,true,1',
      'CARD,LOYALTY_CARD,0,,,',
      'GIFT,GIFT_VOUCHER,2000.00,,,"{""n"":1}"',
      'PERCENT,DISCOUNT_VOUCHER,12.5,"1,2,3",,',
      '',
    ].join('\n'),
  )
  const inClub = { exported_object: 'voucher', parameters: { campaign_id: 'Bean Club / Gold', fields: ['code'] } }
  expect(await exported(sandbox, '/v1/exports', inClub)).toBe('Code\nCARD\n')
})

test('publications are exported with customer and code', async () => {
  const sandbox = clubWith([], { vouchers: [freeCard('A')] })
  const { holder_id } = sandbox.post('/v1/loyalties/camp_club/members', {
    customer: { source_id: 'nia' },
    channel: 'till',
    metadata: { wave: 1 },
  }).body
  const fields = ['voucher_code', 'customer_id', 'customer_source_id', 'date', 'channel', 'campaign', 'metadata']

  expect(await exported(sandbox, '/v1/exports', { exported_object: 'publication', parameters: { fields } })).toBe(
    [
      'Voucher Code,Customer ID,Customer Source ID,Date,Channel,Campaign,metadata.wave',
      `A,${holder_id},nia,2026-05-06T07:08:09.123Z,till,Bean Club / Gold,1`,
      '',
    ].join('\n'),
  )
})

test('customers, orders, products and SKUs are exported with prices in major units', async () => {
  const dates = { created_at: '2026-01-01T00:00:00.000Z' }
  const sandbox = clubWith([], {
    customers: [
      { id: 'cust_1', source_id: 'ada', name: 'Ada, Countess', address: { city: 'London' }, metadata: {}, ...dates },
    ],
    orders: [{ id: 'ord_1', source_id: 'o-1', status: 'PAID', amount: 1999, customer_id: 'cust_1', ...dates }],
    products: [{ id: 'prod_1', source_id: 'p-1', name: 'Beans', price: 1250, ...dates }],
    skus: [{ id: 'sku_1', source_id: 's-1', product_id: 'prod_1', sku: '1 kg', price: 5, currency: 'EUR', ...dates }],
  })
  const file = (exported_object: string, fields: string[]) =>
    exported(sandbox, '/v1/exports', { exported_object, parameters: { fields } })

  expect(await file('customer', ['name', 'address_city', 'phone'])).toBe(
    'Name,Address City,Phone\n"Ada, Countess",London,\n',
  )
  expect(await file('order', ['id', 'amount', 'total_discount_amount', 'customer_id'])).toBe(
    'ID,Amount,Total Discount Amount,Customer ID\nord_1,19.99,,cust_1\n',
  )
  expect(await file('product', ['name', 'price', 'created_at'])).toBe(
    'Name,Price,Created At\nBeans,12.50,2026-01-01T00:00:00.000Z\n',
  )
  expect(await file('sku', ['sku', 'price', 'currency'])).toBe('SKU,Price,Currency\n1 kg,0.05,EUR\n')
})

const columnsPage = readFileSync('docs/service/exports.md', 'utf8').split('## Columns')[1] ?? ''
const documented = [...columnsPage.matchAll(/^\| `(\w+)` \| (`.*`) \|$/gm)].map(
  ([, kind = '', fields = '']) => [kind, [...fields.matchAll(/`(\w+)`/g)].map(([, name = '']) => name)] as const,
)

test.each(documented)('an export of a %s has every documented column, and no other', (kind, fields) => {
  expect(exportFields(exportKinds[kind] as ExportKind).toSorted()).toEqual(fields.toSorted())
})

const kindsPage = readFileSync('docs/service/exports.md', 'utf8').split('## Kinds')[1]?.split('## ')[0] ?? ''
const namesIn = (cell: string) => [...cell.matchAll(/`(\w+)`/g)].map(([, name = '']) => name)
const published = [...kindsPage.matchAll(/^\| `(\w+)` \| (`.*?) \| (.*?) \|/gm)].map(
  ([, kind = '', fields = '', orders = '']) => [kind, namesIn(fields), namesIn(orders)] as const,
)

test.each(published)(
  'an export of a %s has the columns of its published default, and the published orders, where they are asked for',
  (kind, fields, orders) => {
    for (const order of orders.flatMap((name) => [name, `-${name}`])) {
      const { status } = clubWith().post('/v1/exports', { exported_object: kind, parameters: { fields, order } })

      expect([order, status]).toEqual([order, 200])
    }
    expect([fields.length > 1, orders.length > 0]).toEqual([true, true])
  },
)

const sdkTypes = readFileSync('node_modules/@voucherify/sdk/dist/types/Exports.d.ts', 'utf8')
const inSdk = [...sdkTypes.matchAll(/type Export(\w+)Fields = (.*);/g)].map(
  ([, kind = '', names = '']) =>
    [
      kind.replaceAll(/(?<=[a-z])(?=[A-Z])/g, '_').toLowerCase(),
      [...names.matchAll(/'(\w+)'/g)].map(([, name = '']) => name),
    ] as const,
)

test.each(inSdk)('an export of a %s has every column that the published SDK names', (kind, names) => {
  // It has `birthdate` too; the published table has that alone.
  const others = names.filter((name) => name !== 'birthday')

  expect(exportFields(exportKinds[kind] as ExportKind)).toEqual(expect.arrayContaining(others))
})

test('vouchers are exported with the addresses of their pictures, and customers with what they redeemed, bought and hold', async () => {
  const sandbox = clubWith([], {
    customers: [{ id: 'cust_1', source_id: 'ada', metadata: {} }],
    vouchers: [
      emptyCard('CARD', 'camp_club', { holder_id: 'cust_1', loyalty_card: { points: 30 } }),
      { code: 'TEN', discount: { type: 'PERCENT', percent_off: 10 } },
    ],
  })
  const redeem = {
    redeemables: [{ object: 'voucher', id: 'TEN' }],
    order: { amount: 2000 },
    customer: { source_id: 'ada' },
  }
  const [{ id }] = sandbox.post('/v1/redemptions', redeem).body.redemptions
  sandbox.post(`/v1/redemptions/${id}/rollback`)
  sandbox.post('/v1/redemptions', redeem)
  const file = (exported_object: string, fields: string[]) =>
    exported(sandbox, '/v1/exports', { exported_object, parameters: { fields } })

  const { qr, barcode } = sandbox.get('/v1/vouchers/TEN').body.assets
  const vouchers = await file('voucher', ['code', 'qr_code', 'bar_code'])
  const customers = await file('customer', [
    ...['redeemed', 'succeeded', 'rolled_back'].map((name) => `redemptions_total_${name}`),
    ...['total_amount', 'total_count', 'average_amount', 'last_order_amount', 'last_order_date'].map(
      (n) => `orders_${n}`,
    ),
    'loyalty_points',
  ])

  const path = (address: string) => new URL(address).pathname
  const row = vouchers.split('\n').find((line) => line.startsWith('TEN'))
  expect(row?.split(',').map((cell, at) => (at === 0 ? cell : path(cell)))).toEqual([
    'TEN',
    path(qr.url),
    path(barcode.url),
  ])
  expect(customers.split('\n')[1]).toBe('2,2,1,18.00,1,18.00,18.00,2026-05-06T07:08:09.123Z,30')
})

test('what is in the bin is not exported', async () => {
  const sandbox = clubWith(['A', 'B'])
  sandbox.del('/v1/vouchers/A')

  const text = await exported(sandbox, '/v1/exports', { exported_object: 'voucher', parameters: { fields: ['code'] } })

  expect(text).toBe('Code\nB\n')
})

test('points that expire are exported by the day of expiry', async () => {
  const sandbox = clubWith(['A'])
  sandbox.give('A', 10, { expiration_date: '2026-07-01' })
  sandbox.give('A', 20, { expiration_date: '2026-06-01' })
  sandbox.give('A', 30)
  const fields = ['voucher_id', 'points', 'status', 'expires_at']

  expect(await exported(sandbox, '/v1/loyalties/camp_club/points-expiration/export', { parameters: { fields } })).toBe(
    ['Voucher ID,Points,Status,Expires At', 'v_A,20,ACTIVE,2026-06-01', 'v_A,10,ACTIVE,2026-07-01', ''].join('\n'),
  )
})

const having = (parameters: object, exported_object?: string) => ({ exported_object, parameters })

test.each(Object.keys(exportKinds).filter((kind) => kind !== 'voucher'))(
  'an export of kind %s without anything to export is a header',
  async (exported_object) => {
    expect(await exported(clubWith(), '/v1/exports', { exported_object })).toMatch(/^[A-Z][A-Za-z ,]+\n$/)
  },
)

test.each<[what: string, path: string, body: unknown, status: number, key: string]>([
  ['an unknown field', cardPath, having({ fields: ['colour'] }), 400, 'invalid_export_fields'],
  ['an unknown order', cardPath, having({ order: 'colour' }), 400, 'invalid_export_params'],
  ['an unknown filter', cardPath, having({ filters: { colour: { conditions: {} } } }), 400, 'invalid_export_params'],
  [
    'part of a code',
    cardPath.replace('/members/A', '/camp_club'),
    having({ filters: { voucher_id: { conditions: { $contains: ['A'] } } } }),
    400,
    'invalid_export_params',
  ],
  ['fields that are not a list', cardPath, having({ fields: 'id' }), 400, 'invalid_payload'],
  ['a card of another program', '/v1/loyalties/camp_other/members/A/transactions/export', {}, 404, 'not_found'],
  ['transactions of codes', '/v1/loyalties/Codes/transactions/export', {}, 403, 'forbidden'],
  ['transactions of codes', '/v1/campaigns/Codes/transactions/export', {}, 403, 'forbidden'],
  ['points of codes', '/v1/loyalties/Codes/points-expiration/export', {}, 403, 'forbidden'],
  ['something unknown', '/v1/exports', { exported_object: 'colour' }, 400, 'invalid_payload'],
  ['what the sandbox has no data for', '/v1/exports', { exported_object: 'api_log' }, 400, 'invalid_export_params'],
  ['nothing', '/v1/exports', {}, 400, 'invalid_payload'],
  ['an unknown campaign', '/v1/exports', having({ campaign_id: 'X' }, 'voucher'), 404, 'not_found'],
  [
    'customers of a campaign',
    '/v1/exports',
    having({ campaign_id: 'Codes' }, 'customer'),
    400,
    'invalid_export_params',
  ],
])('an export of %s is refused: %s %o is %i %s', (_, path, body, status, key) => {
  const { post, get } = clubWith(['A'])

  expect(post(path, body)).toMatchObject({ status, body: { key } })
  expect(get('/v1/exports').body.total).toBe(0)
})

test('the refusal of a field lists the available ones', () => {
  expect(clubWith(['A']).post(cardPath, { parameters: { fields: ['id', 'colour'] } }).body).toMatchObject({
    message: 'Invalid Export',
    details:
      'Unsupported field used. Allowed fields: id, campaign_id, voucher_id, type, source_id, status, reason, source, balance, amount, related_transaction_id, created_at, details',
  })
})

test('exports are listed newest first, by page and by status', async () => {
  const { post, get, clock, settled } = clubWith(['A'])
  const ids: string[] = []
  for (const day of ['07', '08', '09']) {
    clock.now = `2026-05-${day}T00:00:00.000Z`
    ids.unshift(post(cardPath).body.id)
    if (day === '08') await settled()
  }
  const listed = (query: string) => get('/v1/exports', query).body

  expect(listed('')).toMatchObject({ object: 'list', data_ref: 'exports', total: 3 })
  expect(listed('').exports.map(({ id }: { id: string }) => id)).toEqual(ids)
  expect(listed('limit=1&page=3').exports[0].id).toBe(ids[2])
  expect(listed('order=status').exports.map(({ status }: { status: string }) => status)).toEqual([
    'DONE',
    'DONE',
    'SCHEDULED',
  ])
  expect(listed('order=-status').exports[0]).not.toHaveProperty('token')
})

test('a wrong token, no token and an unknown export give no access to a file', async () => {
  const sandbox = clubWith(['A'])
  const { id } = sandbox.post(cardPath).body
  await sandbox.settled()
  const { token } = Object.fromEntries(new URL(sandbox.get(`/v1/exports/${id}`).body.result.url).searchParams)
  const statusOf = (exportId: string, query: string) => sandbox.get(`/download/v1/exports/${exportId}`, query).status

  expect(statusOf(id, `token=${token}`)).toBe(200)
  expect(statusOf(id, `token=${token}0`)).toBe(401)
  expect(statusOf(id, '')).toBe(401)
  expect(statusOf('exp_nope', `token=${token}`)).toBe(401)
})

test('a deleted export is gone with its file, even while it is being written', async () => {
  const sandbox = clubWith(['A'])
  const done = sandbox.post(cardPath).body
  await sandbox.settled()
  const running = sandbox.post(cardPath).body

  for (const { id } of [done, running]) expect(sandbox.del(`/v1/exports/${id}`).status).toBe(204)
  await sandbox.settled()

  for (const { id } of [done, running]) {
    expect(sandbox.get(`/v1/exports/${id}`).status).toBe(404)
    expect(sandbox.del(`/v1/exports/${id}`).status).toBe(404)
  }
  expect(sandbox.store.db.get('SELECT count(*) AS n FROM export_parts')).toMatchObject({ n: 0 })
  expect(sandbox.reports).toEqual([])
})

test('an export whose file cannot be written ends as an error', async () => {
  const sandbox = clubWith(['A'])
  const { id } = sandbox.post(cardPath).body
  sandbox.store.db.run(`UPDATE exports SET doc = json_set(doc, '$.parameters.order', 'colour') WHERE id = ?`, id)

  await sandbox.settled()

  expect(sandbox.get(`/v1/exports/${id}`).body).toMatchObject({ status: 'ERROR', result: null })
  expect(sandbox.reports).toHaveLength(1)
})

test('over a socket the file comes in pieces, with the credentials and without', async () => {
  const sandbox = await startTestSandbox()
  const { app_id, app_token } = sandbox.credentials
  const headers = { 'X-App-Id': app_id, 'X-App-Token': app_token, 'Content-Type': 'application/json' }
  try {
    const asked = await fetch(`${sandbox.url}/v1/exports`, {
      method: 'POST',
      headers,
      body: JSON.stringify({ exported_object: 'voucher', parameters: { order: 'code' } }),
    })
    const { id } = (await asked.json()) as { id: string }
    let result: { url: string } | null = null
    while (result === null) {
      const looked = await fetch(`${sandbox.url}/v1/exports/${id}`, { headers })
      result = ((await looked.json()) as { result: { url: string } | null }).result
    }

    const open = await fetch(result.url)
    const text = await open.text()

    expect(new URL(result.url).origin).toBe(sandbox.url)
    expect(open.headers.get('transfer-encoding')).toBe('chunked')
    expect(text.split('\n').length).toBeGreaterThan(1030)
    expect(await (await fetch(result.url, { headers })).text()).toBe(text)
  } finally {
    await sandbox.close()
  }
})

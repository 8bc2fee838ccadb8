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

const fileOfKind = (sandbox: TestSandbox, exported_object: string, parameters?: object) =>
  exported(sandbox, '/v1/exports', { exported_object, ...(parameters && { parameters }) })

const cardPath = '/v1/loyalties/members/A/transactions/export'

test('an export of a card is created as scheduled, with the code of the card among its filters', () => {
  const parameters = { order: '-created_at', fields: ['id', 'amount'] }

  expect(clubWith(['A']).ask(`POST ${cardPath}`, { parameters }, 200)).toEqual({
    id: expect.stringMatching(/^exp_/),
    object: 'export',
    created_at: '2026-05-06T07:08:09.123Z',
    status: 'SCHEDULED',
    channel: 'API',
    exported_object: 'voucher_transactions',
    parameters: { ...parameters, filters: { voucher_id: { conditions: { $in: ['A'] } } } },
    result: null,
    user_id: null,
  })
})

test.each([cardPath, '/v1/loyalties/camp_club/members/v_A/transactions/export', '/v1/vouchers/A/transactions/export'])(
  'without a body the parameters are the filter alone, also when the card is named by its id: %s',
  (path) => {
    const filters = { voucher_id: { conditions: { $in: ['A'] } } }

    expect(clubWith(['A']).ask(`POST ${path}`).parameters).toEqual({ filters })
  },
)

test('an export is scheduled, then in progress, then done, and only then has a file', async () => {
  const { ask, give, settled, store } = clubWith(['A'])
  give('A', 5)
  const { id } = ask(`POST ${cardPath}`)
  const { token } = JSON.parse(store.db.get<{ doc: string }>('SELECT doc FROM exports')?.doc ?? '')

  ask(`GET /download/v1/exports/${id}?token=${token}`, 404)
  const working = settled()
  ask(`GET /v1/exports/${id}`, { status: 'IN_PROGRESS', result: null })
  await working
  const url = expect.stringMatching(new RegExp(`^http://localhost/download/v1/exports/${id}\\?token=[0-9a-f]{48}$`))
  ask(`GET /v1/exports/${id}`, { status: 'DONE', result: { url } })
})

test('the file has the requested fields, in their order, quoted as CSV requires', async () => {
  const sandbox = clubWith(['GOLD/1 ☕', 'B'])
  sandbox.give('GOLD/1 ☕', 10, { reason: 'He said "sorry",\nthen left' })
  sandbox.give('GOLD/1 ☕', -3, { source_id: '=1+1' })
  sandbox.give('B', 99)
  const path = `/v1/loyalties/members/${encodeURIComponent('GOLD/1 ☕')}/transactions/export`
  const fields = ['amount', 'balance', 'reason', 'source_id', 'voucher_id', 'created_at', 'source']

  expect(await exported(sandbox, path, { parameters: { fields } })).toBe(
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
  ['created_at', '5,-2,7'],
  ['-created_at', '7,-2,5'],
  ['amount', '-2,5,7'],
  ['-balance', '7,5,-2'],
  ['reason', '5,7,-2'],
  ['-reason', '-2,7,5'],
])('rows are ordered by %s', async (order, amounts) => {
  const sandbox = clubWith(['A'])
  for (const [day, points, more] of [
    [7, 5, {}],
    [8, -2, { reason: 'b' }],
    [9, 7, { reason: 'a' }],
  ] as const) {
    sandbox.clock.now = `2026-05-0${day}T00:00:00.000Z`
    sandbox.give('A', points, more)
  }

  const text = await exported(sandbox, cardPath, { parameters: { order, fields: ['amount'] } })

  expect(text).toBe(`Amount\n${amounts.replaceAll(',', '\n')}\n`)
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

test.each([
  ['restrict further', { created_at: { conditions: { $after: ['2026-05-20'] } } }, '3\n'],
  ['cannot include other cards', { voucher_id: { conditions: { $in: ['B'] } } }, '1\n3\n'],
  ['may be one of a campaign', { junction: 'or', campaign_id: { conditions: { $is: ['camp_club'] } } }, '1\n3\n'],
  [
    'are not cancelled by one of cards',
    {
      junction: 'or',
      voucher_id: { conditions: { $in: ['A'] } },
      created_at: { conditions: { $after: ['2026-05-20'] } },
    },
    '3\n',
  ],
])('filters of the request %s', async (_, filters, amounts) => {
  const sandbox = clubWith(['A', 'B'])
  sandbox.give('A', 1)
  sandbox.give('B', 2)
  sandbox.clock.now = '2026-06-01T00:00:00.000Z'
  sandbox.give('A', 3)

  const text = await exported(sandbox, cardPath, { parameters: { fields: ['amount'], filters } })

  expect(text).toBe(`Amount\n${amounts}`)
})

test('an export by campaign says how its filters are joined, also when the request does not', () => {
  const { ask } = clubWith(['A'])
  const filters = (body?: unknown) => ask('POST /v1/campaigns/camp_club/transactions/export', body).parameters.filters

  expect(filters()).toEqual({ junction: 'AND', campaign_id: { conditions: { $in: ['camp_club'] } } })
  expect(filters({ parameters: { filters: { junction: 'OR' } } })).toMatchObject({ junction: 'OR' })
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
    const header = 'ID,Type,Source ID,Reason,Source,Balance,Amount,Created At\n'
    expect(await exported(clubWith(['A']), cardPath, body)).toBe(header)
  },
)

test('an export of a program has the transactions of all its cards and of no other program', async () => {
  const sandbox = clubWith([], { vouchers: [emptyCard('A'), emptyCard('B'), emptyCard('T', 'camp_other')] })
  for (const [n, code] of ['A', 'B', 'T'].entries()) sandbox.give(code, n + 1)
  const amounts = (path: string) =>
    exported(sandbox, `/v1/${path}/transactions/export`, { parameters: { fields: ['amount'] } })

  expect(await amounts('loyalties/Bean%20Club%20%2F%20Gold')).toBe('Amount\n1\n2\n')
  expect(await amounts('campaigns/camp_other')).toBe('Amount\n3\n')
})

test('credits of gift cards are exported in major units, together with points, by the codes of the cards', async () => {
  const sandbox = clubWith([], { vouchers: [emptyCard('A'), { code: 'G', gift: { amount: 5000 } }] })
  sandbox.give('A', 7)
  sandbox.post('/v1/vouchers/G/balance', { amount: -1234 })
  const fields = ['type', 'amount', 'balance']
  const gift = 'CREDITS_REMOVAL,-12.34,37.66\n'

  const all = await fileOfKind(sandbox, 'voucher_transactions', { fields })
  expect(all).toBe(`Type,Amount,Balance\nPOINTS_ADDITION,7,7\n${gift}`)
  const filters = { voucher_id: { conditions: { $in: ['G'] } } }
  expect(await fileOfKind(sandbox, 'voucher_transactions', { fields, filters })).toBe(`Type,Amount,Balance\n${gift}`)
})

test('vouchers are exported with labels for people and amounts in major units', async () => {
  const sandbox = clubWith([], {
    vouchers: [
      { code: 'AMOUNT', discount: { type: 'AMOUNT', amount_off: 2050 }, metadata: { wave: 1, 'a,b': true } },
      { code: 'HALF', discount: { type: 'AMOUNT', amount_off: 0, amount_off_formula: 'ORDER_AMOUNT / 2' } },
      { code: 'PERCENT', discount: { type: 'PERCENT', percent_off: 12.5 }, validity_day_of_week: [1, 2, 3] },
      { code: 'GIFT', gift: { amount: 200_000 }, metadata: { wave: { n: 1 } } },
      emptyCard('CARD'),
    ],
  })
  const fields = ['code', 'voucher_type', 'value', 'formula', 'validity_day_of_week', 'metadata']

  const plain = await fileOfKind(sandbox, 'voucher')
  expect(plain.split('\n')[0]).toBe('Code,Voucher Type,Value,Discount Type')
  expect(await fileOfKind(sandbox, 'voucher', { order: 'code', fields })).toBe(
    [
      'Code,Voucher Type,Value,Formula,Validity Day Of Week,"metadata.a,b",metadata.wave',
      'AMOUNT,DISCOUNT_VOUCHER,20.50,,,true,1',
      'CARD,LOYALTY_CARD,0,,,,',
      'GIFT,GIFT_VOUCHER,2000.00,,,,"{""n"":1}"',
      'HALF,DISCOUNT_VOUCHER,0.00,ORDER_AMOUNT / 2,,,',
      'PERCENT,DISCOUNT_VOUCHER,12.5,,"1,2,3",,',
      '',
    ].join('\n'),
  )
  const inClub = { campaign_id: 'Bean Club / Gold', fields: ['code'] }
  expect(await fileOfKind(sandbox, 'voucher', inClub)).toBe('Code\nCARD\n')
})

test('publications are exported with customer and code', async () => {
  const sandbox = clubWith([], { vouchers: [freeCard('A')] })
  const joining = { customer: { source_id: 'nia' }, channel: 'till', metadata: { wave: 1 } }
  const { holder_id } = sandbox.ask('POST /v1/loyalties/camp_club/members', joining)
  const fields = ['voucher_code', 'customer_id', 'customer_source_id', 'date', 'channel', 'campaign', 'metadata']

  expect(await fileOfKind(sandbox, 'publication', { fields })).toBe(
    `Voucher Code,Customer ID,Customer Source ID,Date,Channel,Campaign,metadata.wave\nA,${holder_id},nia,2026-05-06T07:08:09.123Z,till,Bean Club / Gold,1\n`,
  )
})

const dates = { created_at: '2026-01-01T00:00:00.000Z' }

test.each<[kind: string, fields: string[], text: string]>([
  ['customer', ['name', 'address_city', 'phone'], 'Name,Address City,Phone\n"Ada, Countess",London,\n'],
  [
    'order',
    ['id', 'amount', 'total_discount_amount', 'customer_id'],
    'ID,Amount,Total Discount Amount,Customer ID\nord_1,19.99,,cust_1\n',
  ],
  ['product', ['name', 'price', 'created_at'], `Name,Price,Created At\nBeans,12.50,${dates.created_at}\n`],
  ['sku', ['sku', 'price', 'currency'], 'SKU,Price,Currency\n1 kg,0.05,EUR\n'],
])('each %s is exported, with prices in major units', async (kind, fields, text) => {
  const sandbox = clubWith([], {
    customers: [{ id: 'cust_1', name: 'Ada, Countess', address: { city: 'London' }, metadata: {}, ...dates }],
    orders: [{ id: 'ord_1', status: 'PAID', amount: 1999, customer_id: 'cust_1', ...dates }],
    products: [{ id: 'prod_1', source_id: 'p-1', name: 'Beans', price: 1250, ...dates }],
    skus: [{ id: 'sku_1', product_id: 'prod_1', sku: '1 kg', price: 5, currency: 'EUR', ...dates }],
  })

  expect(await fileOfKind(sandbox, kind, { fields })).toBe(text)
})
const page = readFileSync('docs/service/exports.md', 'utf8')
const sectionOf = (title: string) => page.split(`## ${title}`)[1]?.split('## ')[0] ?? ''
const namesIn = (cell: string) => [...cell.matchAll(/`(\w+)`/g)].map(([, name = '']) => name)
const documented = [...sectionOf('Columns').matchAll(/^\| `(\w+)` \| (`.*`) \|$/gm)].map(
  ([, kind = '', fields = '']) => [kind, namesIn(fields)] as const,
)

test.each(documented)('an export of a %s has every documented column, and no other', (kind, fields) => {
  expect(exportFields(exportKinds[kind] as ExportKind).toSorted()).toEqual(fields.toSorted())
})
const published = [...sectionOf('Kinds').matchAll(/^\| `(\w+)` \| (`.*?) \| (.*?) \|/gm)].map(
  ([, kind = '', fields = '', orders = '']) => [kind, namesIn(fields), namesIn(orders)] as const,
)

test.each(published)(
  'an export of a %s has the columns of its published default, and the published orders, where they are asked for',
  (exported_object, fields, orders) => {
    for (const order of orders.flatMap((name) => [name, `-${name}`]))
      clubWith().ask('POST /v1/exports', { exported_object, parameters: { fields, order } }, 200)
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

test('vouchers are exported with the addresses of their pictures', async () => {
  const sandbox = clubWith(['A'])
  const { qr, barcode } = sandbox.ask('GET /v1/vouchers/A').assets
  const text = await fileOfKind(sandbox, 'voucher', { fields: ['qr_code', 'bar_code'] })

  const path = (address = '') => new URL(address).pathname
  expect(text.split('\n')[1]?.split(',').map(path)).toEqual([path(qr.url), path(barcode.url)])
})

test('customers are exported with what they redeemed, bought and hold', async () => {
  const card = emptyCard('CARD', 'camp_club', { holder_id: 'cust_1', loyalty_card: { points: 30 } })
  const sandbox = clubWith([], {
    customers: [{ id: 'cust_1', source_id: 'ada', metadata: {} }],
    vouchers: [card, { code: 'TEN', discount: { type: 'PERCENT', percent_off: 10 } }],
  })
  const redeemables = [{ object: 'voucher', id: 'TEN' }]
  const redeem = { redeemables, order: { amount: 2000 }, customer: { source_id: 'ada' } }
  const [{ id }] = sandbox.ask('POST /v1/redemptions', redeem).redemptions
  sandbox.ask(`POST /v1/redemptions/${id}/rollback`)
  sandbox.ask('POST /v1/redemptions', redeem)
  const orders = ['total_amount', 'total_count', 'average_amount', 'last_order_amount', 'last_order_date']

  const text = await fileOfKind(sandbox, 'customer', {
    fields: [
      ...['redeemed', 'succeeded', 'rolled_back'].map((name) => `redemptions_total_${name}`),
      ...orders.map((name) => `orders_${name}`),
      'loyalty_points',
    ],
  })

  expect(text.split('\n')[1]).toBe('2,2,1,18.00,1,18.00,18.00,2026-05-06T07:08:09.123Z,30')
})

test('what is in the bin is not exported', async () => {
  const sandbox = clubWith(['A', 'B'])
  sandbox.ask('DELETE /v1/vouchers/A')

  expect(await fileOfKind(sandbox, 'voucher', { fields: ['code'] })).toBe('Code\nB\n')
})

test('points that expire are exported by the day of expiry', async () => {
  const sandbox = clubWith(['A'])
  sandbox.give('A', 10, { expiration_date: '2026-07-01' })
  sandbox.give('A', 20, { expiration_date: '2026-06-01' })
  sandbox.give('A', 30)
  const parameters = { fields: ['voucher_id', 'points', 'status', 'expires_at'] }

  expect(await exported(sandbox, '/v1/loyalties/camp_club/points-expiration/export', { parameters })).toBe(
    'Voucher ID,Points,Status,Expires At\nv_A,20,ACTIVE,2026-06-01\nv_A,10,ACTIVE,2026-07-01\n',
  )
})

const having = (parameters: object, exported_object?: string) => ({ exported_object, parameters })
const part = { voucher_id: { conditions: { $contains: ['A'] } } }

test.each(Object.keys(exportKinds).filter((kind) => kind !== 'voucher'))(
  'an export of kind %s without anything to export is a header',
  async (kind) => expect(await fileOfKind(clubWith(), kind)).toMatch(/^[A-Z][A-Za-z ,]+\n$/),
)

test.each<[what: string, path: string, body: unknown, key: string]>([
  ['an unknown field', cardPath, having({ fields: ['colour'] }), 'invalid_export_fields'],
  ['an unknown order', cardPath, having({ order: 'colour' }), 'invalid_export_params'],
  ['an unknown filter', cardPath, having({ filters: { colour: { conditions: {} } } }), 'invalid_export_params'],
  ['part of a code', '/v1/loyalties/camp_club/transactions/export', having({ filters: part }), 'invalid_export_params'],
  ['fields that are not a list', cardPath, having({ fields: 'id' }), 'invalid_payload'],
  ['a card of another program', '/v1/loyalties/camp_other/members/A/transactions/export', {}, 'not_found'],
  ['transactions of codes', '/v1/loyalties/Codes/transactions/export', {}, 'forbidden'],
  ['transactions of codes', '/v1/campaigns/Codes/transactions/export', {}, 'forbidden'],
  ['points of codes', '/v1/loyalties/Codes/points-expiration/export', {}, 'forbidden'],
  ['something unknown', '/v1/exports', { exported_object: 'colour' }, 'invalid_payload'],
  ['what the sandbox has no data for', '/v1/exports', { exported_object: 'api_log' }, 'invalid_export_params'],
  ['nothing', '/v1/exports', {}, 'invalid_payload'],
  ['an unknown campaign', '/v1/exports', having({ campaign_id: 'X' }, 'voucher'), 'not_found'],
  ['customers of a campaign', '/v1/exports', having({ campaign_id: 'Codes' }, 'customer'), 'invalid_export_params'],
])('an export of %s is refused: %s %o is %s', (_, path, body, key) => {
  const { ask } = clubWith(['A'])

  ask(`POST ${path}`, body, key)
  ask('GET /v1/exports', { total: 0 })
})

test('the refusal of a field lists the available ones', () =>
  clubWith(['A']).ask(`POST ${cardPath}`, having({ fields: ['id', 'colour'] }), {
    code: 400,
    message: 'Invalid Export',
    details:
      'Unsupported field used. Allowed fields: id, campaign_id, voucher_id, type, source_id, status, reason, source, balance, amount, related_transaction_id, created_at, details',
  }))

test('exports are listed newest first, by page and by status', async () => {
  const { ask, clock, settled } = clubWith(['A'])
  const ids: string[] = []
  for (const day of ['07', '08', '09']) {
    clock.now = `2026-05-${day}T00:00:00.000Z`
    ids.unshift(ask(`POST ${cardPath}`).id)
    if (day === '08') await settled()
  }

  const all = ids.map((id) => ({ id }))
  ask('GET /v1/exports', { object: 'list', data_ref: 'exports', exports: all, total: 3 })
  ask('GET /v1/exports?limit=1&page=3', { exports: all.slice(2) })
  const byStatus = ['DONE', 'DONE', 'SCHEDULED'].map((status) => ({ status }))
  ask('GET /v1/exports?order=status', { exports: byStatus })
  expect(ask('GET /v1/exports?order=-status').exports[0]).not.toHaveProperty('token')
})

test('a wrong token, no token and an unknown export give no access to a file', async () => {
  const { ask, settled } = clubWith(['A'])
  const { id } = ask(`POST ${cardPath}`)
  await settled()
  const { pathname, search } = new URL(ask(`GET /v1/exports/${id}`).result.url)

  ask(`GET ${pathname}${search}`, 200)
  for (const refused of [`${pathname}${search}0`, pathname, `/download/v1/exports/exp_nope${search}`])
    ask(`GET ${refused}`, 401)
})

test.each(['before it is written', 'while a slice is written', 'after it was written'])(
  'an export that is deleted %s is gone with its file',
  async (when) => {
    const { ask, settled, store, reports } = clubWith(['A'])
    const path = `/v1/exports/${ask(`POST ${cardPath}`).id}`

    const working = when.startsWith('before') ? undefined : settled()
    if (when.startsWith('after')) await working
    ask(`DELETE ${path}`, 204)
    await working
    await settled()

    for (const method of ['GET', 'DELETE']) ask(`${method} ${path}`, 'not_found')
    expect(store.db.get('SELECT count(*) AS n FROM export_parts')).toMatchObject({ n: 0 })
    expect(reports).toEqual([])
  },
)

test('an export whose file cannot be written ends as an error', async () => {
  const { ask, store, settled, reports } = clubWith(['A'])
  const { id } = ask(`POST ${cardPath}`)
  store.db.run(`UPDATE exports SET doc = json_set(doc, '$.parameters.order', 'colour') WHERE id = ?`, id)

  await settled()

  ask(`GET /v1/exports/${id}`, { status: 'ERROR', result: null })
  expect(reports).toHaveLength(1)
})

test('over a socket the file comes in pieces, with the credentials and without', async () => {
  const sandbox = await startTestSandbox()
  const { app_id, app_token } = sandbox.credentials
  const headers = { 'X-App-Id': app_id, 'X-App-Token': app_token, 'Content-Type': 'application/json' }
  try {
    const body = JSON.stringify({ exported_object: 'voucher', parameters: { order: 'code' } })
    const asked = await fetch(`${sandbox.url}/v1/exports`, { method: 'POST', headers, body })
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

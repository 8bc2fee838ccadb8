// A shop and an assistant that prepares a project, by HTTP only, against `promo sandbox start`: what published examples send, in
// the order in which they send it. Each answer is also compared with the sandbox's own document.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { eventually } from '../support/eventually.ts'
import { type StartedSandbox, startedSandbox } from '../support/started-sandbox.ts'
import { problemsOf } from '../support/strict-answers.ts'

// biome-ignore lint/suspicious/noExplicitAny: a shop reads any body, and the test asserts what it expects.
type Read = any

let sandbox: StartedSandbox

beforeAll(async () => {
  sandbox = await startedSandbox(['--empty'])
})

afterAll(() => sandbox.close())

/** Sends a request as a shop does; a body that is a form is sent as one. Fails for an answer that is not as documented. */
async function call(method: string, path: string, body?: unknown): Promise<Read> {
  const { app_id, app_token, management_id, management_token } = sandbox.credentials
  const isForm = body instanceof FormData
  const answer = await fetch(sandbox.url + path, {
    method,
    headers: {
      'x-app-id': app_id,
      'x-app-token': app_token,
      'x-management-id': management_id,
      'x-management-token': management_token,
      ...(body !== undefined && !isForm && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: isForm ? body : JSON.stringify(body) }),
  })
  const text = await answer.text()
  const read = text === '' ? undefined : JSON.parse(text)
  const [encoded = ''] = path.split('?')
  expect(problemsOf({ method, path: encoded, status: answer.status, body: read })).toEqual([])
  return { ...(Array.isArray(read) ? { list: read } : read), http: answer.status }
}

const tenPercent = { type: 'DISCOUNT_VOUCHER', discount: { type: 'PERCENT', percent_off: 10 } }

function voucher(id: string, more: object = {}) {
  return { redeemables: [{ object: 'voucher', id }], ...more }
}

describe('the catalogue', () => {
  test('products and variants are stored under the ids of the shop, and dropped members do no harm', async () => {
    const tea = await call('POST', '/v1/products', {
      source_id: 'tea',
      name: 'Green tea',
      price: 2699,
      currency: 'EUR',
    })
    const pot = await call('POST', '/v1/products', { source_id: 'pot', name: 'Tea pot', price: 11_095 })
    const large = await call('POST', '/v1/products/tea/skus', { source_id: 'tea-l', sku: 'Large', name: 'Large tea' })
    const { products } = await call('GET', '/v1/products?limit=10')

    expect([tea.http, pot.http, large.http]).toEqual([200, 200, 200])
    expect(large).toMatchObject({ object: 'sku', product_id: tea.id, sku: 'Large' })
    expect(products.map((product: Read) => product.source_id)).toEqual(expect.arrayContaining(['tea', 'pot']))
  })

  test('a bulk update of products is accepted with and without a body', async () => {
    const empty = await call('POST', '/v1/products/bulk/async')
    const some = await call('POST', '/v1/products/bulk/async', [{ source_id: 'cup', name: 'Cup' }])
    const bare = await call('POST', '/v1/products/metadata/async', {})

    for (const { async_action_id } of [empty, some, bare]) expect(async_action_id).toEqual(expect.any(String))
    expect(some.http).toBe(202)
    const cup = await eventually(
      () => call('GET', '/v1/products/cup'),
      ({ object }) => object === 'product',
    )
    expect(cup).toMatchObject({ source_id: 'cup', name: 'Cup' })
  })

  test('products are imported from CSV, with prices in major units', async () => {
    const form = new FormData()
    form.append(
      'file',
      new Blob(['name,source_id,price,attributes,image_url,shelf\nTray,tray,21,"a,b",,top\n']),
      'p.csv',
    )

    const { http, async_action_id } = await call('POST', '/v1/products/importCSV', form)
    expect([http, typeof async_action_id]).toEqual([200, 'string'])
    const tray = await eventually(
      () => call('GET', '/v1/products/tray'),
      ({ object }) => object === 'product',
    )

    expect(tray).toMatchObject({ name: 'Tray', price: 2100, attributes: ['a', 'b'], metadata: { shelf: 'top' } })
  })
})

describe('the cart', () => {
  test('a cart with numbers as texts and members of the shop is validated', async () => {
    await call('POST', '/v1/vouchers/CART10', tenPercent)

    const answer = await call('POST', '/v1/validations', {
      ...voucher('CART10'),
      customer: null,
      order: {
        amount: '11095.00',
        currency: 'USD',
        items: [{ id: 7, source_id: 'tea', quantity: 1, price: '26.99', amount: '11095.00', title: 'Green tea' }],
      },
    })

    expect(answer).toMatchObject({ http: 200, valid: true })
    expect(answer.order).toMatchObject({ amount: 11_095, total_discount_amount: 1110, metadata: {} })
    expect(answer.redeemables[0]).toMatchObject({ status: 'APPLICABLE', id: 'CART10', metadata: {} })
    expect(answer).not.toHaveProperty('inapplicable_redeemables')
  })

  test('a cart with an id that is a number, a lifetime that is a text and prices with a fraction is validated and redeemed', async () => {
    await call('POST', '/v1/vouchers/CART11', tenPercent)
    const cart = {
      ...voucher('CART11'),
      customer: { source_id: 1017 },
      session: { type: 'LOCK', ttl: '7', ttl_unit: 'DAYS' },
      order: { amount: 80.97, items: [{ source_id: 'tea', quantity: 3, price: 26.99, amount: 80.97 }] },
    }

    const { http, session } = await call('POST', '/v1/validations', cart)
    const redeemed = await call('POST', '/v1/redemptions', { ...cart, session: { key: session.key } })

    expect([http, session.ttl, redeemed.http]).toEqual([200, 7, 200])
    expect(redeemed.order).toMatchObject({ amount: 81, items: [{ price: 27, amount: 81 }] })
    expect(redeemed.redemptions[0].customer).toMatchObject({ source_id: '1017' })
  })

  test('a code that does not apply is in both lists', async () => {
    const answer = await call('POST', '/v1/validations', voucher('NO-SUCH-CODE', { order: { amount: 100 } }))

    expect(answer).toMatchObject({
      http: 200,
      valid: false,
      redeemables: [{ status: 'INAPPLICABLE', id: 'NO-SUCH-CODE' }],
      inapplicable_redeemables: [{ status: 'INAPPLICABLE', id: 'NO-SUCH-CODE' }],
    })
  })

  test('a standalone code is offered to everybody, and a limit above the most is capped', async () => {
    const answer = await call('POST', '/v1/qualifications', {
      customer: null,
      order: { amount: 10_000 },
      scenario: 'ALL',
      options: {
        limit: 100,
        filters: { junction: 'AND', resource_type: { conditions: { $in: ['voucher'] } } },
      },
    })

    expect(answer.http).toBe(200)
    expect(answer.redeemables.data.map(({ id }: Read) => id)).toContain('CART10')
  })

  test('the older validation of one code answers flat', async () => {
    const answer = await call('POST', '/v1/vouchers/CART10/validate', { order: { amount: 10_000 } })
    const refusal = await call('POST', '/v1/vouchers/NO-SUCH-CODE/validate', { order: { amount: 10_000 } })

    expect(answer).toMatchObject({
      http: 200,
      valid: true,
      code: 'CART10',
      discount: { type: 'PERCENT', percent_off: 10 },
      order: { amount: 10_000, total_discount_amount: 1000 },
    })
    expect(refusal).toMatchObject({ valid: false })
  })
})

describe('the till', () => {
  test('a code is redeemed with an order, and the answer says what did not apply', async () => {
    const answer = await call('POST', '/v1/redemptions', {
      ...voucher('CART10'),
      customer: { source_id: 'ada', name: 'Ada' },
      order: { source_id: 'order-1', amount: 10_000, status: 'PAID', items: null, metadata: null },
    })

    expect(answer).toMatchObject({
      http: 200,
      redemptions: [{ result: 'SUCCESS', metadata: null }],
      order: { status: 'PAID', amount: 10_000, total_discount_amount: 1000, metadata: {} },
      inapplicable_redeemables: [],
      skipped_redeemables: [],
    })
  })

  test('a discount without an order is redeemed for the customer alone', async () => {
    const answer = await call('POST', '/v1/redemptions', { ...voucher('CART10'), customer: { source_id: 'ada' } })

    expect(answer).toMatchObject({ http: 200, redemptions: [{ result: 'SUCCESS' }] })
  })

  test('a discount on products does nothing to an order without lines', async () => {
    const rule = await call('POST', '/v1/validation-rules', {
      name: 'only tea',
      rules: {},
      applicable_to: { included: [{ object: 'product', source_id: 'tea' }] },
    })
    await call('POST', '/v1/vouchers/TEA10', {
      type: 'DISCOUNT_VOUCHER',
      discount: { type: 'PERCENT', percent_off: 10, effect: 'APPLY_TO_ITEMS' },
    })
    await call('POST', `/v1/validation-rules/${rule.id}/assignments`, {
      related_object_type: 'voucher',
      related_object_id: 'TEA10',
    })

    const answer = await call('POST', '/v1/redemptions', voucher('TEA10', { order: { amount: 5000 } }))

    expect(answer).toMatchObject({
      http: 200,
      redemptions: [{ result: 'SUCCESS' }],
      order: { total_amount: 5000, applied_discount_amount: 0, total_applied_discount_amount: 0 },
    })
  })

  test('a redemption is rolled back once, with its reason', async () => {
    await call('POST', '/v1/vouchers/ONCE', { ...tenPercent, redemption: { quantity: 1 } })
    const { redemptions } = await call('POST', '/v1/redemptions', voucher('ONCE', { order: { amount: 1000 } }))
    const [{ id }] = redemptions

    const undone = await call('POST', `/v1/redemptions/${id}/rollback?reason=returned`)
    const again = await call('POST', `/v1/redemptions/${id}/rollback`)
    const valid = await call('POST', '/v1/validations', voucher('ONCE', { order: { amount: 1000 } }))

    expect(undone).toMatchObject({ http: 200, object: 'redemption_rollback', result: 'SUCCESS', reason: 'returned' })
    expect(again).toMatchObject({ http: 400, key: 'already_rolled_back' })
    expect(valid.valid).toBe(true)
  })

  test('the older redemption of one code answers with the redemption', async () => {
    const answer = await call('POST', '/v1/vouchers/CART10/redemption', {
      order: { amount: 10_000 },
      customer: { name: 'Bo', email: 'bo@example.com' },
    })

    expect(answer).toMatchObject({
      http: 200,
      object: 'redemption',
      result: 'SUCCESS',
      voucher: { code: 'CART10', discount: { type: 'PERCENT', percent_off: 10 } },
    })
  })

  test('orders are created, changed and listed, and a redemption leaves one', async () => {
    const created = await call('POST', '/v1/orders', {
      source_id: 'order-2',
      amount: 700,
      items: [{ source_id: 'tea' }],
    })
    const paid = await call('PUT', '/v1/orders/order-2', { status: 'PAID' })
    const read = await call('GET', `/v1/orders/${created.id}`)
    const { orders } = await call('GET', '/v1/orders?limit=100')

    expect(created).toMatchObject({ status: 'CREATED', amount: 700, object: 'order', updated_at: null })
    expect(paid).toMatchObject({ id: created.id, status: 'PAID', amount: 700, updated_at: expect.any(String) })
    expect(read.items).toHaveLength(1)
    expect(orders.map((order: Read) => order.source_id)).toEqual(expect.arrayContaining(['order-1', 'order-2']))
  })
})

describe('loyalty', () => {
  let club: Read
  let card: Read

  test('a program is created without its type, and a customer becomes a member', async () => {
    club = await call('POST', '/v1/loyalties', {
      name: 'Tea Club',
      type: 'AUTO_UPDATE',
      voucher: { type: 'LOYALTY_CARD', loyalty_card: { points: 10 } },
    })
    card = await call('POST', `/v1/loyalties/${club.id}/members`, { customer: { source_id: 'ada' } })

    expect(club).toMatchObject({ http: 200, campaign_type: 'LOYALTY_PROGRAM', object: 'campaign' })
    expect(card).toMatchObject({ type: 'LOYALTY_CARD', loyalty_card: { points: 10, balance: 10 } })
  })

  test('a paid order earns points, which the estimate had promised', async () => {
    await call('POST', `/v1/loyalties/${club.id}/earning-rules`, [
      {
        event: 'order.paid',
        loyalty: {
          type: 'PROPORTIONAL',
          calculation_type: 'ORDER_AMOUNT',
          order: { amount: { every: 100, points: 1 } },
        },
        source: { banner: 'One point for each euro' },
      },
    ])

    const estimate = await call('POST', `/v1/loyalties/${club.id}/qualifications`, {
      customer: { source_id: 'ada' },
      order: { amount: 5100 },
    })
    await call('POST', '/v1/orders', {
      source_id: 'earned',
      amount: 5100,
      status: 'PAID',
      customer: { source_id: 'ada' },
    })
    const after = await eventually(
      () => call('GET', `/v1/loyalties/members/${card.code}`),
      ({ loyalty_card }) => loyalty_card?.points !== 10,
    )

    expect(estimate).toMatchObject({ http: 200, campaign: { id: club.id }, points_estimation: 51 })
    expect(after.loyalty_card).toMatchObject({ points: 61, balance: 61 })
  })

  test('points are given by hand, and the transactions say so', async () => {
    const given = await call('POST', `/v1/loyalties/members/${card.code}/balance`, { points: 39, source_id: null })
    const { data } = await call('GET', `/v1/loyalties/members/${card.code}/transactions`)

    expect(given).toMatchObject({ http: 200, points: 39, balance: 100, object: 'balance' })
    expect(data[0]).toMatchObject({ type: 'POINTS_ADDITION', source: null, details: { balance: { points: 39 } } })
  })

  test('points buy a reward of the program', async () => {
    const reward = await call('POST', '/v1/rewards', {
      name: 'A mug',
      type: 'MATERIAL',
      parameters: {},
    })
    await call('POST', `/v1/loyalties/${club.id}/rewards`, [
      { reward: reward.id, parameters: { loyalty: { points: 40 } } },
    ])

    const answer = await call('POST', `/v1/loyalties/${club.id}/members/${card.code}/redemption`, {
      reward: { id: reward.id },
    })
    const after = await call('GET', `/v1/vouchers/${card.code}`)

    expect(answer).toMatchObject({ http: 200, object: 'redemption', result: 'SUCCESS', reward: { id: reward.id } })
    expect(after.loyalty_card.balance).toBe(60)
  })

  test('a customer shows points, orders and redemptions', async () => {
    const ada = await call('GET', '/v1/customers/ada')

    expect(ada).toMatchObject({
      name: 'Ada',
      loyalty: { points: 60, referred_customers: 0 },
      referrals: { total: 0, campaigns: [] },
      system_metadata: {},
      summary: { redemptions: { total_redeemed: 3 } },
    })
    expect(ada).not.toHaveProperty('email')
  })
})

describe('referral', () => {
  test('a friend redeems the code of a customer, who is paid for it', async () => {
    const program = await call('POST', '/v1/campaigns', {
      name: 'Bring a friend',
      campaign_type: 'REFERRAL_PROGRAM',
      type: 'AUTO_UPDATE',
      voucher: { ...tenPercent, redemption: { quantity: null }, code_config: { length: 6 } },
      referral_program: { conversion_event_type: 'redemption' },
    })
    const { voucher: given } = await call('POST', '/v1/publications', {
      campaign: { name: 'Bring a friend' },
      customer: { source_id: 'ada' },
    })

    const { redemptions } = await call('POST', '/v1/redemptions', {
      ...voucher(given.code, { order: { amount: 4000 } }),
      customer: { source_id: 'friend' },
    })
    const holders = await call('GET', `/v1/referrals/members/${given.code}/holders`)

    expect(program).toMatchObject({ http: 200, campaign_type: 'REFERRAL_PROGRAM' })
    expect(redemptions).toMatchObject([{ result: 'SUCCESS' }])
    expect(holders.data.map(({ holder_role }: Read) => holder_role)).toContain('REFERRER')
  })
})

describe('publications', () => {
  test('a code is published with nulls for what is not given, and names the customer by the shop’s id', async () => {
    await call('POST', '/v1/campaigns', {
      name: 'Spring',
      campaign_type: 'DISCOUNT_COUPONS',
      type: 'AUTO_UPDATE',
      voucher: { ...tenPercent, redemption: null },
    })

    const answer = await call('POST', '/v1/publications?join_once=false', {
      campaign: { name: 'Spring', count: 1 },
      voucher: null,
      channel: null,
      metadata: null,
      customer: { source_id: 'ada' },
    })
    const second = await call('POST', '/v1/publications?join_once=false', {
      campaign: { name: 'Spring' },
      customer: { source_id: 'ada' },
    })

    expect(answer).toMatchObject({ http: 200, result: 'SUCCESS', tracking_id: 'ada', channel: 'API' })
    expect(second.voucher.code).not.toBe(answer.voucher.code)
  })

  test('a publication of nothing is refused by name', async () => {
    const answer = await call('POST', '/v1/publications', {
      campaign: null,
      voucher: null,
      customer: { source_id: 'ada' },
    })

    expect(answer).toMatchObject({ http: 400, key: 'missing_vouchers', message: 'Missing vouchers' })
  })
})

describe('events', () => {
  test('an event is accepted with nulls for what is not given', async () => {
    const { project_id } = sandbox.credentials
    await call('POST', `/management/v1/projects/${project_id}/custom-event-schemas`, {
      name: 'tea_tasted',
      schema: { properties: {} },
    })

    const answer = await call('POST', '/v1/events', {
      event: 'tea_tasted',
      customer: { source_id: 'taster' },
      referral: null,
      loyalty: null,
      metadata: null,
    })

    expect(answer).toMatchObject({
      http: 200,
      object: 'event',
      customer: { source_id: 'taster', name: null, email: null },
      referral: null,
      loyalty: null,
    })
  })
})

describe('the preparation of a project', () => {
  let campaign: Read

  test('a campaign needs no campaign_type: that of its vouchers says it', async () => {
    campaign = await call('POST', '/v1/campaigns', { name: 'Prepared', voucher: tenPercent })

    expect(campaign).toMatchObject({ http: 200, campaign_type: 'DISCOUNT_COUPONS', type: 'STATIC' })
    for (const unset of ['description', 'start_date', 'expiration_date', 'category', 'updated_at']) {
      expect(campaign).not.toHaveProperty(unset)
    }
    expect(campaign).toMatchObject({ category_id: null, categories: [] })
  })

  test('codes of one’s own go into any campaign', async () => {
    const own = await call('POST', '/v1/vouchers/PREPARED-1', { ...tenPercent, campaign_id: campaign.id })

    expect(own).toMatchObject({ http: 200, code: 'PREPARED-1', campaign_id: campaign.id, type: 'DISCOUNT_VOUCHER' })
    expect(own).not.toHaveProperty('holder_id')
  })

  test('a body that is a number makes one voucher', async () => {
    const one = await call('POST', `/v1/campaigns/${campaign.id}/vouchers`, 1)

    expect(one).toMatchObject({ http: 200, object: 'voucher', campaign_id: campaign.id })
  })

  test('codes are imported into a campaign from CSV, and are listed', async () => {
    const form = new FormData()
    const header = 'Code,Voucher Type,Active,Discount Type,Value,Category,Redemption Limit,Additional Info,Shelf'
    form.append('file', new Blob([`${header}\nPREPARED-CSV,DISCOUNT_VOUCHER,TRUE,PERCENT,10,None,,,top\n`]), 'v.csv')

    const { http, async_action_id } = await call('POST', `/v1/campaigns/${campaign.id}/importCSV`, form)
    expect([http, typeof async_action_id]).toEqual([200, 'string'])
    const done = await eventually(
      () => call('GET', `/v1/async-actions/${async_action_id}`),
      ({ operation_status }) => operation_status !== 'UNKNOWN',
    )
    const { vouchers } = await call('GET', `/v1/vouchers?campaign_id=${campaign.id}&limit=100`)

    expect(done.operation_status).toBe('SUCCESS')
    expect(vouchers.map(({ code }: Read) => code)).toContain('PREPARED-CSV')
  })

  test('vouchers are found by campaign or code', async () => {
    const filters = [
      'filters[campaign_ids][conditions][$in]=camp_none',
      'filters[code][conditions][$is]=PREPARED-1',
      'filters[junction]=OR',
    ]
    const { http, vouchers } = await call('GET', `/v1/vouchers?${filters.map(encodeURI).join('&')}`)

    expect(http).toBe(200)
    expect(vouchers.map(({ code }: Read) => code)).toEqual(['PREPARED-1'])
  })

  test('a segment that follows metadata is created, and a rule that names it tells customers apart', async () => {
    const segment = await call('POST', '/v1/segments', {
      name: 'Not in the club',
      type: 'auto-update',
      filter: { junction: 'and', 'metadata.club': { conditions: { $is_not: 'gold' } } },
    })
    const rule = await call('POST', '/v1/validation-rules', {
      name: 'Only outside the club',
      rules: { '1': { name: 'customer.segment', conditions: { $is: [segment.id] } } },
    })
    const assigned = await call('POST', `/v1/validation-rules/${rule.id}/assignments`, {
      related_object_type: 'voucher',
      related_object_id: 'PREPARED-1',
    })
    await call('POST', '/v1/customers', { source_id: 'gold', metadata: { club: 'gold' } })
    await call('POST', '/v1/customers', { source_id: 'blue', metadata: { club: 'blue' } })
    const validity = async (source_id: string) =>
      (
        await call(
          'POST',
          '/v1/validations',
          voucher('PREPARED-1', { order: { amount: 100 }, customer: { source_id } }),
        )
      ).valid

    expect(segment).toMatchObject({ http: 200, type: 'auto-update' })
    expect(rule).toMatchObject({ http: 200, rules: { logic: '1' } })
    expect(rule).toHaveProperty('bundle_rules')
    expect(assigned).toMatchObject({ related_object_type: 'voucher' })
    expect([await validity('gold'), await validity('blue')]).toEqual([false, true])
  })

  test('a promotion lists its tiers, with their totals', async () => {
    const { id } = await call('POST', '/v1/campaigns', {
      name: 'For all',
      campaign_type: 'PROMOTION',
      promotion: {
        tiers: [{ name: 'Five off', banner: '5 off', action: { discount: { type: 'AMOUNT', amount_off: 500 } } }],
      },
    })

    const promotion = await call('GET', `/v1/campaigns/${id}`)

    expect(promotion).toMatchObject({
      http: 200,
      type: 'STATIC',
      use_voucher_metadata_schema: false,
      promotion: {
        object: 'list',
        data_ref: 'tiers',
        total: 1,
        has_more: false,
        tiers: [
          {
            promotion_id: promotion.id,
            campaign_id: promotion.id,
            summary: { redemptions: { total_redeemed: 0 }, orders: { total_amount: 0, total_discount_amount: 0 } },
          },
        ],
      },
    })
    expect(promotion).not.toHaveProperty('vouchers_count')
  })

  test('the summary of a campaign counts flat', async () => {
    const summary = await call('GET', `/v1/campaigns/${campaign.id}/summary`)

    expect(summary).toMatchObject({
      object: 'campaign_summary',
      campaign: { id: campaign.id },
      redemptions: 0,
      publications: 0,
      validations: expect.any(Number),
    })
  })

  test('a customer is forgotten for good', async () => {
    await call('POST', '/v1/customers', { source_id: 'forgotten' })

    const answer = await call('POST', '/v1/customers/forgotten/permanent-deletion', {})

    expect(answer).toMatchObject({
      status: 'DONE',
      related_object: 'customer',
      data_json: { customer: 1, orders: 0 },
      object: 'pernament_deletion',
    })
    expect((await call('GET', '/v1/customers/forgotten')).http).toBe(404)
  })
})

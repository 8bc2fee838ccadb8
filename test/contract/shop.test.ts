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
      summary: { redemptions: { total_redeemed: 2 } },
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
  test('codes are imported into a campaign from CSV, and are listed', async () => {
    const campaign = await call('POST', '/v1/campaigns', { name: 'Prepared', voucher: tenPercent })
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

  test('a segment that follows metadata is created, and a rule that names it tells customers apart', async () => {
    await call('POST', '/v1/vouchers/PREPARED-1', tenPercent)
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
})

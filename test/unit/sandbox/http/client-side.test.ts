import { afterEach, expect, test } from 'vitest'
import type { RunningSandbox } from '../../../../src/sandbox/embedded.ts'
import { startTestSandbox, type TestSandbox, testSandbox } from '../../../support/sandbox.ts'

const shop = {
  campaigns: [{ id: 'camp_1', name: 'P', campaign_type: 'PROMOTION', type: 'STANDALONE', active: true, metadata: {} }],
  vouchers: [{ id: 'v_A', code: 'A', discount: { type: 'AMOUNT', amount_off: 500 }, redemption: { quantity: 1 } }],
  event_schemas: [{ id: 'ms_1', name: 'visited', schema: { properties: {} } }],
  promotion_tiers: [
    { id: 'promo_1', name: 'T', campaign_id: 'camp_1', action: { discount: { type: 'AMOUNT', amount_off: 100 } } },
  ],
}

const order = { amount: 2000 }
const aVoucher = { redeemables: [{ object: 'voucher', id: 'A' }], order }

/** The headers of a page of the shop. */
function pageHeaders({ credentials }: Pick<TestSandbox, 'credentials'>) {
  return {
    'x-app-id': undefined,
    'x-app-token': undefined,
    'x-client-application-id': credentials.client_app_id,
    'x-client-token': credentials.client_token,
    origin: 'http://localhost:3000',
  }
}

function page(settings: object = {}) {
  const sandbox = testSandbox({ fixture: { ...shop, settings } })
  const fromPage = (path: string, body: unknown, headers: Record<string, string | undefined> = {}) =>
    sandbox.call('POST', `/client/v1${path}`, { body, headers: { ...pageHeaders(sandbox), ...headers } })
  return { ...sandbox, fromPage }
}

test('a page validates codes and promotions as the server side does', () => {
  const { fromPage, ask } = page()

  const valid = { valid: true, order: { total_amount: 1500 } }
  expect(fromPage('/validations', aVoucher)).toMatchObject({ status: 200, body: valid })
  const promotions = fromPage('/promotions/validation', { order }).body
  expect(promotions).toEqual(ask('POST /v1/promotions/validation', { order }))
})

test('a page reports what a customer did', () => {
  const { fromPage, ask } = page({ client_create_customer_enabled: true })
  const event = { event: 'visited', customer: { source_id: 'c-1' } }

  const unknown = fromPage('/events', { ...event, event: 'danced' })
  expect(unknown).toMatchObject({ status: 404, body: { key: 'not_found' } })
  const { status, body } = fromPage('/events', event)
  expect([status, body]).toMatchObject([200, { object: 'event', type: 'visited' }])
  ask('GET /v1/customers/c-1', { id: body.customer.id })
})

test('a lock that a page opens holds on the server side', () => {
  const { fromPage, ask } = page()

  fromPage('/validations', { ...aVoucher, session: { type: 'LOCK' } })

  const exceeded = [{ result: { error: { key: 'quantity_exceeded' } } }]
  ask('POST /v1/validations', aVoucher, { redeemables: exceeded })
})

test.each([
  ['no keys', { 'x-client-application-id': undefined, 'x-client-token': undefined }],
  ['half a pair', { 'x-client-token': undefined }],
  ['a wrong token', { 'x-client-token': 'x' }],
  ['an unknown application', { 'x-client-application-id': 'x' }],
])('a page with %s is refused', (_, headers) => {
  const body = { code: 401, key: 'unauthorized' }
  expect(page().fromPage('/validations', aVoucher, headers)).toMatchObject({ status: 401, body })
})

/** The headers of a call with a token for a scope. */
function bearing({ call }: Pick<TestSandbox, 'call'>, scope: string) {
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }
  const asked = { raw: `grant_type=client_credentials&scope=${scope}`, headers }
  const { access_token } = call('POST', '/v1/oauth/token', asked).body
  return { 'x-app-id': undefined, 'x-app-token': undefined, authorization: `Bearer ${access_token}` }
}

test.each([
  ['client_validations', '/client/v1/validations', 200],
  ['client_api', '/client/v1/validations', 200],
  ['client_promotions', '/client/v1/validations', 403],
  ['validations', '/client/v1/validations', 403],
  ['client_validations', '/v1/validations', 403],
])('a token with the scope %s may call only its part: %s is answered %d', (scope, path, status) => {
  const sandbox = page()

  expect(sandbox.call('POST', path, { body: aVoucher, headers: bearing(sandbox, scope) }).status).toBe(status)
})

test.each([
  [undefined, undefined, 200],
  ['http://localhost:5173', undefined, 200],
  ['https://shop.example', ['shop.example'], 200],
  ['https://shop.example', undefined, 403],
  ['null', undefined, 403],
])('a client-side token with the origin %s and the list %j is answered with %d', (origin, trusted, status) => {
  const sandbox = page(trusted ? { client_trusted_domains: trusted } : {})
  const headers = { ...bearing(sandbox, 'client_api'), origin }

  expect(sandbox.call('POST', '/client/v1/validations', { body: aVoucher, headers }).status).toBe(status)
})

test('neither side accepts the keys of the other', () => {
  const { call, fromPage, credentials } = page()
  const { app_id, app_token, client_app_id, client_token } = credentials

  const ofServer = { 'x-client-application-id': app_id, 'x-client-token': app_token }
  expect(fromPage('/validations', aVoucher, ofServer).status).toBe(401)
  const headers = { 'x-app-id': client_app_id, 'x-app-token': client_token }
  expect(call('POST', '/v1/validations', { body: aVoucher, headers }).status).toBe(401)
})

test.each([
  ['http://localhost:5173', undefined, 200],
  ['http://127.0.0.1', undefined, 200],
  ['http://[::1]:80', undefined, 200],
  ['https://shop.example', undefined, 403],
  ['https://shop.example', ['https://shop.example'], 200],
  ['https://shop.example:444', ['https://shop.example'], 403],
  ['https://shop.example', ['shop.example'], 200],
  ['https://shop.example.evil.example', ['shop.example'], 403],
  ['https://other.example', ['*'], 200],
  ['http://localhost.evil.example', [], 403],
  ['null', [], 403],
  [undefined, ['*'], 403],
])('the origin %s with the list %j is answered with %d', (origin, client_trusted_domains, status) => {
  const { fromPage } = page(client_trusted_domains ? { client_trusted_domains } : {})

  expect(fromPage('/validations', aVoucher, { origin }).status).toBe(status)
})

/** Ada and her card in a club with points for the event `visited`, and somebody's page. */
function clubPage(settings: object = {}) {
  const card = { type: 'LOYALTY_CARD', loyalty_card: { points: 0 }, campaign_id: 'camp_2', holder_id: 'cust_ada' }
  const sandbox = testSandbox({
    fixture: {
      ...shop,
      settings,
      customers: [{ id: 'cust_ada', source_id: 'ada', name: 'Ada' }],
      campaigns: [
        ...shop.campaigns,
        { id: 'camp_3', name: 'Gifts', campaign_type: 'GIFT_VOUCHERS', type: 'STATIC', active: true, metadata: {} },
        { id: 'camp_2', name: 'C', campaign_type: 'LOYALTY_PROGRAM', type: 'STATIC', active: true, metadata: {} },
      ],
      vouchers: [
        ...shop.vouchers,
        { code: 'GIFT', campaign_id: 'camp_3', type: 'GIFT_VOUCHER', gift: { amount: 100 } },
        { code: 'ADA', ...card },
      ],
      event_schemas: [{ name: 'visited' }, { name: 'bought' }],
      earning_rules: [{ campaign_id: 'camp_2', event: 'bought', loyalty: { type: 'FIXED', points: 9 } }],
    },
  })
  const headers = pageHeaders(sandbox)
  const send = (asked: string, body: unknown) => {
    const [path, query = ''] = asked.split('?')
    return sandbox.call('POST', `/client/v1${path}`, { body, query, headers })
  }
  const look = (path: string, query = '') => sandbox.call('GET', `/client/v1${path}`, { query, headers })
  return { ...sandbox, send, look, headers }
}

const ada = { source_id: 'ada' }
const visited = (customer: object) => ({ event: 'visited', customer })

test.each<[what: string, permission: string, path: string, body: object]>([
  ['creates a customer', 'create_customer', '/customers', { source_id: 'new' }],
  ['creates a customer by an event', 'create_customer', '/events', visited({ source_id: 'new' })],
  ['changes a customer by an event', 'create_customer', '/events', visited({ ...ada, name: 'Eve' })],
  ['reports an event that earns points', 'loyalty_events', '/events', { event: 'bought', customer: ada }],
  ['names a card in an event', 'loyalty_events', '/events', { ...visited(ada), loyalty: { code: 'ADA' } }],
  ['redeems', 'redeem', '/redemptions', { ...aVoucher, customer: ada }],
  ['redeems by the older call', 'redeem', '/redeem?code=A', { order, customer: ada }],
  ['redeems a tier by the older call', 'redeem', '/promotions/tiers/promo_1/redemption', { order, customer: ada }],
  ['publishes', 'publish', '/publish?campaign=Gifts', { customer: ada }],
])('a page that %s needs the permission client_%s_enabled, which is off by default', async (_, what, path, asked) => {
  const permission = `client_${what}_enabled`
  const closed = clubPage()

  const body = { key: 'forbidden', details: expect.stringContaining(permission) }
  expect(closed.send(path, asked)).toMatchObject({ status: 403, body })
  await closed.settled()
  expect(closed.events()).toEqual([])
  expect(clubPage({ [permission]: true }).send(path, asked).status).toBe(200)
})

test('a page with no permission reports what a known customer did, and nothing of the customer changes', () => {
  const { send, ask, events } = clubPage()
  const before = ask('GET /v1/customers/ada')

  expect(send('/events', visited(ada))).toMatchObject({ status: 200, body: { type: 'visited' } })
  expect(ask('GET /v1/customers/ada')).toEqual(before)
  expect(events()).toEqual([])
})

const stranger = { customer: { source_id: 'x' } }

test.each([
  [403, '/redeem?code=A', { order, ...stranger }],
  [403, '/redeem?code=A&tracking_id=x', { order }],
  [403, '/publish?campaign=Gifts', stranger],
  [403, '/publish?campaign=Gifts', { customer: 'x' }],
  [403, '/redemptions', { ...aVoucher, ...stranger }],
  [403, '/redemptions', { ...aVoucher, order: { ...order, customer: { name: 'X' } } }],
  [403, '/redemptions', { ...aVoucher, tracking_id: 'x' }],
  [403, '/events', visited({ source_id: 'x' })],
  [200, '/redemptions', { ...aVoucher, customer: ada }],
  [200, '/publish?campaign=Gifts', { customer: 'ada' }],
])('a page that may redeem or publish creates no customer by the way: %d for %s %j', (status, path, body) => {
  const { send, ask } = clubPage({ client_redeem_enabled: true, client_publish_enabled: true })

  expect(send(path, body).status).toBe(status)
  ask('GET /v1/customers', { total: 1 })
})

test('a page lists promotion tiers as the server side does', () => {
  const { look, ask } = clubPage()

  const { status, body } = look('/promotions/tiers', 'limit=5')

  expect([status, body]).toEqual([200, ask('GET /v1/promotions/tiers?limit=5', { tiers: [{}] })])
})

const cart = 'amount=2000&item[0][product_id]=p&item[0][quantity]=2&item[0][amount]=2000&order[metadata][gift]=yes'

test('an older page validates a code with the cart in the query, as the server side does', () => {
  const { look, ask } = clubPage()

  const { body } = look('/validate', `code=A&${cart}&customer[source_id]=ada&metadata[page]=7`)

  const items = [{ product_id: 'p', quantity: 2, amount: 2000 }]
  const asked = { order: { amount: 2000, items, metadata: { gift: 'yes' } }, customer: ada, metadata: { page: '7' } }
  const valid = { valid: true, code: 'A', order: { total_amount: 1500 } }
  expect(body).toEqual(ask('POST /v1/vouchers/A/validate', asked, valid))
  expect(look('/validate', 'code=NONE').body).toMatchObject({ valid: false, error: { key: 'not_found' } })
  expect(look('/validate', 'amount=5').body).toMatchObject({ code: 400, details: expect.stringMatching(/'code'/) })
})

test('a lock that an older page opens in its query holds on the server side', () => {
  const { look, ask } = clubPage()

  const { session } = look(
    '/validate',
    'code=A&amount=2000&session_type=LOCK&session_ttl=5&session_ttl_unit=HOURS',
  ).body

  expect(session).toMatchObject({ type: 'LOCK', ttl: 5, ttl_unit: 'HOURS' })
  ask('POST /v1/validations', aVoucher, { valid: false })
})

test('an older page that names no code validates the promotions', () => {
  const { look, ask } = clubPage()

  const { status, body } = look('/promotions/validation', `${cart}&tracking_id=ada`)

  const { order: _, ...alone } = ask('POST /v1/promotions/validation', { order })
  expect([status, Object.keys(body)]).toEqual([200, Object.keys(alone)])
  expect(body.promotions).toMatchObject([{ id: 'promo_1', order: { metadata: { gift: 'yes' }, total_amount: 1900 } }])
})

test('an older page redeems with an empty customer for nobody, and a refusal has its key', () => {
  const { send } = clubPage({ client_redeem_enabled: true })
  const made = { object: 'redemption', result: 'SUCCESS', customer_id: null }
  const body = { ...made, voucher: { code: 'A' }, order: { amount: 2000 } }

  expect(send('/redeem?code=A', { order, customer: {} })).toMatchObject({ status: 200, body })
  expect(send('/redeem?code=A', { order })).toMatchObject({ status: 400, body: { key: 'quantity_exceeded' } })
})

test('a page publishes a code of a campaign to a customer, once if it asks so', () => {
  const { send } = clubPage({ client_publish_enabled: true })
  const body = { customer: ada, channel: 'Voucherify.js' }

  const first = send('/publish?campaign=Gifts&join_once=true', body)

  expect(first).toMatchObject({ status: 200, body: { object: 'publication', channel: 'Voucherify.js' } })
  expect(send('/publish?campaign=Gifts&join_once=true', body).body.id).toBe(first.body.id)
  expect(send('/publish', body)).toMatchObject({ status: 400, body: { details: expect.stringMatching(/'campaign'/) } })
})

test('a page lists vouchers with few of their members, where the project allows it', () => {
  const { look, ask } = clubPage({ client_list_vouchers_enabled: true })

  const refused = { key: 'forbidden', details: expect.stringContaining('client_list_vouchers_enabled') }
  expect(clubPage().look('/vouchers')).toMatchObject({ status: 403, body: refused })
  const { status, body } = look('/vouchers', 'campaign=C&limit=1')
  expect([status, body.total]).toEqual([200, ask('GET /v1/vouchers?campaign=C').total])
  const members = 'active assets code created_at expiration_date metadata object start_date'
  expect(Object.keys(body.vouchers[0]).toSorted()).toEqual(members.split(' '))
})

const open: RunningSandbox[] = []
afterEach(async () => {
  await Promise.all(open.splice(0).map((sandbox) => sandbox.close()))
})

async function served() {
  const sandbox = await startTestSandbox({ fixture: shop, demo: false })
  open.push(sandbox)
  const { client_app_id, client_token } = sandbox.credentials
  const send = (origin: string, method = 'POST', path = '/client/v1/validations') =>
    fetch(sandbox.url + path, {
      method,
      headers: {
        'content-type': 'application/json',
        'x-client-application-id': client_app_id,
        'x-client-token': client_token,
        origin,
      },
      ...(method === 'POST' && { body: JSON.stringify(aVoucher) }),
    })
  return { ...sandbox, send }
}

test.each([200, 204, 400, 401, 404, 405, 429])(
  'a page of a foreign origin may not read an answer with %i',
  async (status) => {
    const { url, credentials } = await served()
    const keys = { 'x-client-application-id': credentials.client_app_id, 'x-client-token': credentials.client_token }
    const calls: Record<number, [method: string, path: string, headers: Record<string, string>, body?: string]> = {
      200: ['POST', '/client/v1/validations', keys, JSON.stringify(aVoucher)],
      204: ['OPTIONS', '/client/v1/validations', {}],
      400: ['POST', '/client/v1/validations', keys, '{}'],
      401: ['POST', '/client/v1/validations', { ...keys, 'x-client-token': 'wrong' }, '{}'],
      404: ['GET', '/client/v1/nothing', {}],
      405: ['DELETE', '/client/v1/validations', {}],
      429: ['POST', '/client/v1/validations', keys, '{}'],
    }
    const [method, path, headers, body] = calls[status] as (typeof calls)[number]
    const from = async (origin: string) => {
      const type = { 'content-type': 'application/json' }
      const answer = await fetch(`${url}${path}`, {
        method,
        headers: { ...headers, ...type, origin },
        body: body ?? null,
      })
      return { status: answer.status, mayRead: answer.headers.get('access-control-allow-origin') }
    }

    if (status === 429) for (let call = 0; call < 5; call += 1) await from('http://localhost:1')
    const own = await from('http://localhost:3000')
    const foreign = await from('https://evil.example')

    expect(own).toEqual({ status, mayRead: 'http://localhost:3000' })
    expect(foreign.mayRead).toBeNull()
  },
)

test('a page may read its answer, with credentials, and send the headers of the published clients', async () => {
  const { send } = await served()

  const preflight = await send('http://localhost:3000', 'OPTIONS')
  const own = await send('http://localhost:3000')
  const foreign = await send('https://evil.example')

  expect([preflight, own, foreign].map(({ status }) => status)).toEqual([204, 200, 403])
  expect(own.headers.get('vary')).toBe('Origin')
  expect(preflight.headers.get('access-control-allow-methods')).toBe('GET, POST')
  expect(preflight.headers.get('access-control-allow-headers')?.split(', ')).toEqual([
    'Authorization',
    'Content-Type',
    'X-Client-Application-Id',
    'X-Client-Token',
    'X-Voucherify-API-Version',
    'X-Voucherify-Channel',
    'X-Voucherify-Double-Opt-In',
  ])
  expect([preflight, own, foreign].map(({ headers }) => headers.get('access-control-allow-credentials'))).toEqual([
    'true',
    'true',
    null,
  ])
})

test('the sixth client-side call within five seconds is refused, and the server side continues', async () => {
  const { send, url, credentials } = await served()
  for (let n = 0; n < 5; n += 1) expect((await send('http://localhost')).status).toBe(200)

  const sixth = await send('http://localhost')
  const serverSide = await fetch(`${url}/v1/vouchers`, {
    headers: { 'x-app-id': credentials.app_id, 'x-app-token': credentials.app_token },
  })

  expect(sixth.status).toBe(429)
  expect(await sixth.json()).toEqual({ code: 429, message: 'Too many requests hit the API too quickly.' })
  expect(Number(sixth.headers.get('retry-after'))).toBeGreaterThan(0)
  expect(serverSide.status).toBe(200)
})

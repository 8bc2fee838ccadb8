import { afterEach, expect, test } from 'vitest'
import type { RunningSandbox } from '../../../../src/sandbox/embedded.ts'
import { startTestSandbox, testSandbox } from '../../../support/sandbox.ts'

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

function page(settings: object = {}) {
  const sandbox = testSandbox({ fixture: { ...shop, settings } })
  const { client_app_id, client_token } = sandbox.credentials
  const call = (path: string, body: unknown, headers: Record<string, string | undefined> = {}) =>
    sandbox.call('POST', path, {
      body,
      headers: {
        'x-app-id': undefined,
        'x-app-token': undefined,
        'x-client-application-id': client_app_id,
        'x-client-token': client_token,
        origin: 'http://localhost:3000',
        ...headers,
      },
    })
  return { ...sandbox, fromPage: call }
}

test('a page validates codes and promotions as the server side does', () => {
  const { fromPage, post } = page()

  const codes = fromPage('/client/v1/validations', aVoucher)
  const promotions = fromPage('/client/v1/promotions/validation', { order })

  expect(codes.status).toBe(200)
  expect(codes.body).toMatchObject({ valid: true, order: { total_amount: 1500 } })
  expect(promotions.body).toEqual(post('/v1/promotions/validation', { order }).body)
})

test('a page reports what a customer did', () => {
  const { fromPage, get } = page({ client_create_customer_enabled: true })
  const event = { event: 'visited', customer: { source_id: 'c-1' } }

  const unknown = fromPage('/client/v1/events', { ...event, event: 'danced' })
  const told = fromPage('/client/v1/events', event)

  expect(unknown).toMatchObject({ status: 404, body: { key: 'not_found' } })
  expect(told).toMatchObject({ status: 200, body: { object: 'event', type: 'visited' } })
  expect(get('/v1/customers/c-1').body.id).toBe(told.body.customer.id)
})

test('a lock that a page opens holds on the server side', () => {
  const { fromPage, post } = page()

  fromPage('/client/v1/validations', { ...aVoucher, session: { type: 'LOCK' } })

  expect(post('/v1/validations', aVoucher).body.redeemables[0].result.error.key).toBe('quantity_exceeded')
})

test.each([
  ['no keys', { 'x-client-application-id': undefined, 'x-client-token': undefined }],
  ['half a pair', { 'x-client-token': undefined }],
  ['a wrong token', { 'x-client-token': 'x' }],
  ['an unknown application', { 'x-client-application-id': 'x' }],
])('a page with %s is refused', (_, headers) => {
  expect(page().fromPage('/client/v1/validations', aVoucher, headers)).toMatchObject({
    status: 401,
    body: { code: 401, key: 'unauthorized' },
  })
})

test('a token with a client-side scope may call only its part of the client side', () => {
  const { call } = page()
  const tokenFor = (scope: string) =>
    call('POST', '/v1/oauth/token', {
      raw: `grant_type=client_credentials&scope=${scope}`,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    }).body.access_token
  const status = (scope: string, path: string) => {
    const headers = { 'x-app-id': undefined, 'x-app-token': undefined, authorization: `Bearer ${tokenFor(scope)}` }
    return call('POST', path, { body: aVoucher, headers }).status
  }

  expect(status('client_validations', '/client/v1/validations')).toBe(200)
  expect(status('client_api', '/client/v1/validations')).toBe(200)
  expect(status('client_promotions', '/client/v1/validations')).toBe(403)
  expect(status('validations', '/client/v1/validations')).toBe(403)
  expect(status('client_validations', '/v1/validations')).toBe(403)
})

test.each([
  [undefined, undefined, 200],
  ['http://localhost:5173', undefined, 200],
  ['https://shop.example', ['shop.example'], 200],
  ['https://shop.example', undefined, 403],
  ['null', undefined, 403],
])('a client-side token with the origin %s and the list %j is answered with %d', (origin, trusted, status) => {
  const { call } = page(trusted ? { client_trusted_domains: trusted } : {})
  const { access_token } = call('POST', '/v1/oauth/token', {
    raw: 'grant_type=client_credentials&scope=client_api',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  }).body
  const headers = { 'x-app-id': undefined, 'x-app-token': undefined, authorization: `Bearer ${access_token}`, origin }

  expect(call('POST', '/client/v1/validations', { body: aVoucher, headers }).status).toBe(status)
})

test('neither side accepts the keys of the other', () => {
  const { call, credentials } = page()
  const { app_id, app_token, client_app_id, client_token } = credentials

  const onClientSide = call('POST', '/client/v1/validations', {
    body: aVoucher,
    headers: { 'x-client-application-id': app_id, 'x-client-token': app_token, origin: 'http://localhost' },
  })
  const onServerSide = call('POST', '/v1/validations', {
    body: aVoucher,
    headers: { 'x-app-id': client_app_id, 'x-app-token': client_token },
  })

  expect([onClientSide.status, onServerSide.status]).toEqual([401, 401])
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

  expect(fromPage('/client/v1/validations', aVoucher, { origin }).status).toBe(status)
})

/** Ada and her card in a club with points for the event `visited`, and somebody's page. */
function clubPage(settings: object = {}) {
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
        {
          code: 'ADA',
          type: 'LOYALTY_CARD',
          loyalty_card: { points: 0 },
          campaign_id: 'camp_2',
          holder_id: 'cust_ada',
        },
      ],
      event_schemas: [{ name: 'visited' }, { name: 'bought' }],
      earning_rules: [{ campaign_id: 'camp_2', event: 'bought', loyalty: { type: 'FIXED', points: 9 } }],
    },
  })
  const { client_app_id, client_token } = sandbox.credentials
  const headers = {
    'x-app-id': undefined,
    'x-app-token': undefined,
    'x-client-application-id': client_app_id,
    'x-client-token': client_token,
    origin: 'http://localhost:3000',
  }
  const send = (asked: string, body: unknown) => {
    const [path, query = ''] = asked.split('?')
    return sandbox.call('POST', `/client/v1${path}`, { body, query, headers })
  }
  const ask = (path: string, query = '') => sandbox.call('GET', `/client/v1${path}`, { query, headers })
  return { ...sandbox, send, ask, headers }
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
])('a page that %s needs the permission client_%s_enabled, which is off by default', async (_, what, path, body) => {
  const permission = `client_${what}_enabled`
  const closed = clubPage()
  const opened = clubPage({ [permission]: true })

  const refused = closed.send(path, body)
  await closed.settled()

  expect(refused).toMatchObject({
    status: 403,
    body: { key: 'forbidden', details: expect.stringContaining(permission) },
  })
  expect(closed.events()).toEqual([])
  expect(opened.send(path, body).status).toBe(200)
})

test('a page with no permission reports what a known customer did, and nothing of the customer changes', () => {
  const { send, get, events } = clubPage()
  const before = get('/v1/customers/ada').body

  expect(send('/events', { event: 'visited', customer: ada })).toMatchObject({ status: 200, body: { type: 'visited' } })
  expect(get('/v1/customers/ada').body).toEqual(before)
  expect(events()).toEqual([])
})

test('a page that may redeem or publish still cannot create the customer by the way', () => {
  const { send, get } = clubPage({ client_redeem_enabled: true, client_publish_enabled: true })
  const stranger = { customer: { source_id: 'x' } }

  for (const [path, body] of [
    ['/redeem?code=A', { order, ...stranger }],
    ['/redeem?code=A&tracking_id=x', { order }],
    ['/publish?campaign=Gifts', stranger],
    ['/publish?campaign=Gifts', { customer: 'x' }],
    ['/redemptions', { ...aVoucher, ...stranger }],
    ['/redemptions', { ...aVoucher, order: { ...order, customer: { name: 'X' } } }],
    ['/redemptions', { ...aVoucher, tracking_id: 'x' }],
    ['/events', visited({ source_id: 'x' })],
  ] as const)
    expect([path, body, send(path, body).status]).toEqual([path, body, 403])
  expect(get('/v1/customers').body.total).toBe(1)

  expect(send('/redemptions', { ...aVoucher, customer: ada }).status).toBe(200)
  expect(send('/publish?campaign=Gifts', { customer: 'ada' }).status).toBe(200)
})

test('a page lists promotion tiers as the server side does', () => {
  const { call, get, headers } = clubPage()

  const shown = call('GET', '/client/v1/promotions/tiers', { query: 'limit=5', headers })

  expect(shown.status).toBe(200)
  expect(shown.body).toEqual(get('/v1/promotions/tiers', 'limit=5').body)
  expect(shown.body.tiers).toHaveLength(1)
})

const cart = 'amount=2000&item[0][product_id]=p&item[0][quantity]=2&item[0][amount]=2000&order[metadata][gift]=yes'

test('an older page validates a code with the cart in the query, as the server side does', () => {
  const { ask, post } = clubPage()

  const shown = ask('/validate', `code=A&${cart}&customer[source_id]=ada&metadata[page]=7`)

  const items = [{ product_id: 'p', quantity: 2, amount: 2000 }]
  const body = { order: { amount: 2000, items, metadata: { gift: 'yes' } }, customer: ada, metadata: { page: '7' } }
  expect(shown).toMatchObject({ status: 200, body: { valid: true, code: 'A', order: { total_amount: 1500 } } })
  expect(shown.body).toEqual(post('/v1/vouchers/A/validate', body).body)
  expect(ask('/validate', 'code=NONE').body).toMatchObject({ valid: false, error: { key: 'not_found' } })
  expect(ask('/validate', 'amount=5')).toMatchObject({
    status: 400,
    body: { details: expect.stringMatching(/'code'/) },
  })
})

test('a lock that an older page opens in its query holds on the server side', () => {
  const { ask, post } = clubPage()

  const { session } = ask('/validate', 'code=A&amount=2000&session_type=LOCK&session_ttl=5&session_ttl_unit=HOURS').body

  expect(session).toMatchObject({ type: 'LOCK', ttl: 5, ttl_unit: 'HOURS' })
  expect(post('/v1/validations', aVoucher).body.valid).toBe(false)
})

test('an older page that names no code validates the promotions', () => {
  const { ask, post } = clubPage()

  const { status, body } = ask('/promotions/validation', `${cart}&tracking_id=ada`)

  expect([status, body.promotions.length]).toEqual([200, 1])
  const { order: _, ...alone } = post('/v1/promotions/validation', { order }).body
  expect(Object.keys(body)).toEqual(Object.keys(alone))
  expect(body.promotions[0]).toMatchObject({ id: 'promo_1', order: { metadata: { gift: 'yes' }, total_amount: 1900 } })
})

test('an older page redeems with an empty customer for nobody, and a refusal has its key', () => {
  const { send } = clubPage({ client_redeem_enabled: true })

  expect(send('/redeem?code=A', { order, customer: {} })).toMatchObject({
    status: 200,
    body: {
      object: 'redemption',
      result: 'SUCCESS',
      customer_id: null,
      voucher: { code: 'A' },
      order: { amount: 2000 },
    },
  })
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
  const closed = clubPage()
  const { ask, get } = clubPage({ client_list_vouchers_enabled: true })

  const { status, body } = ask('/vouchers', 'campaign=C&limit=1')

  expect(closed.ask('/vouchers')).toMatchObject({
    status: 403,
    body: { key: 'forbidden', details: expect.stringContaining('client_list_vouchers_enabled') },
  })
  expect([status, body.total]).toEqual([200, get('/v1/vouchers', 'campaign=C').body.total])
  expect(Object.keys(body.vouchers[0]).toSorted()).toEqual([
    'active',
    'assets',
    'code',
    'created_at',
    'expiration_date',
    'metadata',
    'object',
    'start_date',
  ])
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

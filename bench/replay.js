// A day of mixed requests, played to two builds of the service: `node bench/replay.js CHECKOUT` compares every answer of this one with
// that of the other, byte for byte. Time, ids and everything random are the same in both, so that nothing may differ but the `Date` header.
import { spawn } from 'node:child_process'
import crypto from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { Pool } from 'undici'

const root = resolve(import.meta.dirname, '..')
const begin = Date.parse('2026-05-06T07:08:09.123Z')
const host = 'shop.test'
/** 5,000 requests are a day. */
const betweenSeconds = 17

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    requests: { type: 'string', default: '5000' },
    seed: { type: 'string', default: '1' },
    play: { type: 'string' },
    into: { type: 'string' },
    list: { type: 'string' },
    port: { type: 'string' },
  },
})
if (values.play === undefined) await compare(positionals[0])
else await play(values.play, values.into, values.list)

/** Plays the day to both, and ends with exit code 1 at the first answers that differ. */
async function compare(other) {
  if (other === undefined) throw new Error('usage: node bench/replay.js CHECKOUT [--requests N] [--seed N]')
  const folder = mkdtempSync(join(tmpdir(), 'promo-replay-'))
  try {
    // Work after an answer names the address of the service.
    const port = await freePort()
    const [one, two] = [join(folder, 'one.json'), join(folder, 'two.json')]
    await run(['--play', root, '--into', one, '--port', port])
    // The other one gets the requests that were made of the answers of the first.
    await run(['--play', resolve(other), '--into', two, '--port', port, '--list', one])
    const [ours, theirs] = [one, two].map((file) => JSON.parse(readFileSync(file, 'utf8')))
    const at = ours.findIndex(({ answer }, n) => JSON.stringify(answer) !== JSON.stringify(theirs[n].answer))
    const statuses = Map.groupBy(ours, ({ answer }) => answer.status)
    const counts = [...statuses].toSorted(([a], [b]) => a - b).map(([status, all]) => `${all.length} × ${status}`)
    const calls = new Set(ours.map(({ request }) => `${request.method} ${request.call}`))
    console.log(`${ours.length} requests of ${calls.size} calls, seed ${values.seed}: ${counts.join(', ')}`)
    if (at === -1) return console.log('every answer is the same, byte for byte')
    console.log(`request ${at + 1}: ${JSON.stringify(ours[at].request)}`)
    const [here, there] = [ours, theirs].map((all) => JSON.stringify(all[at].answer))
    const from = here.split('').findIndex((letter, n) => letter !== there[n])
    for (const [where, text] of Object.entries({ here, there }))
      console.log(where, text.slice(Math.max(0, from - 200), from + 200))
    process.exitCode = 1
  } finally {
    rmSync(folder, { recursive: true })
  }
}

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address()
  await new Promise((done) => server.close(done))
  return String(port)
}

async function run(args) {
  const own = [import.meta.filename, ...args, '--requests', values.requests, '--seed', values.seed]
  const child = spawn(process.execPath, own, { stdio: 'inherit' })
  const code = await new Promise((done) => child.on('close', done))
  if (code !== 0) throw new Error(`${args.join(' ')} ended with ${code}`)
}

/** Serves a checkout in this process, plays requests to it, new ones unless there is a list, and writes them with their answers. */
async function play(checkout, into, list) {
  const random = randomFrom(7)
  Object.assign(crypto, {
    randomInt: (low, high = low) => (high === low ? 0 : low) + Math.floor(random() * (high - (high === low ? 0 : low))),
    randomBytes: (size) => Buffer.from(Array.from({ length: size }, () => Math.floor(random() * 256))),
  })
  syncBuiltinESMExports()
  const { startSandbox } = await import(join(checkout, 'src/sandbox/embedded.ts'))
  const { webhooks: _, ...fixture } = JSON.parse(readFileSync(join(root, 'examples/full-fixture.json'), 'utf8'))
  const keys = Object.fromEntries(
    ['app_id', 'app_token', 'client_app_id', 'client_token', 'management_id', 'management_token', 'webhook_secret'].map(
      (name) => [name, `${name}-of-the-replay`],
    ),
  )
  let made = 0
  const played = []
  const { url, control, close, credentials } = await startSandbox({
    file: ':memory:',
    port: Number(values.port),
    fixture,
    keys,
    allowedHosts: [host],
    time: { at: new Date(begin).toISOString() },
    now: () => new Date(begin + 1000 * betweenSeconds * played.length).toISOString(),
    id: (prefix) => {
      made += 1
      return prefix + made.toString(16).padStart(18, '0')
    },
    report: (error) => console.error(error),
  })
  // Builds may differ in how many ids they make of the fixture.
  made = 2 ** 16
  const client = new Pool(url, { connections: 1 })
  const headers = {
    host,
    'x-app-id': keys.app_id,
    'x-app-token': keys.app_token,
    'x-management-id': keys.management_id,
    'x-management-token': keys.management_token,
    'x-client-application-id': keys.client_app_id,
    'x-client-token': keys.client_token,
  }
  const given = list && JSON.parse(readFileSync(list, 'utf8'))
  const shop = given ? undefined : await shopper(credentials.project_id)
  for (let n = 0; n < Number(values.requests); n += 1) {
    const request = given ? given[n].request : shop.next()
    const { method, path, body } = request
    const sent = {
      ...headers,
      ...(path.startsWith('/client/') && { origin: 'http://localhost' }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
    }
    const answer = await client.request({ method, path, headers: sent, body: body && JSON.stringify(body) })
    const { date: _date, ...others } = answer.headers
    const text = await answer.body.text()
    played.push({ request, answer: { status: answer.statusCode, headers: others, text } })
    shop?.learn(text)
    if (method !== 'GET' || n % 50 === 0) await control.call('clock.advance', { by: `${betweenSeconds}s` })
  }
  writeFileSync(into, JSON.stringify(played))
  await client.close()
  await close()
}

/** Makes requests of what the answers told so far. */
async function shopper(projectId) {
  const { endpoints } = await import(join(root, 'src/contract/catalogue.ts'))
  const reads = endpoints.filter(({ method }) => method === 'GET')
  const random = randomFrom(Number(values.seed))
  const below = (limit) => Math.floor(random() * limit)
  const pick = (of) => of[below(of.length)]
  const some = (of, most) => Array.from({ length: 1 + below(most) }, () => pick(of))
  const chance = (share) => random() < share
  const known = {
    codes: ['SEASON-1', 'MORNINGS', 'FREE', 'BEANS', 'GIFT-1', 'FRIEND-1', 'none'],
    cards: ['CLUB-1'],
    people: ['shop-1', 'shop-2', 'shop-3', 'shop-4'],
    products: ['beans', 'cups'],
    keys: ['key-1', 'key-2'],
  }
  const ids = new Map()
  const idsOf = (...prefixes) => [...prefixes.flatMap((prefix) => ids.get(prefix) ?? []), 'unknown']
  for (const id of 'camp_season camp_gifts camp_club camp_friends camp_terrace promo_big promo_all stack_both val_forty rew_mug rewa_mug ern_tasting ltr_silver r_season cat_season seg_readers pc_coffee'.split(
    ' ',
  ))
    keep(id)

  function keep(id) {
    const [prefix] = id.split('_', 1)
    const held = ids.get(prefix) ?? []
    if (!held.includes(id)) held.push(id)
    ids.set(prefix, held.slice(-40))
  }

  const placeholders = {
    code: () => pick(chance(0.2) ? known.cards : known.codes),
    campaignId: () => pick(idsOf('camp', 'prom')),
    memberId: () => pick(known.cards),
    promotionTierId: () => pick(idsOf('promo')),
    customerId: () => pick([...known.people, ...idsOf('cust')]),
    redemptionId: () => pick(idsOf('r')),
    parentRedemptionId: () => pick(idsOf('r')),
    productId: () => pick([...known.products, ...idsOf('prod')]),
    projectId: () => projectId,
    sessionKey: () => pick(known.keys),
    resource: () => pick(['voucher', 'customer', 'order']),
  }
  const filled = (path) =>
    path.replaceAll(/\{(\w+)\}/g, (_, name) =>
      encodeURIComponent(placeholders[name]?.() ?? pick([...ids.values()].flat().concat('unknown'))),
    )
  const item = () => ({ product_id: pick(known.products), quantity: 1 + below(4), price: 100 * (1 + below(60)) })
  const order = () => ({
    ...(chance(0.5) ? { amount: 100 * (1 + below(150)) } : { items: Array.from({ length: 1 + below(5) }, item) }),
    ...(chance(0.2) && { metadata: { shelf: pick(['a', 'é', 'z']) } }),
  })
  const customer = () => ({ source_id: pick(known.people), ...(chance(0.2) && { metadata: { vip: chance(0.5) } }) })
  const redeemable = () =>
    chance(0.2)
      ? { object: 'promotion_tier', id: pick(idsOf('promo')) }
      : chance(0.1)
        ? { object: 'voucher', id: pick(known.cards), reward: { points: 1 + below(20) } }
        : { object: 'voucher', id: pick(known.codes) }
  const cart = () => ({
    redeemables: some(Array.from({ length: 4 }, redeemable), 4),
    ...(chance(0.9) && { order: order() }),
    ...(chance(0.7) && { customer: customer() }),
    ...(chance(0.15) && { session: { type: 'LOCK', key: pick(known.keys), ttl: 3, ttl_unit: 'HOURS' } }),
    ...(chance(0.1) && { options: { expand: ['order', 'redeemable', 'category'] } }),
  })
  const discount = () =>
    chance(0.5)
      ? { type: 'PERCENT', percent_off: 1 + below(50) }
      : { type: 'AMOUNT', amount_off: 100 * (1 + below(9)), ...(chance(0.3) && { effect: 'APPLY_TO_ITEMS' }) }
  const voucher = () =>
    chance(0.2)
      ? { type: 'GIFT_VOUCHER', gift: { amount: 1000 * (1 + below(9)) } }
      : { type: 'DISCOUNT_VOUCHER', discount: discount(), redemption: { quantity: 1 + below(5) } }
  const audience = () => ({ customer: customer(), order: order() })
  let named = 0
  const name = (what) => {
    named += 1
    return `${what}-${named}`
  }
  // Of each call its share of the writes, its path, and its body.
  const writes = [
    [20, 'POST /v1/validations', cart],
    [15, 'POST /v1/redemptions', cart],
    [4, 'POST /v1/vouchers/{code}/validate', () => ({ order: order(), customer: customer() })],
    [4, 'POST /v1/vouchers/{code}/redemption', () => ({ order: order(), customer: customer() })],
    [5, 'POST /v1/redemptions/{redemptionId}/rollback', () => ({ reason: 'changed my mind' })],
    [2, 'POST /v1/redemptions/{parentRedemptionId}/rollbacks', () => ({})],
    [6, 'POST /v1/vouchers/{code}/disable'],
    [8, 'POST /v1/vouchers/{code}/enable'],
    [4, 'PUT /v1/vouchers/{code}', () => ({ metadata: { shelf: pick(['a', 'b', null]) }, category: pick(['x', 'y']) })],
    [6, 'POST /v1/vouchers', () => ({ code: name('NEW'), ...voucher() })],
    [1, 'DELETE /v1/vouchers/{code}'],
    [2, 'DELETE /v1/vouchers/{code}/sessions/{sessionKey}'],
    [3, 'POST /v1/vouchers/{code}/balance', () => ({ amount: below(500) - 100 })],
    [4, 'POST /v1/loyalties/members/{memberId}/balance', () => ({ points: below(500) - 50 })],
    [2, 'POST /v1/loyalties/{campaignId}/members', () => ({ customer: customer() })],
    [1, 'POST /v1/loyalties/members/{memberId}/redemption', () => ({ reward: { id: 'rew_mug' } })],
    [2, 'POST /v1/loyalties/{campaignId}/qualifications', audience],
    [6, 'POST /v1/campaigns/qualification', audience],
    [6, 'POST /v1/qualifications', () => ({ ...audience(), options: { limit: 1 + below(20) } })],
    [2, 'POST /v1/vouchers/qualification', audience],
    [4, 'POST /v1/promotions/validation', audience],
    [
      2,
      'POST /v1/campaigns',
      () => ({ name: name('Campaign'), campaign_type: 'DISCOUNT_COUPONS', voucher: voucher() }),
    ],
    [3, 'PUT /v1/campaigns/{campaignId}', () => ({ description: name('changed') })],
    [2, 'POST /v1/campaigns/{campaignId}/vouchers?vouchers_count=2', () => ({})],
    [1, 'POST /v1/campaigns/{campaignId}/disable'],
    [2, 'POST /v1/campaigns/{campaignId}/enable'],
    [1, 'DELETE /v1/promotions/tiers/{promotionTierId}'],
    [2, 'POST /v1/promotions/tiers/{promotionTierId}/enable'],
    [1, 'POST /v1/promotions/tiers/{promotionTierId}/disable'],
    [
      5,
      'POST /v1/publications',
      () => ({ customer: customer(), campaign: { name: pick(['camp_season', 'camp_gifts']) } }),
    ],
    [3, 'POST /v1/publications', () => ({ customer: customer(), voucher: pick(known.codes) })],
    [5, 'POST /v1/customers', () => ({ ...customer(), name: name('Ada') })],
    [1, 'DELETE /v1/customers/{customerId}'],
    [
      5,
      'POST /v1/orders',
      () => ({ source_id: name('order'), status: pick(['CREATED', 'PAID']), customer: customer(), ...order() }),
    ],
    [3, 'POST /v1/events', () => ({ event: 'tasting_attended', customer: customer(), metadata: { guests: below(5) } })],
    [2, 'PUT /v1/products/{productId}', () => ({ name: name('Product'), price: 100 * below(90) })],
    [1, 'POST /v1/products', () => ({ source_id: pick(known.products), name: name('Cup'), price: 900 })],
    [2, 'PUT /v1/categories/{categoryId}', () => ({ name: name('Category'), hierarchy: below(5) })],
    [
      2,
      'POST /v1/validation-rules',
      () => ({
        name: name('Rule'),
        rules: { 1: { name: 'order.amount', conditions: { $more_than: [100 * below(90)] } }, logic: '1' },
      }),
    ],
    [
      2,
      'POST /v1/validation-rules/{validationRuleId}/assignments',
      () => ({ [pick(['voucher', 'campaign'])]: pick([...known.codes, ...idsOf('camp')]) }),
    ],
    [1, 'POST /v1/vouchers/import', () => [1, 2].map(() => ({ code: name('IMPORTED'), ...voucher() }))],
    [1, 'POST /v1/vouchers/bulk/async', () => [{ code: pick(known.codes), metadata: { shelf: 'bulk' } }]],
    [1, 'POST /v1/customers/bulk/async', () => [{ source_id: pick(known.people), metadata: { bulk: true } }]],
    [
      1,
      'POST /v1/exports',
      () => ({ exported_object: pick(['voucher', 'redemption', 'customer', 'points_expiration']) }),
    ],
    [1, 'POST /client/v1/validations', cart],
    [1, 'POST /client/v1/redemptions', cart],
    // What is refused is part of the day.
    [1, 'POST /v1/validations', () => ({ redeemables: pick([[], 'x', [{}]]) })],
    [1, 'POST /v1/vouchers', () => ({ code: 7, discount: { type: 'PERCENT', percent_off: 101 } })],
    [1, 'PUT /v1/nothing/{code}', () => ({})],
  ]
  const drawn = writes.flatMap(([share, ...call]) => Array(share).fill(call))
  const queryOf = (path) => {
    const parts = []
    if (chance(0.4)) parts.push(`limit=${pick([1, 2, 5, 50, 100, 101, 'x'])}`)
    if (chance(0.2)) parts.push(`page=${pick([0, 1, 2, 3])}`)
    if (chance(0.2)) parts.push(`order=${pick(['id', '-id', 'created_at', '-created_at', '-updated_at', 'nothing'])}`)
    if (chance(0.1)) parts.push(`starting_after_id=${pick(idsOf('vtx', 'v', 'r'))}`)
    if (path === '/v1/vouchers' && chance(0.3)) parts.push(`campaign_id=${pick(idsOf('camp'))}`)
    if (chance(0.1)) parts.push('filters[created_at][conditions][$after]=2026-01-01T00:00:00Z')
    return parts.length === 0 ? '' : `?${parts.join('&')}`
  }
  return {
    next: () => {
      if (chance(0.45)) {
        const { path } = pick(reads)
        return { call: path, method: 'GET', path: filled(path) + queryOf(path) }
      }
      const [call, body] = pick(drawn)
      const [method, path] = call.split(' ')
      return { call: path, method, path: filled(path), ...(body && { body: body() }) }
    },
    learn: (text) => {
      for (const [, id] of text.matchAll(/"((?:[a-z]{1,6})_[0-9a-z_]+)"/g)) if (/_[0-9a-f]{18}$/.test(id)) keep(id)
      for (const [, code] of text.matchAll(/"code":"([\w-]+)"/g))
        if (!known.cards.includes(code)) {
          if (!known.codes.includes(code)) known.codes.push(code)
          if (known.codes.length > 60) known.codes.splice(6, 1)
        }
    },
  }
}

/** Numbers from 0 to 1 that are the same for the same seed: mulberry32. */
function randomFrom(seed) {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

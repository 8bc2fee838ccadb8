import { expect, test } from 'vitest'
import { projects } from '../../../../src/sandbox/stores/projects.ts'
import { club, coupons, friends, gifts } from '../../../support/campaigns.ts'
import { testSandbox } from '../../../support/sandbox.ts'

function withCampaign(body: Record<string, unknown>) {
  const sandbox = testSandbox()
  const campaign = sandbox.post('/v1/campaigns', body).body
  const publish = (members: Record<string, unknown>) =>
    sandbox.post('/v1/publications', { customer: { source_id: 'ada' }, ...members })
  return { ...sandbox, campaign, publish }
}

test.each([
  ['in the body', { campaign: 'Spring & Co' }, ''],
  ['with a count', { campaign: { name: 'Spring & Co', count: 2 } }, ''],
  ['in the query', {}, '?campaign=Spring%20%26%20Co'],
])('the older call publishes a code of the campaign that is named %s, and answers with it', (_, named, query) => {
  const { ask, campaign } = withCampaign(coupons('Spring & Co', { vouchers_count: 1 }))
  const path = '/v1/vouchers/publish'
  const to = { customer: { source_id: 'ada' }, channel: 'Email' }

  const voucher = { object: 'voucher', campaign_id: campaign.id, publish: { count: 1 } }
  const { id } = ask(`POST ${path}${query}`, { ...named, ...to }, voucher)
  ask('GET /v1/publications', { total: 1, publications: [{ ...to, vouchers_id: [id] }] })
  ask(`POST ${path}`, to, 'missing_vouchers')
  ask(`POST ${path}${query}`, named, 'invalid_payload')
})

test('a code of a campaign is assigned to a customer, who is stored and holds it', () => {
  const { ask, publish, campaign, events } = withCampaign(coupons('Spring & Co', { vouchers_count: 1 }))
  const before = events().length
  const given = { metadata: { reason: 'hello' }, channel: 'mail', source_id: 's/1' }
  const ada = { source_id: 'ada', name: 'Ada' }

  const { status, body } = publish({
    customer: { ...ada, metadata: { a: 1 } },
    campaign: { name: 'Spring & Co' },
    ...given,
  })
  const { id } = ask('GET /v1/customers/ada')

  expect(status).toBe(200)
  expect(body).toEqual({
    ...given,
    id: expect.stringMatching(/^pub_/),
    customer_id: id,
    tracking_id: 'ada',
    campaign_id: campaign.id,
    vouchers_id: [body.voucher.id],
    result: 'SUCCESS',
    created_at: '2026-05-06T07:08:09.123Z',
    object: 'publication',
    customer: { ...ada, id, email: null, object: 'customer' },
    // As the voucher call shows it, but for rules, of which there are none.
    voucher: { ...ask(`GET /v1/vouchers/${body.voucher.code}`), validation_rules_assignments: undefined },
  })
  expect(body.voucher).toMatchObject({ holder_id: id, publish: { count: 1 } })
  expect(body.voucher).not.toHaveProperty('referrer_id')
  expect(events().slice(before)).toEqual([
    ['customer.created', id],
    ['publication.succeeded', body.id],
    ['voucher.published', body.voucher.id],
  ])
})

test('a customer may be named by the text of an id or source id', () => {
  const { ask, publish } = withCampaign(coupons('C', { vouchers_count: 1 }))

  const { customer_id: id } = publish({ customer: 'shop/7', campaign: 'C' }).body
  ask('GET /v1/customers/shop%2F7', { id })
})

test('a static campaign assigns each code once and then has none left', () => {
  const { publish, ask } = withCampaign(coupons('C', { vouchers_count: 1 }))
  publish({ campaign: 'C' })

  ask('POST /v1/publications', { customer: 'bob', campaign: 'C' }, 'no_voucher_suitable_for_publication')
  ask('GET /v1/customers/bob', 'not_found')
})

test('an AUTO_UPDATE campaign generates the missing code, if it has not expired', () => {
  const { publish, ask } = withCampaign(coupons('C', { type: 'AUTO_UPDATE' }))
  const expired = withCampaign(coupons('C', { type: 'AUTO_UPDATE', expiration_date: '2026-01-01' }))

  expect(publish({ campaign: 'C' }).body.voucher.code).toHaveLength(8)
  ask('GET /v1/campaigns/C', { vouchers_count: 1 })
  expect(expired.publish({ campaign: 'C' }).body.key).toBe('no_voucher_suitable_for_publication')
  expired.ask('GET /v1/vouchers', { total: 0 })
})

test('joining again returns the earlier publication, and nothing happens', () => {
  const { ask, publish, events } = withCampaign(coupons('C', { type: 'AUTO_UPDATE', join_once: true }))
  const first = publish({ campaign: 'C' }).body
  const before = events()

  expect(ask('POST /v1/publications', { customer: 'ada', campaign: 'C', source_id: 'other' }, 200)).toEqual(first)
  expect(events()).toEqual(before)
})

test('where customers may join repeatedly, several codes are assigned at once', () => {
  const { publish, ask, events } = withCampaign(coupons('C', { type: 'AUTO_UPDATE', join_once: false }))

  const { body } = publish({ campaign: { name: 'C', count: 3 } })

  expect(body).toMatchObject({ vouchers: Array(3).fill({}), vouchers_id: Array(3).fill(expect.any(String)) })
  expect(body).not.toHaveProperty('voucher')
  ask('GET /v1/vouchers?customer=ada', { total: 3 })
  const types = events().map(([type]) => type)
  expect(types.filter((type) => type === 'publication.succeeded')).toHaveLength(1)
  expect(types.filter((type) => type === 'voucher.published')).toHaveLength(3)
})

test('expired, disabled, used up and taken codes are skipped', () => {
  const usable = { ...coupons('x').voucher, campaign_id: 'camp_1' }
  const vouchers = [
    { ...usable, code: 'OFF', active: false },
    { ...usable, code: 'USED', redemption: { quantity: 1, redeemed_quantity: 1 } },
    { ...usable, code: 'TAKEN', publish: { count: 1 } },
    // More than are looked at in one go.
    ...Array.from({ length: 119 }, (_, n) => ({ ...usable, code: `V${n}`, expiration_date: '2026-01-01' })),
    { ...usable, code: 'FREE' },
  ]
  const { ask } = testSandbox({ fixture: { campaigns: [{ ...coupons('C'), id: 'camp_1' }], vouchers } })

  ask('POST /v1/publications', { customer: 'ada', campaign: 'camp_1' }, { voucher: { code: 'FREE' } })
})

test.each([
  ['UTC', 'P1MT1H', '2026-06-06T08:08:09.123Z'],
  ['Europe/Berlin', 'P6M', '2026-11-06T08:08:09.123Z'],
])('the validity of a code starts with its publication, in the time zone %s for %s', (timezone, duration, until) => {
  const limits = { expiration_date: '2030-01-01', activity_duration_after_publishing: duration }
  const { store, project, publish } = withCampaign(coupons('C', { vouchers_count: 1, ...limits }))
  store.transaction(() => store.in(projects, '').update({ ...project, timezone }))

  expect(publish({ campaign: 'C' }).body.voucher.expiration_date).toBe(until)
})

test('the owner of a referral code becomes its referrer', () => {
  const { publish, store, project, campaign } = withCampaign(friends('F', { vouchers_count: 1 }))

  const { customer_id, voucher } = publish({ campaign: 'F', metadata: { m: 1 } }).body
  const holders = store.db.all<{ doc: string }>('SELECT doc FROM redeemable_holders WHERE project_id = ?', project.id)

  expect(voucher).toMatchObject({ holder_id: customer_id, referrer_id: customer_id })
  expect(holders.map(({ doc }) => JSON.parse(doc))).toEqual([
    {
      id: expect.stringMatching(/^rh_/),
      redeemable_id: voucher.id,
      redeemable_object: 'voucher',
      campaign_id: campaign.id,
      campaign_type: 'REFERRAL_PROGRAM',
      voucher_type: 'DISCOUNT_VOUCHER',
      customer_id,
      holder_role: 'REFERRER',
      metadata: { m: 1 },
      created_at: '2026-05-06T07:08:09.123Z',
      object: 'redeemable_holder',
    },
  ])
})

test('a voucher without campaign can be assigned to many customers, a gift card to one', () => {
  const { ask } = withCampaign(gifts('G'))
  ask('POST /v1/vouchers/ALL%2FOF%20YOU', coupons('x').voucher)
  ask('POST /v1/vouchers/CARD', gifts('x').voucher)
  const publish = (customer: string, voucher: string, answer?: object) =>
    ask('POST /v1/publications', { customer, voucher }, answer)

  const { voucher } = publish('ada', 'ALL/OF YOU')
  publish('bob', 'ALL/OF YOU', { voucher: { publish: { count: 2 } } })
  ask('GET /v1/customers/ada', { id: voucher.holder_id })
  publish('ada', 'CARD')
  publish('bob', 'CARD', { key: 'voucher_already_published', details: 'CARD' })
})

test('a loyalty program is joined once, even by the code of a card', () => {
  const { ask, publish } = withCampaign(club('L'))
  for (const code of ['A', 'B']) ask(`POST /v1/campaigns/L/vouchers/${code}`, {})

  const first = publish({ voucher: 'A', campaign: 'L' }).body

  expect(publish({ voucher: 'A' }).body).toEqual(first)
  ask('POST /v1/publications', { customer: 'ada', voucher: 'B' }, 'voucher_already_published')
})

test.each([
  ['neither campaign nor voucher', { campaign: null }, 'missing_vouchers'],
  ['no customer', { customer: undefined, campaign: 'C' }, 'invalid_payload'],
  ['an unknown campaign', { campaign: 'a/b' }, 'not_found'],
  ['an unknown voucher', { voucher: 'X' }, 'not_found'],
  ['a voucher of another campaign', { voucher: 'LONE', campaign: 'C' }, 'not_found'],
  ['an unknown customer id', { customer: { id: 'cust_x' }, campaign: 'C' }, 'not_found'],
  ['a disabled voucher', { voucher: 'OFF' }, 'voucher_cannot_be_published'],
  ['an expired voucher', { voucher: 'OVER' }, 'voucher_cannot_be_published'],
  ['too many codes', { campaign: { name: 'C', count: 21 } }, 'too_many_vouchers_requested'],
  ['more codes than there are', { campaign: { name: 'C', count: 2 } }, 'no_voucher_suitable_for_publication'],
  ['no codes', { campaign: { name: 'C', count: 0 } }, 'invalid_payload'],
  ['a count of a named voucher', { campaign: { name: 'C', count: 2 }, voucher: 'IN' }, 'invalid_publish_params'],
  ['a count where one joins once', { campaign: { name: 'ONCE', count: 2 } }, 'invalid_publish_params'],
  ['a promotion', { campaign: 'PROMO' }, 'no_voucher_suitable_for_publication'],
  ['a disabled campaign', { campaign: 'PAUSED' }, 'no_voucher_suitable_for_publication'],
  ['a voucher of a disabled campaign', { voucher: 'REST' }, 'voucher_cannot_be_published'],
])('a publication of %s is refused and stores nothing', (_, members, key) => {
  const discount = coupons('x').voucher
  const { ask, events } = testSandbox({
    fixture: {
      campaigns: [
        { ...coupons('C', { join_once: false }), id: 'camp_1' },
        { ...coupons('ONCE', { join_once: true }), id: 'camp_2' },
        { name: 'PROMO', campaign_type: 'PROMOTION' },
        { ...coupons('PAUSED', { active: false, type: 'AUTO_UPDATE' }), id: 'camp_3' },
      ],
      vouchers: [
        { ...discount, code: 'LONE' },
        { ...discount, code: 'IN', campaign_id: 'camp_1' },
        { ...discount, code: 'REST', campaign_id: 'camp_3' },
        { ...discount, code: 'OFF', active: false },
        { ...discount, code: 'OVER', expiration_date: '2026-01-01' },
      ],
    },
  })

  ask('POST /v1/publications', { customer: 'ada', ...members }, key)
  for (const stored of ['publications', 'customers']) ask(`GET /v1/${stored}`, { total: 0 })
  expect(events()).toEqual([])
})

test('a referral code has one owner, even in a standalone campaign', () => {
  const { ask, publish } = withCampaign(friends('F', { type: 'STANDALONE' }))
  ask('POST /v1/campaigns/F/vouchers/R', {})
  publish({ voucher: 'R' })

  ask('POST /v1/publications', { customer: 'bob', voucher: 'R' }, 'voucher_already_published')
})

test('the expiry of a code for all customers counts from its first publication', () => {
  const limits = { type: 'STANDALONE', activity_duration_after_publishing: 'P1D' }
  const { publish, ask, clock } = withCampaign(coupons('C', limits))
  ask('POST /v1/campaigns/C/vouchers/ALL', {})
  publish({ campaign: 'C' })
  clock.now = '2026-05-06T20:00:00.000Z'

  const voucher = { code: 'ALL', expiration_date: '2026-05-07T07:08:09.123Z' }
  ask('POST /v1/publications', { customer: 'bob', campaign: 'C' }, { voucher })
})

test('a customer without a source id is not tracked', () => {
  const { publish } = withCampaign(coupons('C', { vouchers_count: 1 }))

  expect(publish({ customer: { name: 'Ada' }, campaign: 'C' }).body).toMatchObject({ tracking_id: null })
})

test('the metadata of a publication follow their schema', () => {
  const schema = { related_object: 'publication', properties: { n: { type: 'number' } } }
  const campaigns = [coupons('C', { type: 'AUTO_UPDATE' })]
  const { ask } = testSandbox({ fixture: { metadata_schemas: [schema], campaigns } })
  const to = { customer: 'ada', campaign: 'C' }

  ask('POST /v1/publications', { ...to, metadata: { n: 'x' } }, 'metadata_validation_failed')
  ask('POST /v1/publications', { ...to, metadata: { n: 1 } }, 200)
})

test('a source id is used once', () => {
  const { publish, ask } = withCampaign(coupons('C', { type: 'AUTO_UPDATE', join_once: false }))
  publish({ campaign: 'C', source_id: 's' })

  ask('POST /v1/publications', { customer: 'ada', campaign: 'C', source_id: 's' }, 'duplicate_source_id')
})

test('publications are listed newest first, ordered, paged and restricted', () => {
  const { ask, publish, clock } = withCampaign(coupons('C', { type: 'AUTO_UPDATE', join_once: false }))
  ask('POST /v1/vouchers/Z', coupons('x').voucher)
  publish({ campaign: 'C', channel: 'b' })
  clock.now = '2026-05-07T00:00:00.000Z'
  publish({ customer: 'bob', voucher: 'Z', channel: 'a' })
  publish({ customer: 'bob', campaign: { name: 'C', count: 2 }, channel: 'c' })

  for (const [query, channels] of [
    ['', 'cab'],
    ['order=channel', 'abc'],
    ['order=-channel&limit=2&page=2', 'a'],
    ['campaign=C', 'cb'],
    ['customer=bob', 'ca'],
    ['voucher=Z', 'a'],
    ['voucher=none', ''],
    ['result=SUCCESS', 'cab'],
    ['result=FAILURE', ''],
    ['filters[channel][conditions][$in][0]=a', 'a'],
  ])
    ask(`GET /v1/publications?${query}`, { publications: Array.from(channels ?? '', (channel) => ({ channel })) })
  ask('GET /v1/publications', { object: 'list', data_ref: 'publications', total: 3 })
  ask('GET /v1/publications?limit=101', 'invalid_query_params')
})

test('a publication of a deleted voucher is still listed', () => {
  const { ask, publish } = withCampaign(coupons('C', { vouchers_count: 1 }))
  const { id, voucher } = publish({ campaign: 'C' }).body

  ask(`DELETE /v1/vouchers/${voucher.code}`)

  ask('GET /v1/publications', { publications: [{ id, voucher: null }] })
})

test('a code for all customers can be reserved for those it was published to', () => {
  const rules = { 1: { name: 'publication.redeemable_by_linked_customer', conditions: { $is: [true] } }, logic: '1' }
  const { ask } = testSandbox({ fixture: { validation_rules: [{ id: 'val_1', name: 'Holders', rules }] } })
  ask('POST /v1/vouchers/ALL', { ...coupons('x').voucher, validation_rules: ['val_1'] })
  for (const customer of ['ada', 'bob', 'cyd']) ask('POST /v1/publications', { customer, voucher: 'ALL' })
  const using = { redeemables: [{ object: 'voucher', id: 'ALL' }], order: { amount: 1000 } }

  for (const source_id of ['ada', 'bob', 'cyd', 'dan'])
    ask('POST /v1/validations', { ...using, customer: { source_id } }, { valid: source_id !== 'dan' })
})

test.each([
  ['without a customer', { vouchers_id: ['v_1'] }],
  ['of an unknown customer', { customer_id: 'cust_x', vouchers_id: ['v_1'] }],
  ['of nothing', { customer_id: 'cust_1' }],
  ['of an unknown voucher', { customer_id: 'cust_1', vouchers_id: ['v_x'] }],
  ['with invalid metadata', { customer_id: 'cust_1', vouchers_id: ['v_1'], metadata: 'x' }],
  ['through an invalid channel', { customer_id: 'cust_1', vouchers_id: ['v_1'], channel: 1 }],
])('a publication of a fixture %s is not loaded', (_, publication) => {
  const vouchers = [{ ...coupons('x').voucher, id: 'v_1', code: 'A' }]
  const fixture = { customers: [{ id: 'cust_1', source_id: 'ada' }], vouchers, publications: [publication] }

  expect(() => testSandbox({ fixture })).toThrow(/^publications\[0\]: /)
})

test.each([
  ['joins once', true, 'false', 2],
  ['may be joined often', false, 'true', 1],
])('join_once in the query overrides a campaign that %s, for this call', (_, join_once, asked, codes) => {
  const { ask, publish } = withCampaign(coupons('C', { vouchers_count: 1, join_once }))
  ask('POST /v1/campaigns/C/vouchers')
  const first = publish({ campaign: 'C' }).body.voucher.code

  const { voucher } = ask(`POST /v1/publications?join_once=${asked}`, { customer: 'ada', campaign: 'C' }, 200)

  expect(new Set([first, voucher.code]).size).toBe(codes)
  ask('GET /v1/campaigns/C', { join_once })
})

test('publications are found by what their vouchers, campaigns and customers are', () => {
  const { ask, publish } = withCampaign(coupons('C', { vouchers_count: 1 }))
  ask('POST /v1/campaigns', gifts('G', { vouchers_count: 1 }))
  ask('POST /v1/campaigns', friends('F', { vouchers_count: 1 }))
  publish({ campaign: 'C', source_id: 'order-1' })
  publish({ campaign: 'G', customer: { source_id: 'bo' } })
  publish({ campaign: 'F' })

  for (const [query, campaigns] of [
    ['voucher_type=GIFT_VOUCHER', 'G'],
    ['is_referral_code=true', 'F'],
    ['is_referral_code=false', 'CG'],
    ['source_id=order-1', 'C'],
    ['filters[voucher_type][conditions][$in][0]=GIFT_VOUCHER', 'G'],
    ['filters[is_referral_code][conditions][$is]=true', 'F'],
    ['filters[source_id][conditions][$is]=order-1', 'C'],
    ['filters[campaign][conditions][$is]=C', 'C'],
    ['filters[customer][conditions][$is]=bo', 'G'],
  ]) {
    const publications = Array.from(campaigns ?? '', (campaign) => ({ voucher: { campaign } }))
    ask(`GET /v1/publications?${query}&order=created_at`, { publications })
  }
})

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
  ['in the query', {}, 'campaign=Spring%20%26%20Co'],
])('the older call publishes a code of the campaign that is named %s, and answers with it', (_, named, query) => {
  const { call, get, post, campaign } = withCampaign(coupons('Spring & Co', { vouchers_count: 1 }))
  const path = '/v1/vouchers/publish'

  const { status, body } = call('POST', path, {
    query,
    body: { ...named, customer: { source_id: 'ada' }, channel: 'Email' },
  })

  expect(status).toBe(200)
  expect(body).toMatchObject({ object: 'voucher', campaign_id: campaign.id, publish: { count: 1 } })
  expect(get('/v1/publications').body).toMatchObject({
    total: 1,
    publications: [{ customer: { source_id: 'ada' }, channel: 'Email', vouchers_id: [body.id] }],
  })
  expect(post(path, { customer: { source_id: 'ada' } }).body.key).toBe('missing_vouchers')
  expect(call('POST', path, { query, body: named }).body.key).toBe('invalid_payload')
})

test('a code of a campaign is assigned to a customer, who is stored and holds it', () => {
  const { get, publish, campaign, events } = withCampaign(coupons('Spring & Co', { vouchers_count: 1 }))
  const before = events().length

  const { status, body } = publish({
    customer: { source_id: 'ada', name: 'Ada', metadata: { a: 1 } },
    campaign: { name: 'Spring & Co' },
    metadata: { reason: 'hello' },
    channel: 'mail',
    source_id: 's/1',
  })
  const customer = get('/v1/customers/ada').body

  expect(status).toBe(200)
  expect(body).toEqual({
    id: expect.stringMatching(/^pub_/),
    source_id: 's/1',
    customer_id: customer.id,
    tracking_id: 'ada',
    campaign_id: campaign.id,
    channel: 'mail',
    metadata: { reason: 'hello' },
    vouchers_id: [body.voucher.id],
    result: 'SUCCESS',
    created_at: '2026-05-06T07:08:09.123Z',
    object: 'publication',
    customer: { id: customer.id, source_id: 'ada', name: 'Ada', email: null, object: 'customer' },
    // As the voucher call shows it, but for rules, of which there are none.
    voucher: { ...get(`/v1/vouchers/${body.voucher.code}`).body, validation_rules_assignments: undefined },
  })
  expect(body.voucher).toMatchObject({ holder_id: customer.id, publish: { count: 1 } })
  expect(body.voucher).not.toHaveProperty('referrer_id')
  expect(events().slice(before)).toEqual([
    ['customer.created', customer.id],
    ['publication.succeeded', body.id],
    ['voucher.published', body.voucher.id],
  ])
})

test('a customer may be named by the text of an id or source id', () => {
  const { get, publish } = withCampaign(coupons('C', { vouchers_count: 1 }))

  const { body } = publish({ customer: 'shop/7', campaign: 'C' })

  expect(get(`/v1/customers/${encodeURIComponent('shop/7')}`).body.id).toBe(body.customer_id)
})

test('a static campaign assigns each code once and then has none left', () => {
  const { publish, get } = withCampaign(coupons('C', { vouchers_count: 1 }))
  publish({ campaign: 'C' })

  const { status, body } = publish({ customer: 'bob', campaign: 'C' })

  expect([status, body.key]).toEqual([400, 'no_voucher_suitable_for_publication'])
  expect(get('/v1/customers/bob').status).toBe(404)
})

test('an AUTO_UPDATE campaign generates the missing code', () => {
  const { publish, get } = withCampaign(coupons('C', { type: 'AUTO_UPDATE' }))

  expect(publish({ campaign: 'C' }).body.voucher.code).toHaveLength(8)
  expect(get('/v1/campaigns/C').body.vouchers_count).toBe(1)
})

test('joining again returns the earlier publication, and nothing happens', () => {
  const { publish, events } = withCampaign(coupons('C', { type: 'AUTO_UPDATE', join_once: true }))
  const first = publish({ campaign: 'C' }).body
  const before = events()

  const second = publish({ campaign: 'C', source_id: 'other' })

  expect(second.status).toBe(200)
  expect(second.body).toEqual(first)
  expect(events()).toEqual(before)
})

test('where customers may join repeatedly, several codes are assigned at once', () => {
  const { publish, get, events } = withCampaign(coupons('C', { type: 'AUTO_UPDATE', join_once: false }))

  const { body } = publish({ campaign: { name: 'C', count: 3 } })

  expect(body.vouchers).toHaveLength(3)
  expect(body.vouchers_id).toHaveLength(3)
  expect(body).not.toHaveProperty('voucher')
  expect(get('/v1/vouchers', 'customer=ada').body.total).toBe(3)
  expect(events().filter(([type]) => type === 'publication.succeeded')).toHaveLength(1)
  expect(events().filter(([type]) => type === 'voucher.published')).toHaveLength(3)
})

test('expired, disabled, used up and taken codes are skipped', () => {
  const usable = { type: 'DISCOUNT_VOUCHER', discount: { type: 'AMOUNT', amount_off: 1 }, campaign_id: 'camp_1' }
  const { post } = testSandbox({
    fixture: {
      campaigns: [{ ...coupons('C'), id: 'camp_1' }],
      vouchers: [
        { ...usable, code: 'OFF', active: false },
        { ...usable, code: 'OVER', expiration_date: '2026-01-01' },
        { ...usable, code: 'USED', redemption: { quantity: 1, redeemed_quantity: 1 } },
        { ...usable, code: 'TAKEN', publish: { count: 1 } },
        { ...usable, code: 'FREE' },
      ],
    },
  })

  expect(post('/v1/publications', { customer: 'ada', campaign: 'camp_1' }).body.voucher.code).toBe('FREE')
})

test('the validity of a code starts with its publication', () => {
  const { publish } = withCampaign(
    coupons('C', { vouchers_count: 1, expiration_date: '2030-01-01', activity_duration_after_publishing: 'P1MT1H' }),
  )

  expect(publish({ campaign: 'C' }).body.voucher.expiration_date).toBe('2026-06-06T08:08:09.123Z')
})

test('the owner of a referral code becomes its referrer', () => {
  const { publish, store, project, campaign } = withCampaign(friends('F', { vouchers_count: 1 }))

  const { body } = publish({ campaign: 'F', metadata: { m: 1 } })
  const holders = store.db.all<{ doc: string }>('SELECT doc FROM redeemable_holders WHERE project_id = ?', project.id)

  expect(body.voucher).toMatchObject({ holder_id: body.customer_id, referrer_id: body.customer_id })
  expect(holders.map(({ doc }) => JSON.parse(doc))).toEqual([
    {
      id: expect.stringMatching(/^rh_/),
      redeemable_id: body.voucher.id,
      redeemable_object: 'voucher',
      campaign_id: campaign.id,
      campaign_type: 'REFERRAL_PROGRAM',
      voucher_type: 'DISCOUNT_VOUCHER',
      customer_id: body.customer_id,
      holder_role: 'REFERRER',
      metadata: { m: 1 },
      created_at: '2026-05-06T07:08:09.123Z',
      object: 'redeemable_holder',
    },
  ])
})

test('a voucher without campaign can be assigned to many customers, a gift card to one', () => {
  const { post, get, publish } = withCampaign(gifts('G'))
  const { type, discount } = coupons('x').voucher
  post('/v1/vouchers/ALL%2FOF%20YOU', { type, discount })
  post('/v1/vouchers/CARD', gifts('x').voucher)

  publish({ customer: 'ada', voucher: 'ALL/OF YOU' })
  const second = publish({ customer: 'bob', voucher: 'ALL/OF YOU' })
  publish({ customer: 'ada', voucher: 'CARD' })
  const taken = publish({ customer: 'bob', voucher: 'CARD' })

  expect(second.body.voucher.publish.count).toBe(2)
  expect(get('/v1/customers/ada').body.id).toBe(second.body.voucher.holder_id)
  expect([taken.status, taken.body.key, taken.body.details]).toEqual([400, 'voucher_already_published', 'CARD'])
})

test('a loyalty program is joined once, even by the code of a card', () => {
  const { post, publish } = withCampaign(club('L'))
  for (const code of ['A', 'B']) post(`/v1/campaigns/L/vouchers/${code}`, {})

  const first = publish({ voucher: 'A', campaign: 'L' }).body
  const again = publish({ voucher: 'A' }).body
  const other = publish({ voucher: 'B' })

  expect(again).toEqual(first)
  expect([other.status, other.body.key]).toEqual([400, 'voucher_already_published'])
})

test.each([
  ['neither campaign nor voucher', { campaign: null }, 400, 'missing_vouchers'],
  ['no customer', { customer: undefined, campaign: 'C' }, 400, 'invalid_payload'],
  ['an unknown campaign', { campaign: 'a/b' }, 404, 'not_found'],
  ['an unknown voucher', { voucher: 'X' }, 404, 'not_found'],
  ['a voucher of another campaign', { voucher: 'LONE', campaign: 'C' }, 404, 'not_found'],
  ['an unknown customer id', { customer: { id: 'cust_x' }, campaign: 'C' }, 404, 'not_found'],
  ['a disabled voucher', { voucher: 'OFF' }, 400, 'voucher_cannot_be_published'],
  ['an expired voucher', { voucher: 'OVER' }, 400, 'voucher_cannot_be_published'],
  ['too many codes', { campaign: { name: 'C', count: 21 } }, 400, 'too_many_vouchers_requested'],
  ['more codes than there are', { campaign: { name: 'C', count: 2 } }, 400, 'no_voucher_suitable_for_publication'],
  ['no codes', { campaign: { name: 'C', count: 0 } }, 400, 'invalid_payload'],
  ['a count of a named voucher', { campaign: { name: 'C', count: 2 }, voucher: 'IN' }, 400, 'invalid_publish_params'],
  ['a count where one joins once', { campaign: { name: 'ONCE', count: 2 } }, 400, 'invalid_publish_params'],
  ['a promotion', { campaign: 'PROMO' }, 400, 'no_voucher_suitable_for_publication'],
  ['a disabled campaign', { campaign: 'PAUSED' }, 400, 'no_voucher_suitable_for_publication'],
  ['a voucher of a disabled campaign', { voucher: 'REST' }, 400, 'voucher_cannot_be_published'],
])('a publication of %s is refused and stores nothing', (_, members, status, key) => {
  const discount = { type: 'DISCOUNT_VOUCHER', discount: { type: 'AMOUNT', amount_off: 1 } }
  const { post, get, events } = testSandbox({
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

  expect(post('/v1/publications', { customer: 'ada', ...members })).toMatchObject({ status, body: { key } })
  expect(get('/v1/publications').body.total).toBe(0)
  expect(get('/v1/customers').body.total).toBe(0)
  expect(events()).toEqual([])
})

test('a free code is found after a hundred unusable ones', () => {
  const { post } = testSandbox({
    fixture: {
      campaigns: [{ ...coupons('C'), id: 'camp_1' }],
      vouchers: Array.from({ length: 120 }, (_, n) => ({
        ...coupons('x').voucher,
        campaign_id: 'camp_1',
        code: `V${n}`,
        expiration_date: n < 119 ? '2026-01-01' : null,
      })),
    },
  })

  expect(post('/v1/publications', { customer: 'ada', campaign: 'C' }).body.voucher.code).toBe('V119')
})

test('an expired AUTO_UPDATE campaign generates no codes', () => {
  const { publish, get } = withCampaign(coupons('C', { type: 'AUTO_UPDATE', expiration_date: '2026-01-01' }))

  expect(publish({ campaign: 'C' }).body.key).toBe('no_voucher_suitable_for_publication')
  expect(get('/v1/vouchers').body.total).toBe(0)
})

test('a referral code has one owner, even in a standalone campaign', () => {
  const { publish, post } = withCampaign(friends('F', { type: 'STANDALONE' }))
  post('/v1/campaigns/F/vouchers/R', {})
  publish({ voucher: 'R' })

  expect(publish({ customer: 'bob', voucher: 'R' }).body.key).toBe('voucher_already_published')
})

test('the expiry of a code for all customers counts from its first publication', () => {
  const { publish, post, clock } = withCampaign(
    coupons('C', { type: 'STANDALONE', activity_duration_after_publishing: 'P1D' }),
  )
  post('/v1/campaigns/C/vouchers/ALL', {})
  publish({ campaign: 'C' })
  clock.now = '2026-05-06T20:00:00.000Z'

  const { body } = publish({ customer: 'bob', campaign: 'C' })

  expect(body.voucher).toMatchObject({ code: 'ALL', expiration_date: '2026-05-07T07:08:09.123Z' })
})

test('the time after a publication is counted in the time zone of the project', () => {
  const sandbox = withCampaign(coupons('C', { vouchers_count: 1, activity_duration_after_publishing: 'P6M' }))
  const { store, project } = sandbox
  store.transaction(() => store.in(projects, '').update({ ...project, timezone: 'Europe/Berlin' }))

  expect(sandbox.publish({ campaign: 'C' }).body.voucher.expiration_date).toBe('2026-11-06T08:08:09.123Z')
})

test('a customer without a source id is not tracked', () => {
  const { publish } = withCampaign(coupons('C', { vouchers_count: 1 }))

  expect(publish({ customer: { name: 'Ada' }, campaign: 'C' }).body).toMatchObject({ tracking_id: null })
})

test('the metadata of a publication follow their schema', () => {
  const schema = { related_object: 'publication', properties: { n: { type: 'number' } } }
  const { post } = testSandbox({
    fixture: { metadata_schemas: [schema], campaigns: [coupons('C', { type: 'AUTO_UPDATE' })] },
  })
  const publish = (metadata: object) => post('/v1/publications', { customer: 'ada', campaign: 'C', metadata })

  expect(publish({ n: 'x' }).body.key).toBe('metadata_validation_failed')
  expect(publish({ n: 1 }).status).toBe(200)
})

test('a source id is used once', () => {
  const { publish } = withCampaign(coupons('C', { type: 'AUTO_UPDATE', join_once: false }))
  publish({ campaign: 'C', source_id: 's' })

  expect(publish({ campaign: 'C', source_id: 's' })).toMatchObject({
    status: 400,
    body: { key: 'duplicate_source_id' },
  })
})

test('publications are listed newest first, ordered, paged and restricted', () => {
  const { post, get, publish, clock } = withCampaign(coupons('C', { type: 'AUTO_UPDATE', join_once: false }))
  post('/v1/vouchers/Z', coupons('x').voucher)
  publish({ campaign: 'C', channel: 'b' })
  clock.now = '2026-05-07T00:00:00.000Z'
  publish({ customer: 'bob', voucher: 'Z', channel: 'a' })
  publish({ customer: 'bob', campaign: { name: 'C', count: 2 }, channel: 'c' })
  const channels = (query = '') =>
    get('/v1/publications', query).body.publications.map(({ channel }: { channel: string }) => channel)

  expect(channels()).toEqual(['c', 'a', 'b'])
  expect(channels('order=channel')).toEqual(['a', 'b', 'c'])
  expect(channels('order=-channel&limit=2&page=2')).toEqual(['a'])
  expect(channels('campaign=C')).toEqual(['c', 'b'])
  expect(channels('customer=bob')).toEqual(['c', 'a'])
  expect(channels('voucher=Z')).toEqual(['a'])
  expect(channels('voucher=none')).toEqual([])
  expect(channels('result=SUCCESS')).toHaveLength(3)
  expect(channels('result=FAILURE')).toEqual([])
  expect(channels('filters[channel][conditions][$in][0]=a')).toEqual(['a'])
  expect(get('/v1/publications').body).toMatchObject({ object: 'list', data_ref: 'publications', total: 3 })
  expect(get('/v1/publications', 'limit=101').body.key).toBe('invalid_query_params')
})

test('a publication of a deleted voucher is still listed', () => {
  const { del, get, publish } = withCampaign(coupons('C', { vouchers_count: 1 }))
  const { body } = publish({ campaign: 'C' })

  del(`/v1/vouchers/${body.voucher.code}`)

  expect(get('/v1/publications').body.publications).toMatchObject([{ id: body.id, voucher: null }])
})

test('a code for all customers can be reserved for those it was published to', () => {
  const rules = { 1: { name: 'publication.redeemable_by_linked_customer', conditions: { $is: [true] } }, logic: '1' }
  const { post } = testSandbox({ fixture: { validation_rules: [{ id: 'val_1', name: 'Holders', rules }] } })
  post('/v1/vouchers/ALL', { ...coupons('x').voucher, validation_rules: ['val_1'] })
  for (const customer of ['ada', 'bob', 'cyd']) post('/v1/publications', { customer, voucher: 'ALL' })
  const using = { redeemables: [{ object: 'voucher', id: 'ALL' }], order: { amount: 1000 } }
  const isFor = (source_id: string) => post('/v1/validations', { ...using, customer: { source_id } }).body.valid

  expect(['ada', 'bob', 'cyd', 'dan'].map(isFor)).toEqual([true, true, true, false])
})

test.each([
  ['without a customer', { vouchers_id: ['v_1'] }],
  ['of an unknown customer', { customer_id: 'cust_x', vouchers_id: ['v_1'] }],
  ['of nothing', { customer_id: 'cust_1' }],
  ['of an unknown voucher', { customer_id: 'cust_1', vouchers_id: ['v_x'] }],
  ['with invalid metadata', { customer_id: 'cust_1', vouchers_id: ['v_1'], metadata: 'x' }],
  ['through an invalid channel', { customer_id: 'cust_1', vouchers_id: ['v_1'], channel: 1 }],
])('a publication of a fixture %s is not loaded', (_, publication) => {
  const fixture = {
    customers: [{ id: 'cust_1', source_id: 'ada' }],
    vouchers: [{ ...coupons('x').voucher, id: 'v_1', code: 'A' }],
    publications: [publication],
  }

  expect(() => testSandbox({ fixture })).toThrow(/^publications\[0\]: /)
})

test.each([
  ['joins once', true, 'false', 2],
  ['may be joined often', false, 'true', 1],
])('join_once in the query overrides a campaign that %s, for this call', (_, join_once, asked, codes) => {
  const { call, post, get, publish } = withCampaign(coupons('C', { vouchers_count: 1, join_once }))
  post('/v1/campaigns/C/vouchers')
  const first = publish({ campaign: 'C' }).body.voucher.code

  const { status, body } = call('POST', '/v1/publications', {
    query: `join_once=${asked}`,
    body: { customer: { source_id: 'ada' }, campaign: 'C' },
  })

  expect(status).toBe(200)
  expect(new Set([first, body.voucher.code]).size).toBe(codes)
  expect(get('/v1/campaigns/C').body.join_once).toBe(join_once)
})

test('publications are found by what their vouchers, campaigns and customers are', () => {
  const { post, get, publish } = withCampaign(coupons('C', { vouchers_count: 1 }))
  post('/v1/campaigns', gifts('G', { vouchers_count: 1 }))
  post('/v1/campaigns', friends('F', { vouchers_count: 1 }))
  publish({ campaign: 'C', source_id: 'order-1' })
  publish({ campaign: 'G', customer: { source_id: 'bo' } })
  publish({ campaign: 'F' })
  const found = (query: string) => {
    const { publications = [] } = get('/v1/publications', `${query}&order=created_at`).body
    return publications.map(({ voucher }: { voucher: { campaign: string } }) => voucher.campaign)
  }

  expect(found('voucher_type=GIFT_VOUCHER')).toEqual(['G'])
  expect(found('is_referral_code=true')).toEqual(['F'])
  expect(found('is_referral_code=false')).toEqual(['C', 'G'])
  expect(found('source_id=order-1')).toEqual(['C'])
  expect(found('filters[voucher_type][conditions][$in][0]=GIFT_VOUCHER')).toEqual(['G'])
  expect(found('filters[is_referral_code][conditions][$is]=true')).toEqual(['F'])
  expect(found('filters[source_id][conditions][$is]=order-1')).toEqual(['C'])
  expect(found('filters[campaign][conditions][$is]=C')).toEqual(['C'])
  expect(found('filters[customer][conditions][$is]=bo')).toEqual(['G'])
})

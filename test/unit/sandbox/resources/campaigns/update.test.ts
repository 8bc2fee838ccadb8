import { expect, test } from 'vitest'
import { club, coupons, friends, gifts } from '../../../../support/campaigns.ts'
import { type CallOptions, testSandbox } from '../../../../support/sandbox.ts'

function withCampaign(members: Record<string, unknown> = {}, name = 'C') {
  const sandbox = testSandbox()
  const created = sandbox.post('/v1/campaigns', coupons(name, members)).body
  sandbox.clock.now = '2026-05-07T00:00:00.000Z'
  return { ...sandbox, created, path: `/v1/campaigns/${encodeURIComponent(name)}` }
}

test('a campaign is found by its id and by a name that needs escaping', () => {
  const { get, created, path } = withCampaign({}, 'A/B & ☕?')

  expect(get(path).body).toEqual(created)
  expect(get(`/v1/campaigns/${created.id}`).body).toEqual(created)
})

test('a campaign that is named like the id of another is neither shown, disabled nor deleted in its place', () => {
  const { post, get, del, created } = withCampaign()
  const mimic = post('/v1/campaigns', coupons(created.id)).body
  const path = `/v1/campaigns/${created.id}`

  const shown = get(path).body.id
  post(`${path}/disable`)
  const other = get(`/v1/campaigns/${mimic.id}`).body
  del(path)

  expect([shown, other.active]).toEqual([created.id, mimic.active])
  expect(get(`/v1/campaigns/${mimic.id}`).status).toBe(200)
})

test('disabling and enabling answer with an empty object, and are recorded once each', () => {
  const { post, get, created, events, path } = withCampaign()

  const off = post(`${path}/disable`)
  const offAgain = post(`${path}/disable`)
  const between = get(path).body
  const on = post(`${path}/enable`)

  expect([off.status, off.body, offAgain.body, on.body]).toEqual([200, {}, {}, {}])
  expect(between).toEqual({ ...created, active: false, updated_at: '2026-05-07T00:00:00.000Z' })
  expect(get(path).body.active).toBe(true)
  expect(events().map(([type]) => type)).toEqual(['campaign.created', 'campaign.disabled', 'campaign.enabled'])
})

test('an update changes what it names, and the vouchers are updated in the background', async () => {
  const { post, put, get, created, settled, events, path } = withCampaign({
    vouchers_count: 700,
    expiration_date: '2027-01-01T00:00:00Z',
    metadata: { a: 1 },
  })
  await settled()
  post(`${path}/vouchers/OWN`, { expiration_date: '2026-12-01T00:00:00Z', redemption: { quantity: 5 } })

  const { status, body } = put(path, {
    description: 'Longer',
    expiration_date: '2028-01-01',
    metadata: { b: 2 },
    voucher: { discount: { type: 'AMOUNT', amount_off: 700 }, redemption: { quantity: 2 } },
    name: 'Other',
    vouchers_count: 1,
  })
  await settled()
  const vouchers = get('/v1/vouchers', 'limit=100&order=code').body.vouchers
  const [action] = get('/v1/async-actions').body.async_actions

  expect(status).toBe(200)
  expect(body).toMatchObject({
    id: created.id,
    name: 'C',
    description: 'Longer',
    expiration_date: '2028-01-01T00:00:00.000Z',
    metadata: { a: 1, b: 2 },
    voucher: { discount: { amount_off: 700 }, redemption: { quantity: 2 }, code_config: created.voucher.code_config },
    updated_at: '2026-05-07T00:00:00.000Z',
    vouchers_count: 701,
  })
  expect(vouchers.filter(({ code }: { code: string }) => code !== 'OWN')[0]).toMatchObject({
    expiration_date: '2028-01-01T00:00:00.000Z',
    discount: { amount_off: 700 },
    metadata: { a: 1, b: 2 },
    redemption: { quantity: 2 },
  })
  expect(get('/v1/vouchers/OWN').body).toMatchObject({
    expiration_date: '2026-12-01T00:00:00.000Z',
    discount: { amount_off: 700 },
    redemption: { quantity: 5 },
  })
  expect(get(`/v1/async-actions/${action.id}`).body).toMatchObject({
    type: 'CAMPAIGN.VOUCHERS_UPDATE',
    status: 'DONE',
    result: { message: '701 voucher(s) updated successfully.', done_count: 701 },
  })
  expect(events().at(-1)).toEqual(['campaign.updated', created.id])
})

test('an update that changes nothing, or no field of vouchers, starts no job', () => {
  const { put, get, created, events, path } = withCampaign({ vouchers_count: 1 })

  const same = put(path, { active: true }).body
  const text = put(path, { description: 'x', auto_join: true }).body

  expect(same).toEqual(created)
  expect(text).toMatchObject({ description: 'x', auto_join: true })
  expect(get('/v1/async-actions').body.async_actions).toEqual([])
  expect(events().filter(([type]) => type === 'campaign.updated')).toHaveLength(1)
})

test('an update adds rules to the campaign', () => {
  const { post, put } = testSandbox({
    fixture: { validation_rules: ['val_1', 'val_2'].map((id) => ({ id, name: id })) },
  })
  post('/v1/campaigns', coupons('C', { validation_rules: ['val_1'] }))

  const { body } = put('/v1/campaigns/C', { validation_rules: ['val_1', 'val_2'] })

  expect(body.validation_rules_assignments.total).toBe(2)
})

test.each([
  ['another kind of discount', { voucher: { discount: { type: 'PERCENT', percent_off: 5 } } }, 400, 'invalid_campaign'],
  ['another kind of voucher', { voucher: { type: 'GIFT_VOUCHER', gift: { amount: 5 } } }, 400, 'invalid_campaign'],
  ['the type STANDALONE', { type: 'STANDALONE' }, 400, 'invalid_campaign'],
  ['an end before the start', { start_date: '2026-02-01', expiration_date: '2026-01-01' }, 400, 'invalid_payload'],
  ['an invalid duration', { activity_duration_after_publishing: 'P' }, 400, 'invalid_payload'],
  ['an unknown category', { category_id: 'cat_x' }, 404, 'not_found'],
  ['an unknown rule', { validation_rules: ['val_x'] }, 404, 'not_found'],
])('an update to %s is refused', (_, body, status, key) => {
  const { put, get, created, path } = withCampaign()

  expect(put(path, body)).toMatchObject({ status, body: { key } })
  expect(get(path).body).toEqual(created)
})

test('deleting a campaign moves it and its vouchers to the bin', async () => {
  const { get, del, post, created, settled, events, path } = withCampaign({ vouchers_count: 600 })
  await settled()
  const [voucher] = get('/v1/vouchers', 'limit=1').body.vouchers

  const { status, body } = del(path)
  const gone = get(path).status
  await settled()

  expect(status).toBe(202)
  expect(gone).toBe(404)
  expect(get(`/v1/async-actions/${body.async_action_id}`).body).toMatchObject({
    type: 'CAMPAIGN.VOUCHERS_DELETE',
    status: 'DONE',
    result: { message: '600 voucher(s) deleted successfully.', done_count: 600 },
  })
  expect(get('/v1/vouchers').body.total).toBe(0)
  expect(post(`/v1/vouchers/${voucher.code}`, coupons('x').voucher).status).toBe(409)
  expect(events().at(-1)).toEqual(['campaign.deleted', created.id])
})

test('deleting by force frees the name and the codes, and removes the rules', async () => {
  const { call, post, get, settled } = testSandbox({ fixture: { validation_rules: [{ id: 'val_1', name: 'one' }] } })
  const path = '/v1/campaigns/C'
  post('/v1/campaigns', coupons('C', { validation_rules: ['val_1'] }))
  post(`${path}/vouchers/V`, {})

  const { status } = call('DELETE', path, { query: 'force=true' })
  await settled()

  expect(status).toBe(202)
  expect(get('/v1/validation-rules-assignments').body.total).toBe(0)
  expect(post('/v1/vouchers/V', coupons('x').voucher).status).toBe(200)
  expect(post('/v1/campaigns', coupons('C')).status).toBe(200)
})

test('deleting a promotion deletes its tiers and stacks', () => {
  const { post, get, del } = testSandbox({ fixture: { validation_rules: [{ id: 'val_1', name: 'one' }] } })
  const tier = (name: string) => ({ name, action: { discount: { type: 'PERCENT', percent_off: 5 } } })
  const tiers = [{ ...tier('T'), validation_rules: ['val_1'] }, tier('U')]
  const made = post('/v1/campaigns', { name: 'P', campaign_type: 'PROMOTION', promotion: { tiers } })
  const ids = made.body.promotion.tiers.map(({ id }: { id: string }) => id)
  post(`/v1/promotions/${made.body.id}/stacks`, { name: 'S', tiers: { ids } })
  const total = (path: string) => get(path).body.total
  const before = [total('/v1/promotions/tiers'), total('/v1/promotions/stacks')]

  del('/v1/campaigns/P')

  expect(before).toEqual([2, 1])
  expect([total('/v1/promotions/tiers'), total('/v1/promotions/stacks')]).toEqual([0, 0])
  expect(total('/v1/validation-rules-assignments')).toBe(0)
})

test('a campaign deleted while its codes are generated leaves no codes', async () => {
  const { call, get, settled, path } = withCampaign({ vouchers_count: 2000 })

  call('DELETE', path, { query: 'force=true' })
  await settled()

  expect(get('/v1/vouchers').body.total).toBe(0)
  expect(get('/v1/async-actions').body.async_actions).toMatchObject([
    { type: 'CAMPAIGN.VOUCHERS_DELETE', status: 'DONE' },
    { type: 'CAMPAIGN.VOUCHERS_GENERATE', status: 'FAILED' },
  ])
})

test('adding one voucher returns it at once, with its overrides', () => {
  const { post, created, events, path } = withCampaign({ metadata: { a: 1 }, category: 'Sun' })

  const { status, body } = post(`${path}/vouchers`, {
    metadata: { b: 2 },
    additional_info: 'x',
    active: false,
    code_config: { pattern: 'N-##', charset: '7' },
  })

  expect(status).toBe(200)
  expect(body).toMatchObject({
    code: 'N-77',
    campaign_id: created.id,
    metadata: { b: 2 },
    category: 'Sun',
    additional_info: 'x',
    active: false,
  })
  expect(events().slice(1)).toEqual([
    ['voucher.created', body.id],
    ['campaign.vouchers.added', created.id],
  ])
})

test('many more vouchers are generated in the background', async () => {
  const { call, get, settled, events, path } = withCampaign({ vouchers_count: 1 })

  const { status, body } = call('POST', `${path}/vouchers`, { query: 'vouchers_count=3', body: {} })
  const during = get(path).body
  const again = call('POST', `${path}/vouchers`, { query: 'vouchers_count=2', body: {} })
  await settled()

  expect(status).toBe(202)
  expect(body).toEqual({ async_action_id: expect.stringMatching(/^aa_/) })
  expect(during).toMatchObject({
    creation_status: 'DONE',
    vouchers_generation_status: 'IN_PROGRESS',
    vouchers_count: 4,
  })
  expect([again.status, again.body.key]).toEqual([400, 'invalid_campaign'])
  expect(get(path).body).toMatchObject({ vouchers_generation_status: 'DONE', vouchers_count: 4 })
  expect(
    events()
      .map(([type]) => type)
      .slice(-3),
  ).toEqual([
    'campaign.vouchers.generation.started',
    'campaign.vouchers.generation.completed',
    'campaign.vouchers.added',
  ])
})

test('a voucher is added once under a code of the caller', () => {
  const { post, path } = withCampaign()
  const at = `${path}/vouchers/${encodeURIComponent('MINE/1 ☕')}`

  expect(post(at, {}).body).toMatchObject({ code: 'MINE/1 ☕', campaign: 'C' })
  expect(post(at)).toMatchObject({
    status: 409,
    body: { key: 'duplicate_found', resource_type: 'voucher', resource_id: 'MINE/1 ☕' },
  })
})

const two = { query: 'vouchers_count=2' }
const pattern = (text: string) => ({ code_config: { pattern: text } })

test.each<[what: string, to: object, tail: string, options: CallOptions, status: number, key: string]>([
  ['a blank code', coupons('C'), '/%20', {}, 400, 'invalid_voucher'],
  ['no voucher', coupons('C'), '', { query: 'vouchers_count=0' }, 400, 'invalid_query_params'],
  ['too many', coupons('C'), '', { query: 'vouchers_count=100001' }, 400, 'invalid_campaign_params'],
  ['gift credits', coupons('C'), '', { body: { gift: { amount: 1 } } }, 400, 'invalid_voucher'],
  ['many with gift credits', coupons('C'), '', { ...two, body: { gift: { amount: 1 } } }, 400, 'invalid_voucher'],
  ['an unknown category', coupons('C'), '', { body: { category_id: 'cat_x' } }, 404, 'not_found'],
  ['a pattern of nothing', coupons('C'), '', { body: pattern(' ') }, 400, 'invalid_code_config'],
  ['two codes of a pattern with one', coupons('C'), '', { ...two, body: pattern('A') }, 400, 'invalid_code_config'],
  ['a voucher', { name: 'C', campaign_type: 'PROMOTION' }, '', {}, 400, 'invalid_campaign'],
])('adding %s to a campaign that cannot hold it is refused', (_, campaign, tail, options, status, key) => {
  const { call, post, get } = testSandbox()
  post('/v1/campaigns', campaign)

  expect(call('POST', `/v1/campaigns/C/vouchers${tail}`, { body: {}, ...options })).toMatchObject({
    status,
    body: { key },
  })
  expect(get('/v1/vouchers').body.total).toBe(0)
})

test('campaigns are listed newest first, paged, ordered and restricted', () => {
  const { post, put, get, clock } = testSandbox()
  const bodies = [
    coupons('Over', { expiration_date: '2026-01-01' }),
    gifts('Later', { start_date: '2027-01-01' }),
    friends('Off', { active: false, metadata: { team: 'a' } }),
    club('Now', { category: 'Sun' }),
  ]
  for (const [index, body] of bodies.entries()) {
    clock.now = `2026-05-0${index + 1}T00:00:00.000Z`
    post('/v1/campaigns', body)
  }
  clock.now = '2026-05-09T00:00:00.000Z'
  put('/v1/campaigns/Over', { description: 'x' })
  const names = (query = '') => get('/v1/campaigns', query).body.campaigns.map(({ name }: { name: string }) => name)

  expect(names()).toEqual(['Now', 'Off', 'Later', 'Over'])
  expect(names('order=created_at&limit=2&page=2')).toEqual(['Off', 'Now'])
  expect(names('order=-updated_at&limit=1')).toEqual(['Over'])
  expect(names('campaign_type=GIFT_VOUCHERS')).toEqual(['Later'])
  expect(names('campaign_status=DONE')).toHaveLength(4)
  expect(names('campaign_status=done')).toHaveLength(4)
  expect(names('campaign_status=failed')).toEqual([])
  expect(names('is_referral_code=true')).toEqual(['Off'])
  expect(names('is_referral_code=false')).toHaveLength(3)
  expect(names('filters[status][conditions][$active]=true')).toEqual(['Now'])
  expect(names('filters[status][conditions][$expired]=')).toEqual(['Over'])
  expect(names('filters[status][conditions][before_start]=')).toEqual(['Later'])
  expect(names('filters[status][conditions][$failed]=')).toEqual([])
  expect(names('filters[name][conditions][$starts_with]=O&filters[active][conditions][$is]=false')).toEqual(['Off'])
  expect(names('filters[metadata.team][conditions][$is]=a')).toEqual(['Off'])
  expect(names('filters[category][conditions][$is]=Sun')).toEqual(['Now'])
  expect(get('/v1/campaigns').body).toMatchObject({ object: 'list', data_ref: 'campaigns', total: 4 })
  expect(names('page=2')).toEqual([])
})

test.each(['limit=0', 'limit=101', 'page=101', 'campaign_type=X', 'filters[nothing][conditions][$is]=1'])(
  'a listing of campaigns with %s is refused',
  (query) => {
    const { status, body } = testSandbox().get('/v1/campaigns', query)

    expect([status, body.key]).toEqual([400, 'invalid_query_params'])
  },
)

test('a campaign of a fixture keeps its states, and an invalid one is not loaded', () => {
  const referral_program = {
    conversion_event_type: 'redemption',
    referee_reward: { amount: 1 },
    referrer_reward: { related_object_parent: { id: 'camp_1' }, type: 'LOYALTY_CARD', amount: 1 },
  }
  const draft = { creation_status: 'DRAFT', created_at: '2026-01-01T00:00:00Z' }
  const { get } = testSandbox({
    fixture: {
      campaigns: [
        { ...coupons('A', { type: 'STANDALONE', join_once: true }), ...draft },
        { name: 'Bare', campaign_type: 'DISCOUNT_COUPONS' },
        { ...friends('Friends'), referral_program },
      ],
    },
  })
  const broken = (campaign: Record<string, unknown>) => () => testSandbox({ fixture: { campaigns: [campaign] } })

  // A standalone campaign cannot have it: a fixture is a state that calls can reach.
  const stored = { join_once: false, created_at: '2026-01-01T00:00:00.000Z' }
  expect(get('/v1/campaigns/A').body).toMatchObject({ creation_status: 'DRAFT', ...stored })
  expect(get('/v1/campaigns/Friends').body.referral_program).toMatchObject({
    referee_reward: { amount: 1 },
    referrer_reward: { related_object_parent: { id: 'camp_1', object: 'campaign' } },
  })
  expect(get('/v1/campaigns/Bare').body).toMatchObject({ vouchers_count: 0, active: true })
  expect(broken({ campaign_type: 'PROMOTION' })).toThrow(/^campaigns\[0\]: /)
  expect(broken({ name: 'X', campaign_type: 'NONE' })).toThrow(/^campaigns\[0\]: /)
  expect(broken({ ...coupons('X'), voucher: { type: 'GIFT_VOUCHER', gift: { amount: 1 } } })).toThrow(/cannot hold/)
})

test('a summary counts what was created, published and redeemed between two days', () => {
  const redemption = {
    object: 'redemption',
    result: 'SUCCESS',
    status: 'SUCCEEDED',
    related_object_type: 'voucher',
    related_object_id: 'v_1',
    campaign_id: 'camp_1',
    customer_id: null,
  }
  const voucher = { ...coupons('x').voucher, campaign_id: 'camp_1' }
  const { get } = testSandbox({
    fixture: {
      campaigns: [{ ...coupons('C/D'), id: 'camp_1' }],
      customers: [{ id: 'cust_1', source_id: 'ada' }],
      vouchers: [
        { ...voucher, id: 'v_1', code: 'A', created_at: '2026-01-01T00:00:00.000Z' },
        { ...voucher, id: 'v_2', code: 'B', created_at: '2026-02-01T10:00:00.000Z' },
      ],
      publications: [{ customer_id: 'cust_1', vouchers_id: ['v_1'], created_at: '2026-02-01T23:59:59.999Z' }],
      redemptions: [
        { ...redemption, created_at: '2026-01-02T00:00:00.000Z' },
        { ...redemption, status: 'ROLLED_BACK', created_at: '2026-02-01T00:00:00.000Z' },
        { ...redemption, result: 'FAILURE', status: 'FAILED', created_at: '2026-02-01T00:00:00.000Z' },
      ],
    },
  })
  const path = `/v1/campaigns/${encodeURIComponent('C/D')}/summary`
  const succeeded = { redemptions_succeeded: 1, publications_succeeded: 1 }
  const none = {
    rollbacks: 0,
    rollbacks_succeeded: 0,
    rollbacks_failed: 0,
    validations: 0,
    validations_succeeded: 0,
    validations_failed: 0,
    publications_failed: 0,
    vouchers_deleted: 0,
    discounted_amount: 0,
    rolledback_discounted_amount: 0,
    orders_amount: 0,
    orders_rolledback_amount: 0,
  }

  expect(get(path).body).toMatchObject({
    vouchers_created: 2,
    publications: 1,
    redemptions: 3,
    redemptions_succeeded: 2,
  })
  expect(get(path, 'start_date=2026-02-01&end_date=2026-02-01').body).toEqual({
    object: 'campaign_summary',
    campaign: get('/v1/campaigns/camp_1').body,
    redemptions: 2,
    redemptions_failed: 1,
    publications: 1,
    vouchers_created: 1,
    ...succeeded,
    ...none,
  })
  expect(get(path, 'end_date=x').body.key).toBe('invalid_query_params')
})

test('a summary adds up validations, redemptions with their money, rollbacks and deleted vouchers', () => {
  const { call, post, del, get, clock } = testSandbox()
  post('/v1/campaigns', coupons('A'))
  for (const code of ['ONE', 'TWO', 'GONE']) post(`/v1/campaigns/A/vouchers/${code}`)
  const using = (id: string, amount = 2000) => ({
    body: { redeemables: [{ object: 'voucher', id }], order: { amount } },
  })
  call('POST', '/v1/validations', using('ONE'))
  call('POST', '/v1/validations', using('ONE', 0))
  call('POST', '/v1/redemptions', using('ONE'))
  const { id } = call('POST', '/v1/redemptions', using('TWO', 3000)).body.redemptions[0]
  post(`/v1/redemptions/${id}/rollback`)
  call('DELETE', '/v1/vouchers/GONE', { query: 'force=true' })
  del('/v1/vouchers/TWO')
  const { today, tomorrow } = { today: clock.now.slice(0, 10), tomorrow: '2026-05-07' }

  const summary = (query: string) => get('/v1/campaigns/A/summary', query).body

  expect(summary(`start_date=${today}&end_date=${today}`)).toMatchObject({
    validations: 2,
    validations_succeeded: 1,
    validations_failed: 1,
    redemptions: 2,
    redemptions_succeeded: 2,
    rollbacks: 1,
    rollbacks_succeeded: 1,
    vouchers_created: 3,
    vouchers_deleted: 2,
    discounted_amount: 1000,
    rolledback_discounted_amount: 500,
    orders_amount: 5000,
    orders_rolledback_amount: 3000,
  })
  expect(summary(`start_date=${tomorrow}`)).toMatchObject({ validations: 0, redemptions: 0, vouchers_created: 0 })
})

test('an update of terms reaches the codes that nobody was given, one of metadata reaches all', async () => {
  const { post, get, put, settled, path } = withCampaign({ metadata: { a: 1 } })
  for (const code of ['FREE', 'GIVEN', 'USED']) post(`${path}/vouchers/${code}`, {})
  post('/v1/publications', { voucher: 'GIVEN', customer: 'ada' })
  post('/v1/redemptions', { redeemables: [{ object: 'voucher', id: 'USED' }], order: { amount: 1000 } })
  const before = get('/v1/vouchers/USED').body

  const { body } = put(path, { expiration_date: '2028-01-01', metadata: { b: 2 } })
  await settled()
  const [free, given, used] = ['FREE', 'GIVEN', 'USED'].map((code) => get(`/v1/vouchers/${code}`).body)

  expect(body.expiration_date).toBe('2028-01-01T00:00:00.000Z')
  expect(free).toMatchObject({ expiration_date: '2028-01-01T00:00:00.000Z', metadata: { a: 1, b: 2 } })
  expect(given).toMatchObject({ expiration_date: null, metadata: { a: 1, b: 2 } })
  expect(used).toMatchObject({ expiration_date: before.expiration_date, metadata: { a: 1, b: 2 } })
})

test.each([
  ['coupons', coupons('C'), { discount: { type: 'AMOUNT', amount_off: 800 } }],
  ['gift cards', gifts('C'), { gift: { amount: 800 } }],
  ['a club', club('C'), { loyalty_card: { points: 800 } }],
])('what codes of %s are worth may be beside `voucher` in an update', (_, body, change) => {
  const { post, put } = testSandbox()
  post('/v1/campaigns', body)

  expect(put('/v1/campaigns/C', change)).toMatchObject({ status: 200, body: { voucher: change } })
})

test.each([
  ['campaigns', 'DISCOUNT_COUPONS', { type: 'DISCOUNT_VOUCHER', discount: { type: 'PERCENT', percent_off: 5 } }],
  ['loyalties', 'LOYALTY_PROGRAM', { type: 'LOYALTY_CARD', loyalty_card: { points: 5 } }],
])('an update under /v1/%s removes the metadata it names', (calls, campaign_type, voucher) => {
  const { post, put } = testSandbox()
  post('/v1/campaigns', { name: 'C', campaign_type, voucher, metadata: { a: 1, b: 2 } })

  const { body } = put(`/v1/${calls}/C`, { metadata: { c: 3 }, unset_metadata_fields: ['a', 'unknown'] })

  expect(body.metadata).toEqual({ b: 2, c: 3 })
})

test.each([
  ['PUT', '', { description: 'Other' }],
  ['POST', '/enable', undefined],
  ['POST', '/disable', undefined],
])('a campaign whose codes are being made is not changed by %s %s', async (method, tail, body) => {
  const { call, get, path, settled } = withCampaign({ vouchers_count: 30 })
  const before = get(path).body

  const early = call(method, `${path}${tail}`, { body })
  const between = get(path).body
  await settled()

  expect(before.creation_status).toBe('IN_PROGRESS')
  expect([early.status, early.body.key]).toEqual([400, 'invalid_campaign'])
  expect(between).toEqual(before)
  expect(call(method, `${path}${tail}`, { body }).status).toBe(200)
})

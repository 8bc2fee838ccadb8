import { expect, test } from 'vitest'
import { club, coupons, friends, gifts } from '../../../../support/campaigns.ts'
import { testSandbox } from '../../../../support/sandbox.ts'

function withCampaign(members: Record<string, unknown> = {}, name = 'C') {
  const sandbox = testSandbox()
  const created = sandbox.post('/v1/campaigns', coupons(name, members)).body
  sandbox.clock.now = '2026-05-07T00:00:00.000Z'
  return { ...sandbox, created, path: `/v1/campaigns/${encodeURIComponent(name)}` }
}

test('a campaign is found by its id and by a name that needs escaping', () => {
  const { ask, created, path } = withCampaign({}, 'A/B & ☕?')

  expect([ask(`GET ${path}`), ask(`GET /v1/campaigns/${created.id}`)]).toEqual([created, created])
})

test('a campaign that is named like the id of another is neither shown, disabled nor deleted in its place', () => {
  const { ask, created } = withCampaign()
  const mimic = ask('POST /v1/campaigns', coupons(created.id))
  const path = `/v1/campaigns/${created.id}`

  ask(`GET ${path}`, { id: created.id })
  ask(`POST ${path}/disable`)
  ask(`DELETE ${path}`)
  ask(`GET /v1/campaigns/${mimic.id}`, { active: mimic.active })
})

test('disabling and enabling answer with an empty object, and are recorded once each', () => {
  const { ask, created, events, path } = withCampaign()

  expect(['disable', 'disable'].map((act) => ask(`POST ${path}/${act}`))).toEqual([{}, {}])
  expect(ask(`GET ${path}`)).toEqual({ ...created, active: false, updated_at: '2026-05-07T00:00:00.000Z' })
  expect(ask(`POST ${path}/enable`)).toEqual({})
  ask(`GET ${path}`, { active: true })
  expect(events().map(([type]) => type)).toEqual(['campaign.created', 'campaign.disabled', 'campaign.enabled'])
})

test('an update changes what it names, and the vouchers are updated in the background', async () => {
  const { ask, created, settled, events, path } = withCampaign({
    vouchers_count: 700,
    expiration_date: '2027-01-01T00:00:00Z',
    metadata: { a: 1 },
  })
  await settled()
  ask(`POST ${path}/vouchers/OWN`, { expiration_date: '2026-12-01T00:00:00Z', redemption: { quantity: 5 } })

  const voucher = { discount: { type: 'AMOUNT', amount_off: 700 }, redemption: { quantity: 2 } }
  const others = { description: 'Longer', expiration_date: '2028-01-01', metadata: { b: 2 } }
  const changed = { expiration_date: '2028-01-01T00:00:00.000Z', metadata: { a: 1, b: 2 } }
  ask(
    `PUT ${path}`,
    { ...others, voucher, name: 'Other', vouchers_count: 1 },
    {
      ...changed,
      id: created.id,
      name: 'C',
      description: 'Longer',
      voucher: { ...voucher, code_config: created.voucher.code_config },
      updated_at: '2026-05-07T00:00:00.000Z',
      vouchers_count: 701,
    },
  )
  await settled()

  const { vouchers } = ask('GET /v1/vouchers?limit=100&order=code')
  expect(vouchers.find(({ code }: { code: string }) => code !== 'OWN')).toMatchObject({ ...voucher, ...changed })
  ask('GET /v1/vouchers/OWN', {
    expiration_date: '2026-12-01T00:00:00.000Z',
    discount: { amount_off: 700 },
    redemption: { quantity: 5 },
  })
  const [action] = ask('GET /v1/async-actions').async_actions
  ask(`GET /v1/async-actions/${action.id}`, {
    type: 'CAMPAIGN.VOUCHERS_UPDATE',
    status: 'DONE',
    result: { message: '701 voucher(s) updated successfully.', done_count: 701 },
  })
  expect(events().at(-1)).toEqual(['campaign.updated', created.id])
})

test('an update that changes nothing, or no field of vouchers, starts no job', () => {
  const { ask, created, events, path } = withCampaign({ vouchers_count: 1 })

  expect(ask(`PUT ${path}`, { active: true })).toEqual(created)
  const text = { description: 'x', auto_join: true }
  ask(`PUT ${path}`, text, text)
  ask('GET /v1/async-actions', { async_actions: [] })
  expect(events().filter(([type]) => type === 'campaign.updated')).toHaveLength(1)
})

test('an update adds rules to the campaign', () => {
  const { ask } = testSandbox({ fixture: { validation_rules: ['val_1', 'val_2'].map((id) => ({ id, name: id })) } })
  ask('POST /v1/campaigns', coupons('C', { validation_rules: ['val_1'] }))

  const both = { validation_rules: ['val_1', 'val_2'] }
  ask('PUT /v1/campaigns/C', both, { validation_rules_assignments: { total: 2 } })
})

test.each([
  ['another kind of discount', { voucher: { discount: { type: 'PERCENT', percent_off: 5 } } }, 'invalid_campaign'],
  ['another kind of voucher', { voucher: { type: 'GIFT_VOUCHER', gift: { amount: 5 } } }, 'invalid_campaign'],
  ['the type STANDALONE', { type: 'STANDALONE' }, 'invalid_campaign'],
  ['an end before the start', { start_date: '2026-02-01', expiration_date: '2026-01-01' }, 'invalid_payload'],
  ['an invalid duration', { activity_duration_after_publishing: 'P' }, 'invalid_payload'],
  ['an unknown category', { category_id: 'cat_x' }, 'not_found'],
  ['an unknown rule', { validation_rules: ['val_x'] }, 'not_found'],
])('an update to %s is refused', (_, body, key) => {
  const { ask, created, path } = withCampaign()

  ask(`PUT ${path}`, body, key)
  expect(ask(`GET ${path}`)).toEqual(created)
})

test('deleting a campaign moves it and its vouchers to the bin', async () => {
  const { ask, created, settled, events, path, del } = withCampaign({ vouchers_count: 600 })
  await settled()
  const [voucher] = ask('GET /v1/vouchers?limit=1').vouchers

  const { status, body } = del(path)
  ask(`GET ${path}`, 'not_found')
  await settled()

  expect(status).toBe(202)
  ask(`GET /v1/async-actions/${body.async_action_id}`, {
    type: 'CAMPAIGN.VOUCHERS_DELETE',
    status: 'DONE',
    result: { message: '600 voucher(s) deleted successfully.', done_count: 600 },
  })
  ask('GET /v1/vouchers', { total: 0 })
  ask(`POST /v1/vouchers/${voucher.code}`, coupons('x').voucher, 409)
  expect(events().at(-1)).toEqual(['campaign.deleted', created.id])
})

test('deleting by force frees the name and the codes, and removes the rules', async () => {
  const { ask, settled } = testSandbox({ fixture: { validation_rules: [{ id: 'val_1', name: 'one' }] } })
  ask('POST /v1/campaigns', coupons('C', { validation_rules: ['val_1'] }))
  ask('POST /v1/campaigns/C/vouchers/V', {})

  ask('DELETE /v1/campaigns/C?force=true', 202)
  await settled()

  ask('GET /v1/validation-rules-assignments', { total: 0 })
  ask('POST /v1/vouchers/V', coupons('x').voucher, 200)
  ask('POST /v1/campaigns', coupons('C'), 200)
})

test('deleting a promotion deletes its tiers and stacks', () => {
  const { ask } = testSandbox({ fixture: { validation_rules: [{ id: 'val_1', name: 'one' }] } })
  const tier = (name: string) => ({ name, action: { discount: { type: 'PERCENT', percent_off: 5 } } })
  const tiers = [{ ...tier('T'), validation_rules: ['val_1'] }, tier('U')]
  const made = ask('POST /v1/campaigns', { name: 'P', campaign_type: 'PROMOTION', promotion: { tiers } })
  const ids = made.promotion.tiers.map(({ id }: { id: string }) => id)
  ask(`POST /v1/promotions/${made.id}/stacks`, { name: 'S', tiers: { ids } })
  const totals = () => ['tiers', 'stacks'].map((name) => ask(`GET /v1/promotions/${name}`).total)

  expect(totals()).toEqual([2, 1])
  ask('DELETE /v1/campaigns/P')
  expect(totals()).toEqual([0, 0])
  ask('GET /v1/validation-rules-assignments', { total: 0 })
})

test('a campaign deleted while its codes are generated leaves no codes', async () => {
  const { ask, settled, path } = withCampaign({ vouchers_count: 2000 })

  ask(`DELETE ${path}?force=true`)
  await settled()

  ask('GET /v1/vouchers', { total: 0 })
  const ended = { DELETE: 'DONE', GENERATE: 'FAILED' }
  const async_actions = Object.entries(ended).map(([act, status]) => ({ type: `CAMPAIGN.VOUCHERS_${act}`, status }))
  ask('GET /v1/async-actions', { async_actions })
})

test('adding one voucher returns it at once, with its overrides', () => {
  const { ask, created, events, path } = withCampaign({ metadata: { a: 1 }, category: 'Sun' })
  const own = { metadata: { b: 2 }, additional_info: 'x', active: false }

  const { id } = ask(
    `POST ${path}/vouchers`,
    { ...own, code_config: { pattern: 'N-##', charset: '7' } },
    {
      ...own,
      code: 'N-77',
      campaign_id: created.id,
      category: 'Sun',
    },
  )

  expect(events().slice(1)).toEqual([
    ['voucher.created', id],
    ['campaign.vouchers.added', created.id],
  ])
})

test('many more vouchers are generated in the background', async () => {
  const { call, ask, settled, events, path } = withCampaign({ vouchers_count: 1 })
  const counted = { creation_status: 'DONE', vouchers_count: 4 }

  const { status, body } = call('POST', `${path}/vouchers`, { query: 'vouchers_count=3', body: {} })
  expect([status, body]).toEqual([202, { async_action_id: expect.stringMatching(/^aa_/) }])
  ask(`GET ${path}`, { ...counted, vouchers_generation_status: 'IN_PROGRESS' })
  ask(`POST ${path}/vouchers?vouchers_count=2`, {}, 'invalid_campaign')
  await settled()

  ask(`GET ${path}`, { ...counted, vouchers_generation_status: 'DONE' })
  const types = events().map(([type]) => type)
  expect(types.slice(-3)).toEqual(
    ['generation.started', 'generation.completed', 'added'].map((name) => `campaign.vouchers.${name}`),
  )
})

test('a voucher is added once under a code of the caller', () => {
  const { ask, path } = withCampaign()
  const at = `POST ${path}/vouchers/${encodeURIComponent('MINE/1 ☕')}`

  ask(at, {}, { code: 'MINE/1 ☕', campaign: 'C' })
  ask(at, undefined, { key: 'duplicate_found', resource_type: 'voucher', resource_id: 'MINE/1 ☕' })
})

const two = '?vouchers_count=2'
const pattern = (text: string) => ({ code_config: { pattern: text } })

test.each<[what: string, to: object, tail: string, body: object, key: string]>([
  ['a blank code', coupons('C'), '/%20', {}, 'invalid_voucher'],
  ['no voucher', coupons('C'), '?vouchers_count=0', {}, 'invalid_query_params'],
  ['too many', coupons('C'), '?vouchers_count=100001', {}, 'invalid_campaign_params'],
  ['gift credits', coupons('C'), '', { gift: { amount: 1 } }, 'invalid_voucher'],
  ['many with gift credits', coupons('C'), two, { gift: { amount: 1 } }, 'invalid_voucher'],
  ['an unknown category', coupons('C'), '', { category_id: 'cat_x' }, 'not_found'],
  ['a pattern of nothing', coupons('C'), '', pattern(' '), 'invalid_code_config'],
  ['two codes of a pattern with one', coupons('C'), two, pattern('A'), 'invalid_code_config'],
  ['a voucher', { name: 'C', campaign_type: 'PROMOTION' }, '', {}, 'invalid_campaign'],
])('adding %s to a campaign that cannot hold it is refused', (_, campaign, tail, body, key) => {
  const { ask } = testSandbox()
  ask('POST /v1/campaigns', campaign)

  ask(`POST /v1/campaigns/C/vouchers${tail}`, body, key)
  ask('GET /v1/vouchers', { total: 0 })
})

test('campaigns are listed newest first, paged, ordered and restricted', () => {
  const { ask, clock } = testSandbox()
  const bodies = [
    coupons('Over', { expiration_date: '2026-01-01' }),
    gifts('Later', { start_date: '2027-01-01' }),
    friends('Off', { active: false, metadata: { team: 'a' } }),
    club('Now', { category: 'Sun' }),
  ]
  for (const [index, body] of bodies.entries()) {
    clock.now = `2026-05-0${index + 1}T00:00:00.000Z`
    ask('POST /v1/campaigns', body)
  }
  clock.now = '2026-05-09T00:00:00.000Z'
  ask('PUT /v1/campaigns/Over', { description: 'x' })

  for (const [query, names] of Object.entries({
    '': 'Now Off Later Over',
    'order=created_at&limit=2&page=2': 'Off Now',
    'order=-updated_at&limit=1': 'Over',
    'campaign_type=GIFT_VOUCHERS': 'Later',
    'campaign_status=DONE': 'Now Off Later Over',
    'campaign_status=done': 'Now Off Later Over',
    'campaign_status=failed': '',
    'is_referral_code=true': 'Off',
    'is_referral_code=false': 'Now Later Over',
    'filters[status][conditions][$active]=true': 'Now',
    'filters[status][conditions][$expired]=': 'Over',
    'filters[status][conditions][before_start]=': 'Later',
    'filters[status][conditions][$failed]=': '',
    'filters[name][conditions][$starts_with]=O&filters[active][conditions][$is]=false': 'Off',
    'filters[metadata.team][conditions][$is]=a': 'Off',
    'filters[category][conditions][$is]=Sun': 'Now',
    'page=2': '',
  })) {
    const campaigns = names
      .split(' ')
      .filter(Boolean)
      .map((name) => ({ name }))
    ask(`GET /v1/campaigns?${query}`, { object: 'list', data_ref: 'campaigns', campaigns })
  }
  ask('GET /v1/campaigns', { total: 4 })
})

test.each(['limit=0', 'limit=101', 'page=101', 'campaign_type=X', 'filters[nothing][conditions][$is]=1'])(
  'a listing of campaigns with %s is refused',
  (query) => testSandbox().ask(`GET /v1/campaigns?${query}`, 'invalid_query_params'),
)

test('a campaign of a fixture keeps its states, and an invalid one is not loaded', () => {
  const referral_program = {
    conversion_event_type: 'redemption',
    referee_reward: { amount: 1 },
    referrer_reward: { related_object_parent: { id: 'camp_1' }, type: 'LOYALTY_CARD', amount: 1 },
  }
  const draft = { creation_status: 'DRAFT', created_at: '2026-01-01T00:00:00Z' }
  const load = (...campaigns: object[]) => testSandbox({ fixture: { campaigns } })
  const { ask } = load(
    { ...coupons('A', { type: 'STANDALONE', join_once: true }), ...draft },
    { name: 'Bare', campaign_type: 'DISCOUNT_COUPONS' },
    { ...friends('Friends'), referral_program },
  )

  // A standalone campaign cannot have join_once: a fixture is a state that calls can reach.
  ask('GET /v1/campaigns/A', { ...draft, join_once: false, created_at: '2026-01-01T00:00:00.000Z' })
  const referrer_reward = { related_object_parent: { id: 'camp_1', object: 'campaign' } }
  ask('GET /v1/campaigns/Friends', { referral_program: { referee_reward: { amount: 1 }, referrer_reward } })
  ask('GET /v1/campaigns/Bare', { vouchers_count: 0, active: true })
  for (const broken of [{ campaign_type: 'PROMOTION' }, { name: 'X', campaign_type: 'NONE' }])
    expect(() => load(broken)).toThrow(/^campaigns\[0\]: /)
  expect(() => load(coupons('X', { voucher: gifts('X').voucher }))).toThrow(/cannot hold/)
})

test('a summary counts what was created, published and redeemed between two days', () => {
  const redemption = (more: object) => ({
    object: 'redemption',
    result: 'SUCCESS',
    status: 'SUCCEEDED',
    related_object_type: 'voucher',
    related_object_id: 'v_1',
    campaign_id: 'camp_1',
    customer_id: null,
    ...more,
  })
  const voucher = { ...coupons('x').voucher, campaign_id: 'camp_1' }
  const { ask } = testSandbox({
    fixture: {
      campaigns: [{ ...coupons('C/D'), id: 'camp_1' }],
      customers: [{ id: 'cust_1', source_id: 'ada' }],
      vouchers: [
        { ...voucher, id: 'v_1', code: 'A', created_at: '2026-01-01T00:00:00.000Z' },
        { ...voucher, id: 'v_2', code: 'B', created_at: '2026-02-01T10:00:00.000Z' },
      ],
      publications: [{ customer_id: 'cust_1', vouchers_id: ['v_1'], created_at: '2026-02-01T23:59:59.999Z' }],
      redemptions: [
        redemption({ created_at: '2026-01-02T00:00:00.000Z' }),
        redemption({ status: 'ROLLED_BACK', created_at: '2026-02-01T00:00:00.000Z' }),
        redemption({ result: 'FAILURE', status: 'FAILED', created_at: '2026-02-01T00:00:00.000Z' }),
      ],
    },
  })
  const path = `/v1/campaigns/${encodeURIComponent('C/D')}/summary`
  const sums = 'discounted_amount rolledback_discounted_amount orders_amount orders_rolledback_amount'
  const none = ['publications_failed', 'vouchers_deleted', ...sums.split(' ')]
  for (const name of ['rollbacks', 'validations']) none.push(name, `${name}_succeeded`, `${name}_failed`)

  ask(`GET ${path}`, { vouchers_created: 2, publications: 1, redemptions: 3, redemptions_succeeded: 2 })
  expect(ask(`GET ${path}?start_date=2026-02-01&end_date=2026-02-01`)).toEqual({
    object: 'campaign_summary',
    campaign: ask('GET /v1/campaigns/camp_1'),
    redemptions: 2,
    redemptions_succeeded: 1,
    redemptions_failed: 1,
    publications: 1,
    publications_succeeded: 1,
    vouchers_created: 1,
    ...Object.fromEntries(none.map((name) => [name, 0])),
  })
  ask(`GET ${path}?end_date=x`, 'invalid_query_params')
})

test('a summary adds up validations, redemptions with their money, rollbacks and deleted vouchers', () => {
  const { ask } = testSandbox()
  ask('POST /v1/campaigns', coupons('A'))
  for (const code of ['ONE', 'TWO', 'GONE']) ask(`POST /v1/campaigns/A/vouchers/${code}`)
  const using = (id: string, amount = 2000) => ({ redeemables: [{ object: 'voucher', id }], order: { amount } })
  ask('POST /v1/validations', using('ONE'))
  ask('POST /v1/validations', using('ONE', 0))
  ask('POST /v1/redemptions', using('ONE'))
  const { id } = ask('POST /v1/redemptions', using('TWO', 3000)).redemptions[0]
  ask(`POST /v1/redemptions/${id}/rollback`)
  ask('DELETE /v1/vouchers/GONE?force=true')
  ask('DELETE /v1/vouchers/TWO')

  ask('GET /v1/campaigns/A/summary?start_date=2026-05-06&end_date=2026-05-06', {
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
  const nothing = { validations: 0, redemptions: 0, vouchers_created: 0 }
  ask('GET /v1/campaigns/A/summary?start_date=2026-05-07', nothing)
})

test('an update of terms reaches the codes that nobody was given, one of metadata reaches all', async () => {
  const { ask, settled, path } = withCampaign({ metadata: { a: 1 } })
  for (const code of ['FREE', 'GIVEN', 'USED']) ask(`POST ${path}/vouchers/${code}`, {})
  ask('POST /v1/publications', { voucher: 'GIVEN', customer: 'ada' })
  ask('POST /v1/redemptions', { redeemables: [{ object: 'voucher', id: 'USED' }], order: { amount: 1000 } })

  const expiration_date = '2028-01-01T00:00:00.000Z'
  ask(`PUT ${path}`, { expiration_date: '2028-01-01', metadata: { b: 2 } }, { expiration_date })
  await settled()

  const metadata = { a: 1, b: 2 }
  ask('GET /v1/vouchers/FREE', { expiration_date, metadata })
  for (const code of ['GIVEN', 'USED']) ask(`GET /v1/vouchers/${code}`, { expiration_date: null, metadata })
})

test.each([
  ['coupons', coupons('C'), { discount: { type: 'AMOUNT', amount_off: 800 } }],
  ['gift cards', gifts('C'), { gift: { amount: 800 } }],
  ['a club', club('C'), { loyalty_card: { points: 800 } }],
])('what codes of %s are worth may be beside `voucher` in an update', (_, body, change) => {
  const { ask } = testSandbox()
  ask('POST /v1/campaigns', body)

  ask('PUT /v1/campaigns/C', change, { voucher: change })
})

test.each([
  ['campaigns', coupons('C')],
  ['loyalties', club('C')],
])('an update under /v1/%s removes the metadata it names', (calls, campaign) => {
  const { ask } = testSandbox()
  ask('POST /v1/campaigns', { ...campaign, metadata: { a: 1, b: 2 } })

  const { metadata } = ask(`PUT /v1/${calls}/C`, { metadata: { c: 3 }, unset_metadata_fields: ['a', 'unknown'] })

  expect(metadata).toEqual({ b: 2, c: 3 })
})

test.each([
  ['PUT', '', { description: 'Other' }],
  ['POST', '/enable', undefined],
  ['POST', '/disable', undefined],
])('a campaign whose codes are being made is not changed by %s %s', async (method, tail, body) => {
  const { ask, path, settled } = withCampaign({ vouchers_count: 30 })
  const before = ask(`GET ${path}`, { creation_status: 'IN_PROGRESS' })

  ask(`${method} ${path}${tail}`, body, 'invalid_campaign')
  expect(ask(`GET ${path}`)).toEqual(before)
  await settled()
  ask(`${method} ${path}${tail}`, body)
})

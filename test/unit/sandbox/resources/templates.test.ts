import { expect, test } from 'vitest'
import { projects } from '../../../../src/sandbox/stores/projects.ts'
import { club, coupons, friends, gifts } from '../../../support/campaigns.ts'
import { testSandbox } from '../../../support/sandbox.ts'

const path = '/v1/templates/campaigns'

const percentOff = (percent_off: number) => ({ discount: { type: 'PERCENT', percent_off } })
const bigOrders = {
  '1': { name: 'order.amount', conditions: { $more_than: [2000] }, rules: {}, error: null },
  logic: '1',
}

const segmentRule = (...$is: unknown[]) => ({
  '1': { name: 'customer.segment', conditions: { $is }, rules: {} },
  logic: '1',
})
const fixture = {
  categories: [{ id: 'cat_1', name: 'Sun', hierarchy: 1 }],
  segments: [
    { id: 'seg_1', name: 'Regulars', type: 'static', customers: [] },
    { id: 'seg_2', name: 'Ada', type: 'auto-update', filter: { name: { conditions: { $is: ['Ada'] } } } },
    { id: 'seg_3', name: 'Bob', type: 'passive', filter: { name: { conditions: { $is: ['Bob'] } } } },
  ],
  validation_rules: [
    { id: 'val_1', name: 'Big orders', rules: bigOrders, error: { message: 'Too small' } },
    { id: 'val_2', name: 'Regulars', rules: segmentRule('seg_3', { id: 'seg_1' }) },
    { id: 'val_3', name: 'Computed', rules: segmentRule('seg_2', 'seg_3') },
  ],
  campaigns: [{ id: 'camp_p', name: 'Promo', campaign_type: 'PROMOTION' }],
  promotion_tiers: [{ id: 'promo_1', name: 'Tier', campaign_id: 'camp_p', action: percentOff(5), banner: 'Five!' }],
}

function withTemplate(body: Record<string, unknown> = coupons('Summer'), members: Record<string, unknown> = {}) {
  const sandbox = testSandbox({ fixture })
  const campaign = sandbox.post('/v1/campaigns', body).body
  const create = (more: Record<string, unknown> = {}) =>
    sandbox.post(path, { name: 'T', campaign_id: campaign.id, ...members, ...more })
  return { ...sandbox, campaign, create }
}

function managing(sandbox: ReturnType<typeof testSandbox>) {
  const { credentials, store, project } = sandbox
  const other = { ...project, id: 'proj_other', name: 'Other', app_id: 'o', client_app_id: 'o' }
  store.transaction(() => store.in(projects, '').insert(other))
  const headers = {
    'x-app-id': undefined,
    'x-app-token': undefined,
    'x-management-id': credentials.management_id,
    'x-management-token': credentials.management_token,
  }
  const manage = (method: string, tail: string, body?: unknown, projectId = project.id) =>
    sandbox.call(method, `/management/v1/projects/${projectId}/templates/campaigns${tail}`, { headers, body })
  return { manage }
}

test('a template is created from a discount campaign, without an event', () => {
  const { create, get, events } = withTemplate(coupons('Summer', { category: 'Sun', validation_rules: ['val_1'] }))
  const before = events()

  const { status, body } = create({ description: 'For the summer' })
  const expanded = get(`${path}/${body.id}`, 'expand=json_template').body

  expect(status).toBe(200)
  expect(body).toEqual({
    id: expect.stringMatching(/^camp_tpl_[0-9a-f]{18}$/),
    name: 'T',
    description: 'For the summer',
    campaign_type: 'DISCOUNT_COUPONS',
    created_at: '2026-05-06T07:08:09.123Z',
    updated_at: null,
    object: 'campaign_template',
  })
  expect(get(`${path}/${body.id}`).body).toEqual(body)
  expect(expanded.json_template).toMatchObject({
    object: 'campaign',
    type: 'STATIC',
    voucher: { discount: { amount_off: 500 } },
    validation_rules: [{ name: 'Big orders', error: { message: 'Too small' } }],
  })
  expect(expanded.json_template).not.toHaveProperty('name')
  expect(expanded.json_template).not.toHaveProperty('category')
  expect(expanded.json_template).not.toHaveProperty('vouchers_count')
  expect(events()).toEqual(before)
})

test('a template of gift cards keeps its type, that of a tier is of discount coupons', () => {
  const { create } = withTemplate(gifts('Cards'))

  expect(create().body.campaign_type).toBe('GIFT_VOUCHERS')
  expect(create({ name: 'U', campaign_id: null, promotion_tier_id: 'promo_1' }).body.campaign_type).toBe(
    'DISCOUNT_COUPONS',
  )
})

test.each([
  ['of both', { promotion_tier_id: 'promo_1' }, 400, 'invalid_payload'],
  ['of neither', { campaign_id: undefined }, 400, 'invalid_payload'],
  ['without a name', { name: undefined }, 400, 'invalid_payload'],
  ['of an unknown campaign', { campaign_id: 'camp_x' }, 404, 'not_found'],
  ['of a campaign named by its name', { campaign_id: 'Summer' }, 404, 'not_found'],
  ['of an unknown tier', { campaign_id: null, promotion_tier_id: 'promo_x' }, 404, 'not_found'],
  ['of a promotion', { campaign_id: 'camp_p' }, 400, 'campaign_type_is_not_supported_by_campaign_template'],
])('a template %s is refused', (_, members, status, key) => {
  const { create, get } = withTemplate()

  expect(create(members)).toMatchObject({ status, body: { key } })
  expect(get(path).body.campaign_templates).toEqual([])
})

test.each([
  ['a loyalty program', club('X')],
  ['a referral program', friends('X')],
  ['a campaign for a list of customers', coupons('X', { validation_rules: ['val_2'] })],
])('%s cannot become a template', (_, body) => {
  expect(withTemplate(body).create()).toMatchObject({
    status: 400,
    body: { key: 'campaign_type_is_not_supported_by_campaign_template' },
  })
})

test('a campaign for segments that are computed can become a template, a draft cannot', () => {
  const { post } = testSandbox({
    fixture: { campaigns: [{ ...coupons('D'), id: 'camp_d', creation_status: 'DRAFT' }] },
  })

  expect(withTemplate(coupons('X', { validation_rules: ['val_3'] })).create().status).toBe(200)
  expect(post(path, { name: 'T', campaign_id: 'camp_d' })).toMatchObject({
    status: 400,
    body: { details: 'Campaign camp_d is a draft and cannot become a template' },
  })
})

test('a name is used once, and is free again when its template is deleted', () => {
  const { create, del } = withTemplate()
  const { id } = create().body

  expect(create()).toMatchObject({
    status: 409,
    body: {
      details: 'Duplicated campaign_template exists with name T',
      resource_type: 'campaign_template',
      resource_id: 'T',
    },
  })
  expect(del(`${path}/${id}`).status).toBe(204)
  expect(create().status).toBe(200)
})

test('templates are listed oldest first, walked by id, counted only on request', () => {
  const { create, get } = withTemplate()
  for (const name of ['A', 'B/ &', 'C']) create({ name })
  const names = (body: { campaign_templates: { name: string }[] }) => body.campaign_templates.map(({ name }) => name)

  const first = get(path, 'limit=2').body
  const second = get(path, `limit=2&starting_after_id=${first.more_starting_after}&include_total=true`).body

  expect(names(first)).toEqual(['A', 'B/ &'])
  expect(first).toMatchObject({ object: 'list', data_ref: 'campaign_templates', has_more: true })
  expect(first).not.toHaveProperty('total')
  expect(first.campaign_templates[0]).not.toHaveProperty('json_template')
  expect(names(second)).toEqual(['C'])
  expect(second).toMatchObject({ has_more: false, total: 3 })
  expect(names(get(path, 'order=-id&limit=1').body)).toEqual(['C'])
  expect(names(get(path, `filters[name][conditions][$is]=${encodeURIComponent('B/ &')}`).body)).toEqual(['B/ &'])
  expect(names(get(path, 'filters[campaign_type][conditions][$is]=GIFT_VOUCHERS').body)).toEqual([])
  expect(get(path, 'limit=0').body.key).toBe('invalid_query_params')
})

test('name and description are changed, a taken name is a 409', () => {
  const { create, put, clock } = withTemplate()
  const { id } = create({ description: 'old' }).body
  create({ name: 'U' })
  clock.now = '2026-06-01T00:00:00.000Z'

  expect(put(`${path}/${id}`, { name: 'V', description: null }).body).toMatchObject({
    name: 'V',
    description: null,
    updated_at: '2026-06-01T00:00:00.000Z',
  })
  expect(['V', 'U', ''].map((name) => put(`${path}/${id}`, { name }).status)).toEqual([200, 409, 400])
})

test('a campaign created from a template has its own rules, and what the template does not keep', async () => {
  const { create, put, post, get, campaign, events, settled } = withTemplate(
    coupons('Summer', { validation_rules: ['val_1'], metadata: { a: 1 } }),
  )
  const template = create().body
  put(`/v1/campaigns/${campaign.id}`, { metadata: { a: 2 } })

  const { status, body } = post(`${path}/${template.id}/campaign-setup`, {
    name: 'Autumn',
    vouchers_count: 3,
    category_id: 'cat_1',
    type: 'AUTO_UPDATE',
  })
  await settled()
  const [made] = body.created_resources
  const rule = get(`/v1/validation-rules/${made.id}`).body

  expect(status).toBe(200)
  expect(body.object).toBe('campaign_setup')
  expect(body.campaign).toMatchObject({
    name: 'Autumn',
    type: 'AUTO_UPDATE',
    metadata: { a: 1 },
    category: 'Sun',
    voucher: { discount: { amount_off: 500 } },
  })
  expect(body.created_resources).toEqual([{ id: rule.id, object: 'validation_rules' }])
  expect(rule).toMatchObject({ name: 'Big orders', rules: bigOrders, assignments_count: 1 })
  expect(rule.id).not.toBe('val_1')
  expect(body.campaign.validation_rules_assignments.data).toMatchObject([{ rule_id: rule.id }])
  expect(get('/v1/campaigns/Autumn').body).toMatchObject({ vouchers_count: 3, creation_status: 'DONE' })
  expect(events().map(([type]) => type)).toEqual([
    'campaign.created',
    'campaign.updated',
    'business_validation_rule.created',
    'campaign.created',
    'campaign.vouchers.generation.started',
    'campaign.vouchers.generation.completed',
  ])
})

test('a taken campaign name stores no rules', () => {
  const { create, post, get } = withTemplate(coupons('Summer', { validation_rules: ['val_1'] }))
  const template = create().body

  expect(post(`${path}/${template.id}/campaign-setup`, { name: 'Summer' }).status).toBe(409)
  expect(get('/v1/validation-rules').body.total).toBe(3)
})

test('a template of a tier becomes a campaign of codes, and one of codes a tier', () => {
  const { create, post, events } = withTemplate(coupons('Summer', { validation_rules: ['val_1'] }))
  const ofTier = create({ name: 'U', campaign_id: null, promotion_tier_id: 'promo_1' }).body
  const ofCodes = create().body
  const asked = { name: 'Second', campaign_id: 'camp_p', banner: 'Hello' }

  const codes = post(`${path}/${ofTier.id}/campaign-setup`, { name: 'Codes' }).body
  const tier = post(`${path}/${ofCodes.id}/tier-setup`, asked)

  expect(codes.campaign).toMatchObject({
    campaign_type: 'DISCOUNT_COUPONS',
    voucher: { type: 'DISCOUNT_VOUCHER', discount: { percent_off: 5 } },
  })
  expect(tier).toMatchObject({
    status: 200,
    body: {
      object: 'promotion_tier_setup',
      promotion_tier: { ...asked, summary: { redemptions: { total_redeemed: 0 } }, hierarchy: 2 },
      created_resources: [{ id: expect.stringMatching(/^val_/), object: 'validation_rules' }],
    },
  })
  expect(events().slice(-2)).toEqual([
    ['business_validation_rule.created', tier.body.created_resources[0].id],
    ['campaign.promotion_tier.created', tier.body.promotion_tier.id],
  ])
  expect(tier.body.promotion_tier.action).toEqual({ discount: { type: 'AMOUNT', amount_off: 500 } })
})

test('a tier is not created from gift cards, nor in a campaign without promotions', () => {
  const { create, post, campaign } = withTemplate(gifts('Cards'))
  const { id } = create().body
  const other = create({ name: 'U', campaign_id: null, promotion_tier_id: 'promo_1' }).body
  const setUp = (template: string, campaign_id: string) =>
    post(`${path}/${template}/tier-setup`, { name: 'N', campaign_id })

  expect(setUp(id, 'camp_p').body.key).toBe('campaign_type_is_not_supported_by_campaign_template')
  expect(setUp(id, 'camp_x').status).toBe(404)
  expect(setUp(other.id, campaign.id)).toMatchObject({ status: 400, body: { key: 'invalid_campaign' } })
})

test('a copy goes to another project under its own name, with the description unless specified otherwise', () => {
  const sandbox = withTemplate(coupons('Summer'))
  const { id } = sandbox.create({ description: 'D' }).body
  const { manage } = managing(sandbox)
  sandbox.clock.now = '2026-06-01T00:00:00.000Z'

  const copy = manage('POST', `/${id}/copy`, { name: 'T', destination_project_id: 'proj_other' })
  const other = manage('POST', `/${id}/copy`, { name: 'U', destination_project_id: 'proj_other', description: 'E' })
  const own = manage('POST', `/${id}/copy`, { name: 'V', destination_project_id: sandbox.project.id })

  expect(copy.status).toBe(200)
  expect(copy.body).toMatchObject({
    name: 'T',
    description: 'D',
    campaign_type: 'DISCOUNT_COUPONS',
    created_at: '2026-06-01T00:00:00.000Z',
    object: 'campaign_template',
  })
  expect(copy.body.id).not.toBe(id)
  expect(other.body.description).toBe('E')
  expect(own.status).toBe(200)
  expect(
    manage('GET', '', undefined, 'proj_other').body.campaign_templates.map((t: { name: string }) => t.name),
  ).toEqual(['T', 'U'])
  expect(sandbox.get(path).body.campaign_templates).toHaveLength(2)
})

test('a copy under a taken name, from or to something unknown, is refused without a key', () => {
  const sandbox = withTemplate()
  const { id } = sandbox.create().body
  const { manage } = managing(sandbox)

  const taken = manage('POST', `/${id}/copy`, { name: 'T', destination_project_id: sandbox.project.id })
  const nowhere = manage('POST', `/${id}/copy`, { name: 'N', destination_project_id: 'proj_x' })

  expect(taken.body).toEqual({
    code: 409,
    message: 'Duplicated resource found',
    details: 'Duplicated campaign_template exists with name T',
    request_id: expect.any(String),
  })
  expect(nowhere.body).toMatchObject({ code: 404, details: 'Cannot find project with id proj_x' })
  expect(nowhere.body).not.toHaveProperty('key')
  expect(manage('POST', '/camp_tpl_x/copy', { name: 'N', destination_project_id: 'proj_other' }).status).toBe(404)
  expect(manage('GET', '', undefined, 'proj_x').status).toBe(404)
  expect(manage('POST', `/${id}/copy`, { destination_project_id: 'proj_other' }).body.key).toBe('invalid_payload')
})

test.each(['included', 'excluded'])(
  'a template whose rules have %s products is used only where these exist',
  (list) => {
    const rule = { id: 'val_1', name: 'Beans', applicable_to: { [list]: [{ object: 'product', id: 'prod_1' }] } }
    const sandbox = testSandbox({
      fixture: { products: [{ id: 'prod_1', source_id: 'beans' }], validation_rules: [rule] },
    })
    const campaign = sandbox.post('/v1/campaigns', coupons('B', { validation_rules: ['val_1'] })).body
    const { id } = sandbox.post(path, { name: 'T', campaign_id: campaign.id }).body
    const setUp = (name: string) => sandbox.post(`${path}/${id}/campaign-setup`, { name })

    const there = setUp('C')
    sandbox.call('DELETE', '/v1/products/prod_1', { query: 'force=true' })
    const gone = setUp('D')

    expect(there.status).toBe(200)
    expect([gone.status, gone.body.details]).toEqual([404, 'Cannot find product with id prod_1'])
  },
)

test('templates of a fixture can be used like any other', () => {
  const json_template = { object: 'campaign', type: 'STATIC', voucher: coupons('x').voucher }
  const { post } = testSandbox({
    fixture: { templates: [{ id: 'camp_tpl_1', name: 'F', campaign_type: 'DISCOUNT_COUPONS', json_template }] },
  })

  const { body } = post(`${path}/camp_tpl_1/campaign-setup`, { name: 'C', vouchers_count: 1 })

  expect(body.campaign).toMatchObject({ name: 'C', type: 'STATIC', vouchers_count: 1 })
})

const ofCodes = { name: 'F', campaign_type: 'DISCOUNT_COUPONS' }
const ofCampaign = { json_template: { object: 'campaign', voucher: {} } }

test.each([
  ['without a name', { ...ofCodes, ...ofCampaign, name: undefined }],
  ['without what it creates', ofCodes],
  ['without content', { ...ofCodes, json_template: { object: 'campaign' } }],
  ['of a loyalty program', { ...ofCodes, ...ofCampaign, campaign_type: 'LOYALTY_PROGRAM' }],
])('a template of a fixture %s is not loaded', (_, template) => {
  expect(() => testSandbox({ fixture: { templates: [template] } })).toThrow(/^templates\[0\]: /)
})

const windows = {
  start_date: '2027-01-01T00:00:00.000Z',
  expiration_date: '2028-01-01T00:00:00.000Z',
  validity_timeframe: { duration: 'P1D', interval: 'P2D' },
  validity_day_of_week: [1, 2],
  active: false,
  metadata: { b: 2 },
  category_id: 'cat_1',
}

test('every override of a campaign setup is found in the campaign', () => {
  const { create, post } = withTemplate(coupons('Summer'))
  const overrides = {
    ...windows,
    description: 'second',
    type: 'AUTO_UPDATE',
    activity_duration_after_publishing: 'P7D',
    auto_join: true,
    join_once: false,
    use_voucher_metadata_schema: false,
    vouchers_count: 1,
  }
  const voucher = { ...percentOff(7), redemption: { quantity: 3 } }

  const answer = post(`${path}/${create().body.id}/campaign-setup`, {
    name: 'N',
    ...overrides,
    voucher: { ...voucher, code_config: { prefix: 'N-', length: 4 } },
  })

  expect(answer.status).toBe(200)
  expect(answer.body.campaign).toMatchObject({
    ...overrides,
    voucher: { ...voucher, type: 'DISCOUNT_VOUCHER', code_config: { pattern: 'N-####' } },
  })
})

test('every override of a tier setup is found in the tier', () => {
  const { create, post } = withTemplate(coupons('Summer'))
  const overrides = { ...windows, campaign_id: 'camp_p', banner: 'Hello', hierarchy: 7, action: percentOff(7) }

  expect(post(`${path}/${create().body.id}/tier-setup`, { name: 'N', ...overrides })).toMatchObject({
    status: 200,
    body: { promotion_tier: overrides },
  })
})

test('an override that is null leaves what the template says', () => {
  const { create, post } = withTemplate(coupons('Summer', { expiration_date: '2028-01-01T00:00:00.000Z' }))
  const nothing = { expiration_date: null, voucher: null }

  expect(post(`${path}/${create().body.id}/campaign-setup`, { name: 'N', ...nothing }).body.campaign).toMatchObject({
    expiration_date: '2028-01-01T00:00:00.000Z',
    voucher: { type: 'DISCOUNT_VOUCHER' },
  })
})

test.each([
  ['campaign-setup', { banner: 'x' }, 'banner', 'a campaign'],
  ['campaign-setup', { hierarchy: 1 }, 'hierarchy', 'a campaign'],
  ['tier-setup', { description: 'x' }, 'description', 'a promotion tier'],
  ['tier-setup', { vouchers_count: 1 }, 'vouchers_count', 'a promotion tier'],
])('a %s with %j is refused, not obeyed in part', (call, body, name, what) => {
  const { post, create } = withTemplate(coupons('Summer'))

  expect(post(`${path}/${create().body.id}/${call}`, { name: 'N', campaign_id: 'camp_p', ...body })).toMatchObject({
    status: 400,
    body: { details: `Property .${name} must NOT be given: ${what} has none` },
  })
})

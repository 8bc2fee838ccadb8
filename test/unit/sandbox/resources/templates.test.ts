import { expect, test } from 'vitest'
import { campaigns, type StoredCampaign } from '../../../../src/sandbox/stores/campaigns.ts'
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
  campaigns: [
    { id: 'camp_p', name: 'Promo', campaign_type: 'PROMOTION' },
    { ...coupons('Draft'), id: 'camp_d', creation_status: 'DRAFT' },
    { ...club('Club'), id: 'camp_l' },
    { ...friends('Friends'), id: 'camp_f' },
  ],
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
  const { create, ask, events } = withTemplate(coupons('Summer', { category: 'Sun', validation_rules: ['val_1'] }))
  const before = events()

  const { status, body } = create({ description: 'For the summer' })

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
  expect(ask(`GET ${path}/${body.id}`)).toEqual(body)
  const { json_template } = ask(`GET ${path}/${body.id}?expand=json_template`)
  expect(json_template).toMatchObject({
    object: 'campaign',
    type: 'STATIC',
    voucher: { discount: { amount_off: 500 } },
    validation_rules: [{ name: 'Big orders', error: { message: 'Too small' } }],
  })
  for (const name of ['name', 'category', 'vouchers_count']) expect(json_template).not.toHaveProperty(name)
  expect(events()).toEqual(before)
})

const said = {
  description: 'For members',
  auto_join: true,
  join_once: true,
  use_voucher_metadata_schema: false,
  activity_duration_after_publishing: 'P1D',
}
const unsaid = {
  description: null,
  auto_join: false,
  join_once: false,
  use_voucher_metadata_schema: true,
  activity_duration_after_publishing: null,
}

test.each([
  ['what its campaign says', said, said],
  ['the usual where an earlier promo stored nothing of it', {}, unsaid],
])('a template has %s', (_, members, expected) => {
  const { ask, store, project } = testSandbox({ fixture: { campaigns: [{ ...coupons('C'), id: 'camp_c' }] } })
  const table = store.in(campaigns, project.id)
  const nothing = Object.fromEntries(Object.keys(unsaid).map((name) => [name, undefined]))
  table.update({ ...(table.get('camp_c') as StoredCampaign), ...nothing, ...members })
  const { id } = ask(`POST ${path}`, { name: 'T', campaign_id: 'camp_c' })

  expect(ask(`GET ${path}/${id}?expand=json_template`).json_template).toMatchObject(expected)
})

test('a template of gift cards keeps its type, that of a tier is of discount coupons', () => {
  const { create } = withTemplate(gifts('Cards'))
  const ofTier = create({ name: 'U', campaign_id: null, promotion_tier_id: 'promo_1' })

  expect([create(), ofTier].map(({ body }) => body.campaign_type)).toEqual(['GIFT_VOUCHERS', 'DISCOUNT_COUPONS'])
})

test.each([
  ['of both', { promotion_tier_id: 'promo_1' }, 'invalid_payload'],
  ['of neither', { campaign_id: undefined }, 'invalid_payload'],
  ['without a name', { name: undefined }, 'invalid_payload'],
  ['of an unknown campaign', { campaign_id: 'camp_x' }, 'not_found'],
  ['of a campaign named by its name', { campaign_id: 'Summer' }, 'not_found'],
  ['of an unknown tier', { campaign_id: null, promotion_tier_id: 'promo_x' }, 'not_found'],
  ['of a promotion', { campaign_id: 'camp_p' }, 'campaign_type_is_not_supported_by_campaign_template'],
  ['of a draft', { campaign_id: 'camp_d' }, 'campaign_type_is_not_supported_by_campaign_template'],
  ['of a loyalty program', { campaign_id: 'camp_l' }, 'campaign_type_is_not_supported_by_campaign_template'],
  ['of a referral program', { campaign_id: 'camp_f' }, 'campaign_type_is_not_supported_by_campaign_template'],
])('a template %s is refused', (_, members, key) => {
  const { ask, campaign } = withTemplate()

  ask(`POST ${path}`, { name: 'T', campaign_id: campaign.id, ...members }, key)
  ask(`GET ${path}`, { campaign_templates: [] })
})

test('a campaign for a list of customers cannot become a template, one for segments that are computed can', () => {
  const [listed, computed] = ['val_2', 'val_3'].map((id) =>
    withTemplate(coupons('X', { validation_rules: [id] })).create(),
  )

  expect(listed?.body).toMatchObject({ code: 400, key: 'campaign_type_is_not_supported_by_campaign_template' })
  expect(computed?.status).toBe(200)
})

test('a name is used once, and is free again when its template is deleted', () => {
  const { create, ask } = withTemplate()
  const { id } = create().body

  const details = 'Duplicated campaign_template exists with name T'
  const error = { code: 409, details, resource_type: 'campaign_template', resource_id: 'T' }
  expect(create().body).toMatchObject(error)
  ask(`DELETE ${path}/${id}`, 204)
  expect(create().status).toBe(200)
})

test('templates are listed oldest first, walked by id, counted only on request', () => {
  const { create, ask } = withTemplate()
  for (const name of ['A', 'B/ &', 'C']) create({ name })
  const listing = (query: string, names: string[], more: object = {}) =>
    ask(`GET ${path}?${query}`, { campaign_templates: names.map((name) => ({ name })), ...more })

  const first = listing('limit=2', ['A', 'B/ &'], { object: 'list', data_ref: 'campaign_templates', has_more: true })
  expect(first).not.toHaveProperty('total')
  expect(first.campaign_templates[0]).not.toHaveProperty('json_template')
  const rest = { has_more: false, total: 3 }
  listing(`limit=2&starting_after_id=${first.more_starting_after}&include_total=true`, ['C'], rest)
  listing('order=-id&limit=1', ['C'])
  listing(`filters[name][conditions][$is]=${encodeURIComponent('B/ &')}`, ['B/ &'])
  listing('filters[campaign_type][conditions][$is]=GIFT_VOUCHERS', [])
  ask(`GET ${path}?limit=0`, 'invalid_query_params')
})

test('name and description are changed, a taken name is a 409', () => {
  const { create, ask, clock } = withTemplate()
  const { id } = create({ description: 'old' }).body
  create({ name: 'U' })
  clock.now = '2026-06-01T00:00:00.000Z'
  const changed = { name: 'V', description: null }

  ask(`PUT ${path}/${id}`, changed, { ...changed, updated_at: '2026-06-01T00:00:00.000Z' })
  ask(`PUT ${path}/${id}`, { name: 'V' }, 200)
  ask(`PUT ${path}/${id}`, { name: 'U' }, 409)
  ask(`PUT ${path}/${id}`, { name: '' }, 400)
})

test('a campaign created from a template has its own rules, and what the template does not keep', async () => {
  const {
    create,
    ask,
    campaign: origin,
    events,
    settled,
  } = withTemplate(coupons('Summer', { validation_rules: ['val_1'], metadata: { a: 1 } }))
  const template = create().body
  ask(`PUT /v1/campaigns/${origin.id}`, { metadata: { a: 2 } })

  const own = { name: 'Autumn', type: 'AUTO_UPDATE' }
  const asked = { ...own, vouchers_count: 3, category_id: 'cat_1' }
  const { campaign, created_resources } = ask(`POST ${path}/${template.id}/campaign-setup`, asked, {
    object: 'campaign_setup',
    campaign: { ...own, metadata: { a: 1 }, category: 'Sun', voucher: { discount: { amount_off: 500 } } },
  })
  await settled()

  const [{ id }] = created_resources
  expect(created_resources).toEqual([{ id, object: 'validation_rules' }])
  ask(`GET /v1/validation-rules/${id}`, { name: 'Big orders', rules: bigOrders, assignments_count: 1 })
  expect(id).not.toBe('val_1')
  expect(campaign.validation_rules_assignments.data).toMatchObject([{ rule_id: id }])
  ask('GET /v1/campaigns/Autumn', { vouchers_count: 3, creation_status: 'DONE' })
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
  const { create, ask } = withTemplate(coupons('Summer', { validation_rules: ['val_1'] }))

  ask(`POST ${path}/${create().body.id}/campaign-setup`, { name: 'Summer' }, 409)
  ask('GET /v1/validation-rules', { total: 3 })
})

test('a template of a tier becomes a campaign of codes, and one of codes a tier', () => {
  const { create, ask, events } = withTemplate(coupons('Summer', { validation_rules: ['val_1'] }))
  const ofTier = create({ name: 'U', campaign_id: null, promotion_tier_id: 'promo_1' }).body
  const ofCodes = create().body
  const asked = { name: 'Second', campaign_id: 'camp_p', banner: 'Hello' }

  const voucher = { type: 'DISCOUNT_VOUCHER', discount: { percent_off: 5 } }
  const campaign = { campaign_type: 'DISCOUNT_COUPONS', voucher }
  ask(`POST ${path}/${ofTier.id}/campaign-setup`, { name: 'Codes' }, { campaign })
  const { promotion_tier, created_resources } = ask(`POST ${path}/${ofCodes.id}/tier-setup`, asked, {
    object: 'promotion_tier_setup',
    promotion_tier: { ...asked, summary: { redemptions: { total_redeemed: 0 } }, hierarchy: 2 },
    created_resources: [{ id: expect.stringMatching(/^val_/), object: 'validation_rules' }],
  })

  expect(events().slice(-2)).toEqual([
    ['business_validation_rule.created', created_resources[0].id],
    ['campaign.promotion_tier.created', promotion_tier.id],
  ])
  expect(promotion_tier.action).toEqual({ discount: { type: 'AMOUNT', amount_off: 500 } })
})

test('a tier is not created from gift cards, nor in a campaign without promotions', () => {
  const { create, ask, campaign } = withTemplate(gifts('Cards'))
  const { id } = create().body
  const other = create({ name: 'U', campaign_id: null, promotion_tier_id: 'promo_1' }).body
  const setUp = (template: string, campaign_id: string, key: string) =>
    ask(`POST ${path}/${template}/tier-setup`, { name: 'N', campaign_id }, key)

  setUp(id, 'camp_p', 'campaign_type_is_not_supported_by_campaign_template')
  setUp(id, 'camp_x', 'not_found')
  setUp(other.id, campaign.id, 'invalid_campaign')
})

test('a copy goes to another project under its own name, with the description unless specified otherwise', () => {
  const sandbox = withTemplate(coupons('Summer'))
  const { id } = sandbox.create({ description: 'D' }).body
  const { manage } = managing(sandbox)
  sandbox.clock.now = '2026-06-01T00:00:00.000Z'
  const copy = (body: object) => manage('POST', `/${id}/copy`, { destination_project_id: 'proj_other', ...body })

  const first = copy({ name: 'T' })
  expect(first).toMatchObject({
    status: 200,
    body: {
      name: 'T',
      description: 'D',
      campaign_type: 'DISCOUNT_COUPONS',
      created_at: '2026-06-01T00:00:00.000Z',
      object: 'campaign_template',
    },
  })
  expect(first.body.id).not.toBe(id)
  expect(copy({ name: 'U', description: 'E' }).body.description).toBe('E')
  expect(copy({ name: 'V', destination_project_id: sandbox.project.id }).status).toBe(200)
  const there = [{ name: 'T' }, { name: 'U' }]
  expect(manage('GET', '', undefined, 'proj_other').body.campaign_templates).toMatchObject(there)
  sandbox.ask(`GET ${path}`, { campaign_templates: [{}, {}] })
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
    const products = [{ id: 'prod_1', source_id: 'beans' }]
    const { ask } = testSandbox({ fixture: { products, validation_rules: [rule] } })
    const campaign = ask('POST /v1/campaigns', coupons('B', { validation_rules: ['val_1'] }))
    const { id } = ask(`POST ${path}`, { name: 'T', campaign_id: campaign.id })

    ask(`POST ${path}/${id}/campaign-setup`, { name: 'C' }, 200)
    ask('DELETE /v1/products/prod_1?force=true')
    const error = { code: 404, details: 'Cannot find product with id prod_1' }
    ask(`POST ${path}/${id}/campaign-setup`, { name: 'D' }, error)
  },
)

test('templates of a fixture can be used like any other', () => {
  const json_template = { object: 'campaign', type: 'STATIC', voucher: coupons('x').voucher }
  const template = { id: 'camp_tpl_1', name: 'F', campaign_type: 'DISCOUNT_COUPONS', json_template }
  const { ask } = testSandbox({ fixture: { templates: [template] } })

  const campaign = { name: 'C', vouchers_count: 1 }
  ask(`POST ${path}/camp_tpl_1/campaign-setup`, campaign, { campaign: { ...campaign, type: 'STATIC' } })
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
  const { create, ask } = withTemplate()
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
  const asked = { name: 'N', ...overrides, voucher: { ...voucher, code_config: { prefix: 'N-', length: 4 } } }

  const shown = { ...voucher, type: 'DISCOUNT_VOUCHER', code_config: { pattern: 'N-####' } }
  ask(`POST ${path}/${create().body.id}/campaign-setup`, asked, { campaign: { ...overrides, voucher: shown } })
})

test('every override of a tier setup is found in the tier', () => {
  const { create, ask } = withTemplate()
  const overrides = { ...windows, campaign_id: 'camp_p', banner: 'Hello', hierarchy: 7, action: percentOff(7) }

  const asked = { name: 'N', ...overrides }
  ask(`POST ${path}/${create().body.id}/tier-setup`, asked, { promotion_tier: overrides })
})

test('an override that is null leaves what the template says', () => {
  const kept = { expiration_date: '2028-01-01T00:00:00.000Z' }
  const { create, ask } = withTemplate(coupons('Summer', kept))

  const asked = { name: 'N', expiration_date: null, voucher: null }
  const campaign = { ...kept, voucher: { type: 'DISCOUNT_VOUCHER' } }
  ask(`POST ${path}/${create().body.id}/campaign-setup`, asked, { campaign })
})

test.each([
  ['campaign-setup', { banner: 'x' }, 'banner', 'a campaign'],
  ['campaign-setup', { hierarchy: 1 }, 'hierarchy', 'a campaign'],
  ['tier-setup', { description: 'x' }, 'description', 'a promotion tier'],
  ['tier-setup', { vouchers_count: 1 }, 'vouchers_count', 'a promotion tier'],
])('a %s with %j is refused, not obeyed in part', (call, body, name, what) => {
  const { ask, create } = withTemplate()
  const asked = { name: 'N', campaign_id: 'camp_p', ...body }

  const details = `Property .${name} must NOT be given: ${what} has none`
  ask(`POST ${path}/${create().body.id}/${call}`, asked, { code: 400, details })
})

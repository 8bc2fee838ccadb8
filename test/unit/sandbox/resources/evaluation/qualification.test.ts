import { expect, test } from 'vitest'
import { assigned, ruleOn } from '../../../../support/rules.ts'
import { testSandbox } from '../../../../support/sandbox.ts'

const campaign = (n: number, more: object = {}) => ({
  id: `camp_${n}`,
  name: `Campaign ${n}`,
  campaign_type: 'DISCOUNT_COUPONS',
  type: 'AUTO_UPDATE',
  active: true,
  metadata: {},
  voucher: {
    type: 'DISCOUNT_VOUCHER',
    discount: { type: 'PERCENT', percent_off: n, effect: 'APPLY_TO_ORDER' },
    redemption: { quantity: 1 },
    code_config: { length: 8, charset: 'AB', pattern: '########' },
    is_referral_code: false,
  },
  created_at: `2026-01-${String(n).padStart(2, '0')}T00:00:00.000Z`,
  ...more,
})

const on = (rule_id: string, campaign: string) => assigned(rule_id, campaign, 'campaign')
const minimum = ruleOn('val_min', 'order.amount', { $more_than: [3000] })
const vip = ruleOn('val_vip', 'customer.metadata', { $is: [true] }, { property: 'vip' })

function qualifying(fixture: object) {
  const sandbox = testSandbox({ fixture })
  const qualify = (body: object = {}, query = '') =>
    sandbox.call('POST', '/v1/campaigns/qualification', { body, query })
  const ids = (body: object = {}, query = '') => qualify(body, query).body.data.map(({ id }: { id: string }) => id)
  return { ...sandbox, qualify, ids }
}

test('the campaigns that fit are listed as the campaign call shows them, with null for what is not set, and without codes', () => {
  const { qualify, get, events } = qualifying({
    campaigns: [campaign(1)],
    vouchers: [{ code: 'SECRET', campaign_id: 'camp_1', discount: { type: 'PERCENT', percent_off: 1 } }],
    validation_rules: [minimum],
    validation_rules_assignments: [on('val_min', 'camp_1')],
  })

  const { status, body } = qualify({ order: { amount: 5000 }, customer: { source_id: 'jo' } })

  expect(status).toBe(200)
  const shown = get('/v1/campaigns/camp_1').body
  expect(body).toEqual({
    object: 'list',
    data_ref: 'data',
    data: [
      {
        description: null,
        start_date: null,
        expiration_date: null,
        validity_timeframe: null,
        validity_day_of_week: null,
        validity_hours: null,
        activity_duration_after_publishing: null,
        metadata: {},
        updated_at: null,
        category: null,
        referral_program: null,
        ...shown,
        voucher: { ...shown.voucher, code_config: { prefix: null, postfix: null, ...shown.voucher.code_config } },
      },
    ],
    total: 1,
    id: expect.stringMatching(/^qfl_[0-9a-f]{18}$/),
    created_at: '2026-05-06T07:08:09.123Z',
    tracking_id: expect.stringMatching(/^track_/),
  })
  expect(body.data[0].validation_rules_assignments.data).toMatchObject([{ rule_id: 'val_min' }])
  expect(JSON.stringify(body)).not.toContain('SECRET')
  expect(events()).toEqual([])
})

test('what a qualified campaign contains has every member that is listed for it', () => {
  const discount = { type: 'PERCENT', percent_off: 5 }
  const { qualify } = qualifying({
    campaigns: [
      campaign(1, { campaign_type: 'GIFT_VOUCHERS', voucher: { type: 'GIFT_VOUCHER', gift: { amount: 100 } } }),
      campaign(2, { campaign_type: 'REFERRAL_PROGRAM', referral_program: { conversion_event_type: 'redemption' } }),
      campaign(3, { voucher: { type: 'DISCOUNT_VOUCHER', discount, code_config: { prefix: 'A-' } } }),
    ],
  })

  expect(qualify().body.data).toMatchObject([
    { voucher: { code_config: { prefix: 'A-', postfix: null } } },
    { referral_program: { conversion_event_type: 'redemption', custom_event: null, referee_reward: null } },
    { voucher: { discount: null } },
  ])
})

test('campaigns that are disabled, expired, unfinished, without codes of their own, or whose rules fail are omitted', () => {
  const { ids } = qualifying({
    campaigns: [
      campaign(1),
      campaign(2, { active: false }),
      campaign(3, { expiration_date: '2026-02-01T00:00:00.000Z' }),
      campaign(4, { creation_status: 'IN_PROGRESS' }),
      campaign(5, { type: 'STANDALONE' }),
      campaign(6, { campaign_type: 'PROMOTION', voucher: undefined }),
      campaign(7),
      campaign(8, { type: 'STATIC' }),
      campaign(9, { start_date: '2026-07-01T00:00:00.000Z' }),
      campaign(10, { validity_day_of_week: [0] }),
      campaign(11, { campaign_type: 'LOYALTY_PROGRAM', voucher: undefined }),
    ],
    validation_rules: [minimum],
    validation_rules_assignments: [on('val_min', 'camp_7')],
  })

  expect(ids({ order: { amount: 100 } })).toEqual(['camp_8', 'camp_1'])
  expect(ids()).toEqual(['camp_8', 'camp_1'])
  expect(ids({ order: { amount: 5000 } })).toEqual(['camp_8', 'camp_7', 'camp_1'])
})

test('rules see the order with the discount of the campaign if it has one, and none about holders of vouchers is met', () => {
  const gift = { campaign_type: 'GIFT_VOUCHERS', voucher: { type: 'GIFT_VOUCHER', gift: { amount: 1000 } } }
  const { ids } = qualifying({
    campaigns: [campaign(1), campaign(20), campaign(25, gift), campaign(30)],
    validation_rules: [
      ruleOn('val_total', 'order.total_amount', { $less_than: [5000] }),
      ruleOn('val_holder', 'publication.redeemable_by_linked_customer', { $is: [true] }),
    ],
    validation_rules_assignments: [
      on('val_total', 'camp_1'),
      on('val_total', 'camp_20'),
      on('val_total', 'camp_25'),
      on('val_holder', 'camp_30'),
    ],
  })
  const request = { order: { amount: 5500 }, customer: { name: 'Jo' } }

  expect(ids(request)).toEqual(['camp_20'])
  expect(ids(request, 'audienceRulesOnly=true')).toEqual(['camp_25', 'camp_20', 'camp_1'])
})

test.each([
  [true, '', ['camp_2']],
  [true, 'audienceRulesOnly=true', ['camp_2', 'camp_1']],
  [false, 'audienceRulesOnly=true', ['camp_1']],
])('with audienceRulesOnly, rules about the order do not count: for vip %s and "%s" %j', (isVip, query, expected) => {
  const { ids } = qualifying({
    campaigns: [campaign(1), campaign(2)],
    validation_rules: [minimum, vip],
    validation_rules_assignments: [on('val_min', 'camp_1'), on('val_vip', 'camp_2')],
  })

  expect(ids({ customer: { metadata: { vip: isVip } } }, query)).toEqual(expected)
})

test('the stored customer, segments and the request together decide', () => {
  const { ids } = qualifying({
    campaigns: [campaign(1), campaign(2)],
    customers: [{ id: 'cust_1', source_id: 'jo', metadata: { vip: true } }],
    segments: [{ id: 'seg_1', name: 'S', type: 'static', customers: ['cust_1'] }],
    validation_rules: [vip, ruleOn('val_seg', 'customer.segment', { $is: ['seg_1'] })],
    validation_rules_assignments: [on('val_vip', 'camp_1'), on('val_seg', 'camp_2')],
  })

  expect(ids({ customer: { source_id: 'jo' } })).toEqual(['camp_2', 'camp_1'])
  expect(ids({ customer: { id: 'cust_1', metadata: { vip: false } } })).toEqual(['camp_2'])
  expect(ids({ customer: { source_id: 'al' } })).toEqual([])
})

test('fifty are listed at most, the limit may be lower, and the order is as requested', () => {
  const { ids, qualify } = qualifying({
    campaigns: Array.from({ length: 51 }, (_, n) =>
      campaign(n, {
        created_at: new Date(Date.UTC(2026, 0, 1, n)).toISOString(),
        type: n === 7 ? 'STATIC' : 'AUTO_UPDATE',
        category: n === 3 ? 'wine' : n === 2 ? 'food' : null,
      }),
    ),
  })

  expect(ids()).toHaveLength(50)
  expect(qualify({}, 'limit=2').body.total).toBe(2)
  for (const [query, expected] of [
    ['limit=2', [50, 49]],
    ['limit=2&order=created_at', [0, 1]],
    ['limit=1&order=-type', [7]],
    ['limit=2&order=-campaign', [9, 8]],
    ['limit=2&order=code', [0, 1]],
    ['limit=2&order=category', [2, 3]],
    ['limit=2&order=-category', [3, 2]],
  ] as const)
    expect([query, ids({}, query)]).toEqual([query, expected.map((n) => `camp_${n}`)])
})

test.each(['limit=0', 'limit=51', 'limit=x', 'order=moon', 'audienceRulesOnly=maybe'])(
  'the query %s is refused',
  (query) => testSandbox().ask(`POST /v1/campaigns/qualification?${query}`, {}, 'invalid_query_params'),
)

test('an unknown customer id is a 404', () => {
  const error = { code: 404, resource_type: 'customer' }
  testSandbox().ask('POST /v1/campaigns/qualification', { customer: { id: 'cust_x' } }, error)
})

test('a campaign is qualified for as it is now: its name, its category, the number of its codes, its rules', () => {
  const { ask } = qualifying({
    campaigns: [campaign(1, { category_id: 'cat_1' })],
    categories: [{ id: 'cat_1', name: 'Before', hierarchy: 1 }],
    validation_rules: [minimum],
  })
  const shows = (one: object) => ask('POST /v1/campaigns/qualification', { order: { amount: 5000 } }, { data: [one] })

  shows({ name: 'Campaign 1', category: 'Before', vouchers_count: 0 })
  ask('PUT /v1/campaigns/camp_1', { description: 'Changed' })
  ask('PUT /v1/categories/cat_1', { name: 'After', hierarchy: 2 })
  ask('POST /v1/campaigns/camp_1/vouchers/NEW', {})
  const related = { related_object_id: 'camp_1', related_object_type: 'campaign' }
  ask('POST /v1/validation-rules/val_min/assignments', related)
  const rules = { vouchers_count: 1, validation_rules_assignments: { total: 1 } }
  shows({ description: 'Changed', category: 'After', categories: [{ hierarchy: 2 }], ...rules })
})

test('fifty campaigns with rules are evaluated with a handful of queries', () => {
  const { qualify, store } = qualifying({
    campaigns: Array.from({ length: 50 }, (_, n) => campaign(n + 1, { created_at: '2026-01-01T00:00:00.000Z' })),
    validation_rules: [minimum, vip],
    validation_rules_assignments: Array.from({ length: 50 }, (_, n) =>
      on(n % 2 ? 'val_min' : 'val_vip', `camp_${n + 1}`),
    ),
  })
  let questions = 0
  const { all, get } = store.db
  Object.assign(store.db, {
    all: (...asked: Parameters<typeof all>) => {
      questions += 1
      return all(...asked)
    },
    get: (...asked: Parameters<typeof get>) => {
      questions += 1
      return get(...asked)
    },
  })

  expect(qualify({ customer: { source_id: 'jo' } }).body.data).toEqual([])
  expect(questions).toBeLessThan(12)
})

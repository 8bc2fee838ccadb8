import { expect, test } from 'vitest'
import { programs } from '../../../support/loyalty.ts'
import { testSandbox } from '../../../support/sandbox.ts'

const campaign = { type: 'STANDALONE', active: true, metadata: {} }
const person = (name: string) => ({
  id: `cust_${name}`,
  source_id: name,
  name: null,
  email: null,
  metadata: {},
  object: 'customer',
})
const card = (code: string, holder: string | null, more: Record<string, unknown> = {}) => ({
  id: `v_${code}`,
  code,
  campaign_id: 'camp_club',
  type: 'LOYALTY_CARD',
  loyalty_card: { points: 0 },
  ...(holder && { holder_id: `cust_${holder}`, publish: { count: 1 } }),
  ...more,
})
const earning = (loyalty: unknown, more: Record<string, unknown> = {}) => ({
  campaign_id: 'camp_club',
  event: 'cupping',
  loyalty,
  ...more,
})
const ten = { type: 'FIXED', points: 10 }

/** Ada and Bob, the event "cupping", Ada's card, and a referral code of Ada's that converts by the event. */
function shop(more: Record<string, unknown> = {}, autoJoin = false) {
  const [club, ...others] = programs
  const reward = (amount: number) => ({
    related_object_parent: { id: 'camp_club', name: 'Bean Club / Gold', object: 'campaign' },
    type: 'LOYALTY_CARD',
    amount,
  })
  return testSandbox({
    fixture: {
      campaigns: [
        {
          ...club,
          ...(autoJoin && {
            auto_join: true,
            type: 'AUTO_UPDATE',
            voucher: { type: 'LOYALTY_CARD', loyalty_card: { points: 0 }, code_config: { length: 6, prefix: 'NEW-' } },
          }),
        },
        ...others,
        {
          ...campaign,
          id: 'camp_friends',
          name: 'Friends',
          campaign_type: 'REFERRAL_PROGRAM',
          referral_program: {
            conversion_event_type: 'custom_event',
            custom_event: { name: 'cupping' },
            referee_reward: reward(50),
            referrer_reward: reward(70),
          },
        },
      ],
      customers: ['ada', 'bob'].map(person),
      vouchers: [
        card('ADA', 'ada'),
        {
          id: 'v_friend',
          code: 'FRIEND/1',
          campaign_id: 'camp_friends',
          discount: { type: 'PERCENT', percent_off: 10 },
          holder_id: 'cust_ada',
          referrer_id: 'cust_ada',
          publish: { count: 1 },
        },
      ],
      event_schemas: [
        {
          id: 'ms_1',
          name: 'cupping',
          schema: {
            properties: { cups: { type: 'number', optional: true }, beans: { type: 'string', optional: true } },
          },
        },
      ],
      ...more,
    },
  })
}

const send = ({ call }: ReturnType<typeof shop>, body: Record<string, unknown>) =>
  call('POST', '/v1/events', { body: { event: 'cupping', customer: { source_id: 'ada' }, ...body } })
const balanceOf = ({ call }: ReturnType<typeof shop>, code: string) =>
  call('GET', `/v1/loyalties/members/${code}`).body.loyalty_card.balance

/** Sends events, and waits for what follows from them. */
async function sent(sandbox: ReturnType<typeof shop>, ...bodies: Record<string, unknown>[]) {
  for (const body of bodies) send(sandbox, body)
  await sandbox.settled()
}

const vip = { '1': { name: 'customer.metadata', property: 'vip', conditions: { $is: [true] } }, logic: '1' }

const vips = { source_id: 'ada', metadata: { vip: true } }
const friend = { customer: { source_id: 'bob' }, referral: { code: 'FRIEND/1' } }

test('the answer to an event has its name as type, the customer, and neither referral nor card', () => {
  const sandbox = shop()
  const nia = { source_id: 'nia', name: 'Nia', metadata: { vip: true } }

  const { status, body } = send(sandbox, {
    customer: nia,
    referral: { code: 'FRIEND/1', referrer_id: 'ada' },
    loyalty: { code: 'ADA' },
    metadata: { cups: 2 },
  })

  expect(status).toBe(200)
  const { id } = sandbox.ask('GET /v1/customers/nia')
  expect(body).toEqual({
    object: 'event',
    type: 'cupping',
    customer: { ...nia, id, email: null, object: 'customer' },
    referral: null,
    loyalty: null,
    metadata: { cups: 2 },
  })
  expect(sandbox.events()).toEqual([['customer.created', id]])
})

test.each([{}, { referral: null, loyalty: null, metadata: null }])(
  'the answer to an event with %j shows none',
  (none) => {
    const shown = { customer: person('ada'), referral: null, loyalty: null, metadata: {} }
    expect(send(shop(), none).body).toEqual({ object: 'event', type: 'cupping', ...shown })
  },
)

test.each<[string, Record<string, unknown>, string]>([
  ['of an undefined name', { event: 'nope' }, 'not_found'],
  ['by the id of its schema', { event: 'ms_1' }, 'not_found'],
  ['without a name', { event: '' }, 'invalid_payload'],
  ['with a name of 301 characters', { event: 'x'.repeat(301) }, 'invalid_payload'],
  ['without a customer', { customer: undefined }, 'invalid_payload'],
  ['of an unknown customer id', { customer: { id: 'cust_x' } }, 'not_found'],
  ['with metadata of another type', { metadata: { cups: 'two' } }, 'metadata_validation_failed'],
  ['with a referral without code', { referral: {} }, 'invalid_payload'],
  ['with an unknown referral code', { referral: { code: 'X' } }, 'not_found'],
  ['with a code that is not a referral', { referral: { code: 'ADA' } }, 'not_found'],
  ['with an unknown referrer', { referral: { code: 'FRIEND/1', referrer_id: 'x' } }, 'not_found'],
  ['with another referrer', { referral: { code: 'FRIEND/1', referrer_id: 'bob' } }, 'invalid_payload'],
  ['for an unknown card', { loyalty: { code: 'X' } }, 'not_found'],
  ['for a code that is not a card', { loyalty: { code: 'FRIEND/1' } }, 'not_found'],
])('an event %s is refused, and has no effect', async (_, body, key) => {
  const { ask, settled, events } = shop({ earning_rules: [earning(ten)] })

  ask('POST /v1/events', { event: 'cupping', customer: { source_id: 'new' }, ...body }, key)
  await settled()
  ask('GET /v1/customers/new', 404)
  expect(events()).toEqual([])
})

test('points are earned after the answer, with a transaction that records why', async () => {
  const rule = { id: 'ern_1', source: { banner: 'Ten for a cupping' } }
  const sandbox = shop({ earning_rules: [earning(ten, rule)] })

  send(sandbox, {})
  expect(balanceOf(sandbox, 'ADA')).toBe(0)
  await sandbox.settled()

  expect(balanceOf(sandbox, 'ADA')).toBe(10)
  const event = { id: expect.stringMatching(/^ev_/), type: 'cupping' }
  const details = {
    event,
    custom_event: event,
    event_schema: { id: 'ms_1', name: 'cupping' },
    earning_rule: rule,
    balance: { points: 10, balance: 10, total: 10, operation_type: 'AUTOMATIC' },
  }
  const transaction = { type: 'POINTS_ACCRUAL', source: 'Automation', reason: null, source_id: null, details }
  sandbox.ask('GET /v1/loyalties/members/ADA/transactions', { data: [transaction] })
  expect(sandbox.events()).toEqual([
    ['voucher.loyalty_card.transaction.created', 'v_ADA'],
    ['customer.rewarded.loyalty_points', 'cust_ada'],
  ])
})

test('two identical events are two events, and a disabled program adds no points', async () => {
  const sandbox = shop({ earning_rules: [earning(ten)] })

  await sent(sandbox, {}, {})
  expect(balanceOf(sandbox, 'ADA')).toBe(20)
  sandbox.post('/v1/campaigns/camp_club/disable')
  await sent(sandbox, {})

  expect(balanceOf(sandbox, 'ADA')).toBe(20)
})

test.each<[string, Record<string, unknown>, number]>([
  ['for every full two cups', { cups: 5 }, 6],
  ['for too few cups', { cups: 1 }, 0],
  ['without cups', {}, 0],
])('proportional points are added %s', async (_, metadata, points) => {
  const custom_event = { metadata: { every: 2, points: 3, property: 'cups' } }
  const proportional = { type: 'PROPORTIONAL', calculation_type: 'CUSTOM_EVENT_METADATA', custom_event }
  const sandbox = shop({ earning_rules: [earning(proportional)] })

  await sent(sandbox, { metadata })

  expect(balanceOf(sandbox, 'ADA')).toBe(points)
  expect(sandbox.reports).toEqual([])
})

test.each<[string, Record<string, unknown>, Record<string, unknown>, number]>([
  ['is disabled', { active: false }, {}, 0],
  ['has not started', { start_date: '2026-06-01T00:00:00.000Z' }, {}, 0],
  ['has expired', { expiration_date: '2026-05-01T00:00:00.000Z' }, {}, 0],
  // 6 May 2026 is a Wednesday.
  ['applies on other days', { validity_day_of_week: [1, 2] }, {}, 0],
  ['has a rule that does not hold', { validation_rule_id: 'val_vip' }, {}, 0],
  ['has a rule of customers that holds', { validation_rule_id: 'val_vip' }, { customer: vips }, 10],
  ['has a rule of metadata that fails', { validation_rule_id: 'val_many' }, { metadata: { cups: 3 } }, 0],
  ['has a rule of metadata that holds', { validation_rule_id: 'val_many' }, { metadata: { cups: 4 } }, 10],
])('an earning rule that %s adds as many points as it should', async (_, more, event, points) => {
  const many = { '1': { name: 'custom_event.metadata', property: 'cups', conditions: { $more_than: [3] } }, logic: '1' }
  const sandbox = shop({
    validation_rules: [
      { id: 'val_vip', name: 'VIP', rules: vip },
      { id: 'val_many', name: 'Many cups', rules: many },
    ],
    earning_rules: [earning(ten, more)],
  })

  await sent(sandbox, event)

  expect(balanceOf(sandbox, 'ADA')).toBe(points)
})

test('no points are earned by an earning rule whose validation rule is deleted', async () => {
  const earning_rules = [earning(ten, { validation_rule_id: 'val_1' })]
  const sandbox = shop({ validation_rules: [{ id: 'val_1', name: 'VIP', rules: vip }], earning_rules })
  sandbox.ask('DELETE /v1/validation-rules/val_1')

  await sent(sandbox, { customer: vips })

  expect(balanceOf(sandbox, 'ADA')).toBe(0)
})

test('every card of the customer gets points, unless the event names one, which gets none of other programs', async () => {
  const sandbox = shop({
    vouchers: [card('ONE', 'ada'), card('TWO', 'ada'), card('OFF', 'ada', { active: false }), card('BOB', 'bob')],
    earning_rules: [earning(ten), earning({ type: 'FIXED', points: 7 }, { campaign_id: 'camp_other' })],
  })

  await sent(sandbox, {}, { loyalty: { code: 'TWO' } })

  expect(['ONE', 'TWO', 'OFF', 'BOB'].map((code) => balanceOf(sandbox, code))).toEqual([10, 20, 0, 0])
})

test.each([
  ['gets one where customers join automatically', true],
  ['gets none elsewhere', false],
])('a customer without a card %s', async (_, joins) => {
  const earning_rules = [earning(ten)]
  const sandbox = joins ? shop({ earning_rules }, true) : shop({ vouchers: [card('FREE', null)], earning_rules })

  await sent(sandbox, { customer: { source_id: 'bob' } })

  expect(sandbox.reports).toEqual([])
  const vouchers = joins ? [{ code: expect.stringMatching(/^NEW-/), loyalty_card: { balance: 10 } }] : []
  sandbox.ask('GET /v1/loyalties/camp_club/members?customer=bob', { vouchers })
})

test('a friend who does what the program requires is rewarded once, and so is the referrer', async () => {
  const sandbox = shop({}, true)

  await sent(sandbox, friend)
  await sent(sandbox, friend)

  const vouchers = [{ loyalty_card: { balance: 50 } }]
  sandbox.ask('GET /v1/loyalties/camp_club/members?customer=bob', { vouchers })
  expect(balanceOf(sandbox, 'ADA')).toBe(70)
  const data = [{ customer_id: 'cust_bob', holder_role: 'REFEREE' }]
  sandbox.ask('GET /v1/referrals/members/FRIEND%2F1/holders', { data })
  const rewarded = sandbox.events().filter(([type]) => type === 'customer.rewarded')
  expect(rewarded.map(([, id]) => id)).toEqual(['cust_bob', 'cust_ada'])
})

test('a friend who is already a referee converts without becoming one twice, and another friend again', async () => {
  const sandbox = shop({}, true)
  const path = '/v1/referrals/members/FRIEND%2F1/holders'
  sandbox.ask(`POST ${path}`, { holders: [{ source_id: 'bob' }] })

  await sent(sandbox, friend)
  expect(balanceOf(sandbox, 'ADA')).toBe(70)
  sandbox.ask(`GET ${path}`, { total: 1 })
  await sent(sandbox, { ...friend, customer: { source_id: 'eve' } })
  expect(balanceOf(sandbox, 'ADA')).toBe(140)
})

test.each<[string, Record<string, unknown>]>([
  ['the referrer', { customer: { source_id: 'ada' } }],
  ['another event', { event: 'tasting' }],
  ['a disabled code', {}],
])('%s does not convert a referral', async (what, body) => {
  const sandbox = shop({ event_schemas: [{ name: 'cupping' }, { name: 'tasting' }] }, true)
  if (what === 'a disabled code') sandbox.post('/v1/vouchers/FRIEND%2F1/disable')

  await sent(sandbox, { ...friend, ...body })

  expect(sandbox.events().filter(([type]) => type.startsWith('customer.rewarded'))).toEqual([])
  expect(balanceOf(sandbox, 'ADA')).toBe(0)
})

test('a conversion without a card to reward still counts, and breaks nothing', async () => {
  const sandbox = shop()

  await sent(sandbox, friend)

  expect(balanceOf(sandbox, 'ADA')).toBe(70)
  expect(sandbox.reports).toEqual([])
})

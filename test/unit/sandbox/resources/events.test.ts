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
const friend = { customer: { source_id: 'bob' }, referral: { code: 'FRIEND/1' } }

test('the answer to an event has its name as type, the customer, and neither referral nor card', () => {
  const sandbox = shop()

  const { status, body } = send(sandbox, {
    customer: { source_id: 'nia', name: 'Nia', metadata: { vip: true } },
    referral: { code: 'FRIEND/1', referrer_id: 'ada' },
    loyalty: { code: 'ADA' },
    metadata: { cups: 2 },
  })

  expect(status).toBe(200)
  expect(body).toEqual({
    object: 'event',
    type: 'cupping',
    customer: {
      id: expect.stringMatching(/^cust_/),
      name: 'Nia',
      email: null,
      source_id: 'nia',
      metadata: { vip: true },
      object: 'customer',
    },
    referral: null,
    loyalty: null,
    metadata: { cups: 2 },
  })
  expect(sandbox.get('/v1/customers/nia').body.id).toBe(body.customer.id)
  expect(sandbox.events()).toEqual([['customer.created', body.customer.id]])
})

test.each([{}, { referral: null, loyalty: null, metadata: null }])(
  'the answer to an event with %j shows none',
  (none) => {
    expect(send(shop(), none).body).toEqual({
      object: 'event',
      type: 'cupping',
      customer: { id: 'cust_ada', source_id: 'ada', name: null, email: null, metadata: {}, object: 'customer' },
      referral: null,
      loyalty: null,
      metadata: {},
    })
  },
)

test.each<[string, Record<string, unknown>, number, string]>([
  ['of an undefined name', { event: 'nope' }, 404, 'not_found'],
  ['by the id of its schema', { event: 'ms_1' }, 404, 'not_found'],
  ['without a name', { event: '' }, 400, 'invalid_payload'],
  ['with a name of 301 characters', { event: 'x'.repeat(301) }, 400, 'invalid_payload'],
  ['without a customer', { customer: undefined }, 400, 'invalid_payload'],
  ['of an unknown customer id', { customer: { id: 'cust_x' } }, 404, 'not_found'],
  ['with metadata of another type', { metadata: { cups: 'two' } }, 400, 'metadata_validation_failed'],
  ['with a referral without code', { referral: {} }, 400, 'invalid_payload'],
  ['with an unknown referral code', { referral: { code: 'X' } }, 404, 'not_found'],
  ['with a code that is not a referral', { referral: { code: 'ADA' } }, 404, 'not_found'],
  ['with an unknown referrer', { referral: { code: 'FRIEND/1', referrer_id: 'x' } }, 404, 'not_found'],
  ['with another referrer', { referral: { code: 'FRIEND/1', referrer_id: 'bob' } }, 400, 'invalid_payload'],
  ['for an unknown card', { loyalty: { code: 'X' } }, 404, 'not_found'],
  ['for a code that is not a card', { loyalty: { code: 'FRIEND/1' } }, 404, 'not_found'],
])('an event %s is refused, and has no effect', async (_, body, status, key) => {
  const sandbox = shop({ earning_rules: [earning(ten)] })

  const answer = send(sandbox, { ...(body.customer === undefined && { customer: { source_id: 'new' } }), ...body })
  await sandbox.settled()

  expect(answer).toMatchObject({ status, body: { key } })
  expect(sandbox.get('/v1/customers/new').status).toBe(404)
  expect(sandbox.events()).toEqual([])
})

test('points are earned after the answer, with a transaction that records why', async () => {
  const sandbox = shop({ earning_rules: [earning(ten, { id: 'ern_1', source: { banner: 'Ten for a cupping' } })] })

  send(sandbox, {})
  const before = balanceOf(sandbox, 'ADA')
  await sandbox.settled()
  const [transaction] = sandbox.get('/v1/loyalties/members/ADA/transactions').body.data

  expect(before).toBe(0)
  expect(balanceOf(sandbox, 'ADA')).toBe(10)
  expect(transaction).toMatchObject({
    type: 'POINTS_ACCRUAL',
    source: 'Automation',
    reason: null,
    source_id: null,
    details: {
      event: { id: expect.stringMatching(/^ev_/), type: 'cupping' },
      custom_event: { id: expect.stringMatching(/^ev_/), type: 'cupping' },
      event_schema: { id: 'ms_1', name: 'cupping' },
      earning_rule: { id: 'ern_1', source: { banner: 'Ten for a cupping' } },
      balance: { points: 10, balance: 10, total: 10, operation_type: 'AUTOMATIC' },
    },
  })
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

test.each<[string, Record<string, unknown>]>([
  ['is disabled', { active: false }],
  ['has not started', { start_date: '2026-06-01T00:00:00.000Z' }],
  ['has expired', { expiration_date: '2026-05-01T00:00:00.000Z' }],
  // 6 May 2026 is a Wednesday.
  ['applies on other days', { validity_day_of_week: [1, 2] }],
  ['has a rule that does not hold', { validation_rule_id: 'val_1' }],
])('an earning rule that %s adds no points', async (_, more) => {
  const sandbox = shop({
    validation_rules: [{ id: 'val_1', name: 'V', rules: vip }],
    earning_rules: [earning(ten, more)],
  })

  await sent(sandbox, {})

  expect(balanceOf(sandbox, 'ADA')).toBe(0)
})

test('a validation rule that holds lets points be earned, and none are when it is deleted', async () => {
  const earning_rules = [earning(ten, { validation_rule_id: 'val_1' })]
  const sandbox = shop({ validation_rules: [{ id: 'val_1', name: 'VIP', rules: vip }], earning_rules })

  await sent(sandbox, { customer: { source_id: 'ada', metadata: { vip: true } } })
  sandbox.del('/v1/validation-rules/val_1')
  await sent(sandbox, {})

  expect(balanceOf(sandbox, 'ADA')).toBe(10)
})

test('a validation rule may read the metadata of the event', async () => {
  const many = { '1': { name: 'custom_event.metadata', property: 'cups', conditions: { $more_than: [3] } }, logic: '1' }
  const earning_rules = [earning(ten, { validation_rule_id: 'val_1' })]
  const sandbox = shop({ validation_rules: [{ id: 'val_1', name: 'Many cups', rules: many }], earning_rules })

  await sent(sandbox, { metadata: { cups: 3 } }, { metadata: { cups: 4 } })

  expect(balanceOf(sandbox, 'ADA')).toBe(10)
})

test('every card of the customer gets points, unless the event names one, which gets none of other programs', async () => {
  const sandbox = shop({
    vouchers: [card('ONE', 'ada'), card('TWO', 'ada'), card('OFF', 'ada', { active: false }), card('BOB', 'bob')],
    earning_rules: [earning(ten), earning({ type: 'FIXED', points: 7 }, { campaign_id: 'camp_other' })],
  })

  await sent(sandbox, {}, { loyalty: { code: 'TWO' } })

  expect(['ONE', 'TWO', 'OFF', 'BOB'].map((code) => balanceOf(sandbox, code))).toEqual([10, 20, 0, 0])
})

test('a customer without a card gets one where customers join automatically, and nothing elsewhere', async () => {
  const free = card('FREE', null)
  const [joining, closed] = [
    shop({ earning_rules: [earning(ten)] }, true),
    shop({ vouchers: [free], earning_rules: [earning(ten)] }),
  ]

  for (const sandbox of [joining, closed]) {
    send(sandbox, { customer: { source_id: 'bob' } })
    await sandbox.settled()
    expect(sandbox.reports).toEqual([])
  }
  const members = (sandbox: ReturnType<typeof shop>) =>
    sandbox.get('/v1/loyalties/camp_club/members', 'customer=bob').body.vouchers

  expect(members(joining)).toMatchObject([{ code: expect.stringMatching(/^NEW-/), loyalty_card: { balance: 10 } }])
  expect(members(closed)).toEqual([])
})

test('a friend who does what the program requires is rewarded once, and so is the referrer', async () => {
  const sandbox = shop({}, true)

  await sent(sandbox, friend)
  await sent(sandbox, friend)
  const [bobs] = sandbox.get('/v1/loyalties/camp_club/members', 'customer=bob').body.vouchers
  const holders = sandbox.get('/v1/referrals/members/FRIEND%2F1/holders').body.data

  expect(bobs.loyalty_card.balance).toBe(50)
  expect(balanceOf(sandbox, 'ADA')).toBe(70)
  expect(holders).toMatchObject([{ customer_id: 'cust_bob', holder_role: 'REFEREE' }])
  expect(sandbox.events().filter(([type]) => type === 'customer.rewarded')).toEqual([
    ['customer.rewarded', 'cust_bob'],
    ['customer.rewarded', 'cust_ada'],
  ])
})

test('a friend who is already a referee converts without becoming one twice, and another friend again', async () => {
  const sandbox = shop({}, true)
  const path = '/v1/referrals/members/FRIEND%2F1/holders'
  sandbox.post(path, { holders: [{ source_id: 'bob' }] })

  await sent(sandbox, friend)
  expect([balanceOf(sandbox, 'ADA'), sandbox.get(path).body.total]).toEqual([70, 1])
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

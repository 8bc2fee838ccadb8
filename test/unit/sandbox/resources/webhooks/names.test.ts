// Each event name that a webhook may ask for is announced by some call, or docs/sandbox.md says that none does.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { eventData } from '../../../../../src/contract/answers/event-data.ts'
import { webhookEvents } from '../../../../../src/contract/webhook-events.ts'
import { clubWith } from '../../../../support/loyalty.ts'
import { campaign, openShop } from '../../../../support/redemptions.ts'
import type { TestSandbox } from '../../../../support/sandbox.ts'
import { root } from '../../../../support/source-files.ts'
import { tieredClub } from '../../../../support/tiers.ts'

const document = readFileSync(join(root, 'docs/sandbox.md'), 'utf8')
const [, paragraph = ''] = document.split('These are never announced, ')
const never = [...(paragraph.split('\n\n')[0] ?? '').matchAll(/`([\w.]+)`/g)].map(([, name]) => name as string)

const off = { type: 'DISCOUNT_VOUCHER', discount: { type: 'AMOUNT', amount_off: 100 } }
const adas = { holder_id: 'cust_ada', publish: { count: 1 } }

test('every event name is announced by some call, or is documented as never announced', async () => {
  const sandboxes = [
    await anyChange(),
    await codesAndCampaigns(),
    await pointsAndRewards(),
    await redemptions(),
    await tiersAndPendingPoints(),
  ]

  const announced = new Set(sandboxes.flatMap((sandbox) => sandbox.events().map(([type]) => type)))
  const names = webhookEvents.map((event) => event.shown_as)
  expect(names.filter((name) => !announced.has(name)).toSorted()).toEqual(never.toSorted())
  expect(names).toHaveLength(60)
})

test('the data of exactly the events that are announced has a form, of orders too', () => {
  const names = webhookEvents.map((event) => event.shown_as)
  const others = Object.keys(eventData).filter((name) => !names.includes(name))

  expect(names.filter((name) => !Object.hasOwn(eventData, name)).toSorted()).toEqual(never.toSorted())
  expect(others.toSorted()).toEqual([
    ...['downgraded', 'expiration.changed', 'joined', 'left', 'prolonged', 'upgraded'].map(
      (what) => `customer.loyalty.tier.${what}`,
    ),
    'customer.segment.entered',
    'customer.segment.left',
    'customer.updated',
    ...['activated', 'added', 'canceled', 'updated'].map(
      (what) => `customer.voucher.loyalty_card.pending_points.${what}`,
    ),
    'order.canceled',
    'order.created',
    'order.fulfilled',
    'order.paid',
    'order.updated',
  ])
})

/** Creates, changes, switches and removes things of every kind that has such events. */
async function anyChange(): Promise<TestSandbox> {
  const shop = openShop()
  const { post, put, del } = shop
  const make = (path: string, body: unknown) => {
    const made = post(path, body).body
    return Array.isArray(made) ? made[0] : made
  }
  const change = (path: string, body: unknown) => put(path, body)
  const remove = (path: string) => del(path)
  const toggle = (path: string) => ['disable', 'enable'].map((act) => post(`${path}/${act}`))

  const customer = make('/v1/customers', { source_id: 'bo' }).id
  remove(`/v1/customers/${customer}`)
  make('/v1/vouchers/NEW', off)
  change('/v1/vouchers/NEW', { additional_info: 'x' })
  toggle('/v1/vouchers/NEW')
  remove('/v1/vouchers/NEW')
  const rules = { '1': { name: 'order.amount', conditions: { $more_than: [1] } }, logic: '1' }
  const rule = make('/v1/validation-rules', { name: 'Any', rules }).id
  change(`/v1/validation-rules/${rule}`, { name: 'Other' })
  const assignment = make(`/v1/validation-rules/${rule}/assignments`, { voucher: 'A' }).id
  remove(`/v1/validation-rules/${rule}/assignments/${assignment}`)
  remove(`/v1/validation-rules/${rule}`)
  const tier = make('/v1/promotions/camp_promo/tiers', { name: 'T', action: { discount: off.discount } }).id
  change(`/v1/promotions/tiers/${tier}`, { name: 'U' })
  toggle(`/v1/promotions/tiers/${tier}`)
  remove(`/v1/promotions/tiers/${tier}`)
  const stack = make('/v1/promotions/camp_promo/stacks', { name: 'S', tiers: { ids: ['promo_1', 'promo_2'] } }).id
  change(`/v1/promotions/camp_promo/stacks/${stack}`, { name: 'R' })
  const rules_path = '/v1/loyalties/camp_club/earning-rules'
  const earning = make(rules_path, [{ event: 'order.paid', loyalty: { type: 'FIXED', points: 1 } }]).id
  change(`${rules_path}/${earning}`, { loyalty: { type: 'FIXED', points: 2 } })
  toggle(`${rules_path}/${earning}`)
  remove(`${rules_path}/${earning}`)
  const mug = make('/v1/rewards', { name: 'Mug', type: 'MATERIAL', parameters: {} }).id
  const price = (points: number) => ({ parameters: { loyalty: { points } } })
  const offered = make('/v1/loyalties/camp_club/rewards', [{ reward: mug, ...price(1) }]).id
  change(`/v1/loyalties/camp_club/rewards/${offered}`, price(2))
  remove(`/v1/loyalties/camp_club/rewards/${offered}`)
  await shop.settled()
  return shop
}

/** Campaigns that generate codes, publish them and fail to generate more. */
async function codesAndCampaigns(): Promise<TestSandbox> {
  const shop = openShop()
  const { post, put, del } = shop
  const voucher = { ...off, code_config: { length: 1, charset: 'AB', prefix: 'X-' } }
  const body = { name: 'Two', campaign_type: 'DISCOUNT_COUPONS', type: 'AUTO_UPDATE', voucher, vouchers_count: 2 }
  post('/v1/campaigns', body)
  // The two codes there can be are taken before the generation reaches them.
  for (const code of ['X-A', 'X-B']) post(`/v1/vouchers/${code}`, off)
  await shop.settled()
  const more = { name: 'More', campaign_type: 'DISCOUNT_COUPONS', type: 'AUTO_UPDATE', voucher: off }
  post('/v1/campaigns', { ...more, vouchers_count: 2 })
  await shop.settled()
  put('/v1/campaigns/More', { description: 'x' })
  for (const act of ['disable', 'enable']) post(`/v1/campaigns/More/${act}`)
  post('/v1/campaigns/More/vouchers')
  post('/v1/publications', { customer: { source_id: 'ada' }, voucher: 'B/ 1' })
  del('/v1/campaigns/More')
  await shop.settled()
  return shop
}

/** Points and credits by hand, by a rule, and those that expire. */
async function pointsAndRewards(): Promise<TestSandbox> {
  const club = clubWith([], {
    customers: [{ id: 'cust_ada', source_id: 'ada' }],
    vouchers: [
      { id: 'v_C', code: 'C', campaign_id: 'camp_club', type: 'LOYALTY_CARD', loyalty_card: { points: 0 }, ...adas },
      { code: 'G', type: 'GIFT_VOUCHER', gift: { amount: 100 } },
    ],
    event_schemas: [{ name: 'cupping' }],
    earning_rules: [{ campaign_id: 'camp_club', event: 'cupping', loyalty: { type: 'FIXED', points: 5 } }],
  })
  club.post('/v1/vouchers/G/balance', { amount: 1 })
  club.give('C', 5, { expiration_type: 'CUSTOM_DATE', expiration_date: '2026-06-01' })
  club.post('/v1/events', { event: 'cupping', customer: { source_id: 'ada' } })
  await club.settled()
  club.clock.now = '2026-06-02T00:00:00.000Z'
  await club.settled()
  return club
}

/** A program with tiers, and points that become active later: by hand, changed, or never. */
async function tiersAndPendingPoints(): Promise<TestSandbox> {
  const club = await tieredClub()
  const rule = {
    event: 'order.paid',
    loyalty: { type: 'FIXED', points: 5 },
    pending_points: { period_type: 'DAY', period_value: 14 },
  }
  club.post('/v1/loyalties/camp_club/earning-rules', [rule])
  const path = '/v1/loyalties/members/CARD-ada/pending-points'
  for (const [act, body] of [['balance', { points: 1 }], ['activate'], ['cancel']] as const) {
    club.post('/v1/orders', { customer: { id: 'cust_ada' }, amount: 100, status: 'PAID' })
    await club.settled()
    const [{ id }] = club.get(path).body.data
    club.post(`${path}/${id}/${act}`, body)
    await club.settled()
  }
  return club
}

/** Redemptions and rollbacks that succeed and fail, and a friend who converts. */
async function redemptions(): Promise<TestSandbox> {
  const referrer_reward = { related_object_parent: { id: 'camp_club' }, type: 'LOYALTY_CARD', amount: 5 }
  const referral_program = { conversion_event_type: 'redemption', referrer_reward }
  const shop = openShop({
    campaigns: [
      { ...campaign, id: 'camp_club', name: 'Club', campaign_type: 'LOYALTY_PROGRAM' },
      { ...campaign, id: 'camp_codes', name: 'Friends', campaign_type: 'REFERRAL_PROGRAM', referral_program },
    ],
    vouchers: [
      { id: 'v_F', code: 'F', campaign_id: 'camp_codes', ...off, ...adas },
      { id: 'v_C', code: 'C', campaign_id: 'camp_club', type: 'LOYALTY_CARD', loyalty_card: { points: 0 }, ...adas },
    ],
    promotion_tiers: [],
    promotion_stacks: [],
  })
  const { id } = shop.redeem(['F'], { customer: { source_id: 'bo' } }).body.redemptions[0]
  await shop.settled()
  shop.redeem(['NONE'])
  shop.rollBack(id)
  shop.rollBack(id)
  return shop
}

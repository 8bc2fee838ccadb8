// What has to be done in the demo shop so that each family of events happens in it: the calls that a client would make.
import type { WebhookEvent } from '../../contract/webhook-events.ts'
import type { AppRequest } from '../http/app.ts'
import { tiers } from '../seed/demo/promotions.ts'
import { campaignIds, ruleIds } from '../seed/demo/shop.ts'

/** A shop to act in. */
export interface SampleShop {
  /** Sends a request and returns the body of the answer, whatever its status. */
  call: (method: AppRequest['method'], path: string, body?: object) => Answered
  /** Finishes the work after the answers. */
  settle: () => Promise<void>
  /** Moves the clock by so many days, finishes what is due by then, and returns the time. */
  shift: (days: number) => Promise<string>
}

// biome-ignore lint/suspicious/noExplicitAny: the answers are those of this very service; a missing member fails a test.
type Answered = any

const ada = { source_id: 'shop-1001' }
const fiveOff = { type: 'DISCOUNT_VOUCHER', discount: { type: 'AMOUNT', amount_off: 500 } }
const order = { source_id: 'order-4711', amount: 5000 }
const club = `/v1/loyalties/${campaignIds.beanClub}`
const terrace = `/v1/promotions/${campaignIds.terrace}`

// In the demo only the friend is rewarded, and `customer.rewarded` is about the one who brings the friend.
const friends = {
  name: 'Friends of friends',
  campaign_type: 'REFERRAL_PROGRAM',
  type: 'AUTO_UPDATE',
  vouchers_count: 1,
  voucher: { ...fiveOff, redemption: { quantity: null } },
  referral_program: {
    conversion_event_type: 'redemption',
    referrer_reward: { related_object_parent: { id: campaignIds.beanClub }, type: 'LOYALTY_CARD', amount: 50 },
  },
}

/**
 * Makes the events of a family happen.
 *
 * Where an event happens several times, the last one is the sample.
 */
export const happenings: Record<WebhookEvent['family'], (shop: SampleShop) => Promise<void> | void> = {
  'Redemption and publication': ({ call }) => {
    const redeem = (code: string) => call('POST', '/v1/redemptions', redemptionOf(code))
    redeem('XMAS2025')
    const [redemption] = redeem('WELCOME-001').redemptions
    // The second rollback of the same redemption is the one that fails.
    for (const reason of ['Sent back', 'Sent back again'])
      call('POST', `/v1/redemptions/${redemption.id}/rollback`, { reason })
    call('POST', '/v1/publications', { customer: ada, voucher: 'WELCOME-002' })
  },
  Customer: async ({ call, settle }) => {
    const { id } = call('POST', '/v1/customers', { source_id: 'shop-2001', name: 'Ines Duarte' })
    call('DELETE', `/v1/customers/${id}`)
    call('POST', '/v1/events', { event: 'cupping_attended', customer: ada, metadata: { cups: 3 } })
    call('POST', '/v1/customers', { source_id: 'shop-2002', name: 'Jonas Weber' })
    call('POST', '/v1/campaigns', friends)
    await settle()
    const { voucher } = call('POST', '/v1/publications', { customer: ada, campaign: { name: friends.name } })
    call('POST', '/v1/redemptions', { ...redemptionOf(voucher.code), customer: { source_id: 'shop-2002' } })
    await settle()
  },
  Voucher: ({ call }) => {
    const code = 'SAMPLE-1'
    call('POST', `/v1/vouchers/${code}`, fiveOff)
    call('PUT', `/v1/vouchers/${code}`, { additional_info: 'For the terrace' })
    for (const act of ['disable', 'enable']) call('POST', `/v1/vouchers/${code}/${act}`)
    call('POST', '/v1/publications', { customer: ada, voucher: code })
    call('DELETE', `/v1/vouchers/${code}`)
  },
  'Gift card': ({ call }) => {
    call('POST', '/v1/vouchers/GIFT-001/balance', { amount: 1000 })
  },
  'Loyalty card': async ({ call, settle, shift }) => {
    const yesterday = await shift(-1)
    await shift(-1)
    const expiring = { expiration_type: 'CUSTOM_DATE', expiration_date: yesterday.slice(0, 10) }
    call('POST', '/v1/loyalties/members/CLUB-001/balance', { points: 25, ...expiring })
    await shift(2)
    const rule = { event: 'order.paid', loyalty: { type: 'FIXED', points: 10 } }
    call('POST', `${club}/earning-rules`, [{ ...rule, pending_points: { period_type: 'DAY', period_value: 14 } }])
    for (const amount of [2000, 3000]) {
      call('POST', '/v1/orders', { customer: ada, amount, status: 'PAID' })
      await settle()
    }
    const card = '/v1/loyalties/members/CLUB-001/pending-points'
    const [last, first] = call('GET', card).data
    call('POST', `${card}/${first.id}/balance`, { points: -4 })
    call('POST', `${card}/${first.id}/cancel`)
    call('POST', `${card}/${last.id}/activate`)
  },
  Campaign: async ({ call, settle }) => {
    const name = 'Sample campaign'
    call('POST', '/v1/campaigns', { name, campaign_type: 'DISCOUNT_COUPONS', type: 'AUTO_UPDATE', voucher: fiveOff })
    await settle()
    const { id } = call('GET', `/v1/campaigns/${encodeURIComponent(name)}`)
    call('PUT', `/v1/campaigns/${id}`, { description: 'Five euros off' })
    for (const act of ['disable', 'enable']) call('POST', `/v1/campaigns/${id}/${act}`)
    call('DELETE', `/v1/campaigns/${id}`)
    await settle()
  },
  'Campaign vouchers': async ({ call, settle }) => {
    const kind = { campaign_type: 'DISCOUNT_COUPONS', type: 'AUTO_UPDATE' }
    // Of two possible codes both are taken before the generation reaches them.
    const voucher = { ...fiveOff, code_config: { length: 1, charset: 'AB', prefix: 'SAMPLE-' } }
    call('POST', '/v1/campaigns', { ...kind, name: 'Too few codes', voucher, vouchers_count: 2 })
    for (const last of ['A', 'B']) call('POST', `/v1/vouchers/SAMPLE-${last}`, fiveOff)
    await settle()
    call('POST', '/v1/campaigns', { ...kind, name: 'Sample codes', voucher: fiveOff, vouchers_count: 2 })
    await settle()
    call('POST', '/v1/campaigns/Sample%20codes/vouchers')
    await settle()
  },
  'Campaign earning rules': ({ call }) => {
    const rules = `${club}/earning-rules`
    const points = (count: number) => ({ loyalty: { type: 'FIXED', points: count } })
    const [rule] = call('POST', rules, [{ event: 'newsletter_subscribed', ...points(5) }])
    call('PUT', `${rules}/${rule.id}`, points(10))
    for (const act of ['disable', 'enable']) call('POST', `${rules}/${rule.id}/${act}`)
    call('DELETE', `${rules}/${rule.id}`)
  },
  'Campaign tiers and stacks': ({ call }) => {
    const { id } = call('POST', `${terrace}/tiers`, { name: 'Five euros off', action: { discount: fiveOff.discount } })
    const tier = `/v1/promotions/tiers/${id}`
    call('PUT', tier, { banner: '5 € off on the terrace' })
    for (const act of ['disable', 'enable']) call('POST', `${tier}/${act}`)
    call('DELETE', tier)
    const stack = call('POST', `${terrace}/stacks`, { name: 'Both offers', tiers: { ids: tiers.map((one) => one.id) } })
    call('POST', `${club}/tiers`, [{ name: 'Roaster', points: { from: 5000 } }])
    call('PUT', `${terrace}/stacks/${stack.id}`, { name: 'Both offers of the terrace' })
  },
  'Campaign reward assignments': ({ call }) => {
    const price = (points: number) => ({ parameters: { loyalty: { points } } })
    const { id } = call('POST', '/v1/rewards', { name: 'Tote bag', type: 'MATERIAL', parameters: {} })
    const [assignment] = call('POST', `${club}/rewards`, [{ reward: id, ...price(200) }])
    call('PUT', `${club}/rewards/${assignment.id}`, price(150))
    call('DELETE', `${club}/rewards/${assignment.id}`)
  },
  'Validation rules': ({ call }) => {
    const rules = { '1': { name: 'order.amount', conditions: { $more_than: [1000] } }, logic: '1' }
    const { id } = call('POST', '/v1/validation-rules', { name: 'Orders above 10 euros', rules })
    call('PUT', `/v1/validation-rules/${id}`, { name: 'More than 10 euros' })
    const assignment = call('POST', `/v1/validation-rules/${ruleIds.twenty}/assignments`, { voucher: 'SORRY5' })
    call('DELETE', `/v1/validation-rules/${ruleIds.twenty}/assignments/${assignment.id}`)
    call('DELETE', `/v1/validation-rules/${id}`)
  },
}

function redemptionOf(code: string) {
  return { redeemables: [{ object: 'voucher', id: code }], customer: ada, order }
}

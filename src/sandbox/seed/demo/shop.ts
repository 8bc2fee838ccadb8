// The demo shop's campaigns, categories, customers and rules.
import { dayMs } from '../../../base/duration.ts'

/** The day the demo shop opened; everything in it was created on that day or later. */
export const openingDay = '2026-01-05T09:00:00.000Z'

/** Returns the n-th demo id with a prefix, in the form of every id of the sandbox. */
export function demoId(prefix: string, n: number): string {
  return prefix + Date.parse(openingDay).toString(16).padStart(11, '0') + n.toString(16).padStart(7, '0')
}

/** Returns noon of a day some days after the opening. */
export function daysOpen(days: number): string {
  return new Date(Date.parse('2026-01-05T12:00:00.000Z') + days * dayMs).toISOString()
}

const dates = { created_at: openingDay, updated_at: null }

/** The categories of the shop's offers. */
export const categories = [
  { id: demoId('cat_', 1), name: 'Seasonal', hierarchy: 1, ...dates, object: 'category' },
  { id: demoId('cat_', 2), name: 'Service recovery', hierarchy: 2, ...dates, object: 'category' },
]

/** Ids of the demo campaigns by purpose. */
export const campaignIds = {
  spring: demoId('camp_', 1),
  welcome: demoId('camp_', 2),
  giftCards: demoId('camp_', 3),
  beanClub: demoId('camp_', 4),
  friends: demoId('camp_', 5),
  terrace: demoId('camp_', 6),
}

const campaign = {
  description: null,
  start_date: null,
  expiration_date: null,
  validity_timeframe: null,
  validity_day_of_week: null,
  validity_hours: null,
  activity_duration_after_publishing: null,
  active: true,
  auto_join: false,
  join_once: false,
  use_voucher_metadata_schema: true,
  category: null,
  category_id: null,
  categories: [],
  metadata: {},
  protected: false,
  creation_status: 'DONE',
  vouchers_generation_status: 'DONE',
  ...dates,
  object: 'campaign',
}

const codes = (length: number, prefix: string) => ({
  length,
  charset: 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789',
  prefix,
  pattern: `${prefix}${'#'.repeat(length)}`,
})

const voucherOf = (
  type: string,
  worth: object,
  quantity: number | null,
  code_config: ReturnType<typeof codes>,
  is_referral_code = false,
) => ({ type, ...worth, redemption: { quantity }, code_config, is_referral_code })

/** The shop's campaigns, one for each type that has codes. */
export const campaigns = [
  {
    ...campaign,
    id: campaignIds.spring,
    name: 'Spring mailing',
    description: 'One code per reader of the newsletter, 20 % off until the list leaked',
    campaign_type: 'DISCOUNT_COUPONS',
    type: 'STATIC',
    category: 'Seasonal',
    category_id: demoId('cat_', 1),
    created_at: daysOpen(60),
    voucher: voucherOf(
      'DISCOUNT_VOUCHER',
      { discount: { type: 'PERCENT', percent_off: 20, effect: 'APPLY_TO_ORDER' } },
      1,
      codes(8, 'SPRING-'),
    ),
  },
  {
    ...campaign,
    id: campaignIds.welcome,
    name: 'Welcome',
    campaign_type: 'DISCOUNT_COUPONS',
    type: 'STANDALONE',
    voucher: voucherOf(
      'DISCOUNT_VOUCHER',
      { discount: { type: 'AMOUNT', amount_off: 500, effect: 'APPLY_TO_ORDER' } },
      1,
      codes(6, 'WELCOME-'),
    ),
  },
  {
    ...campaign,
    id: campaignIds.giftCards,
    name: 'Gift cards',
    campaign_type: 'GIFT_VOUCHERS',
    type: 'STANDALONE',
    voucher: voucherOf('GIFT_VOUCHER', { gift: { amount: 5000, effect: 'APPLY_TO_ORDER' } }, null, codes(8, 'GIFT-')),
  },
  {
    ...campaign,
    id: campaignIds.beanClub,
    name: 'Bean Club',
    description: 'A point for every euro',
    campaign_type: 'LOYALTY_PROGRAM',
    type: 'STANDALONE',
    auto_join: true,
    voucher: voucherOf('LOYALTY_CARD', { loyalty_card: { points: 0 } }, null, codes(8, 'CLUB-')),
  },
  {
    ...campaign,
    id: campaignIds.friends,
    name: 'Bring a friend',
    campaign_type: 'REFERRAL_PROGRAM',
    type: 'STANDALONE',
    voucher: voucherOf(
      'DISCOUNT_VOUCHER',
      { discount: { type: 'PERCENT', percent_off: 15, effect: 'APPLY_TO_ORDER' } },
      null,
      codes(6, 'FRIEND-'),
      true,
    ),
    referral_program: {
      conversion_event_type: 'redemption',
      custom_event: null,
      referee_reward: {
        related_object_parent: { id: campaignIds.beanClub, name: 'Bean Club', object: 'campaign' },
        type: 'LOYALTY_CARD',
        amount: 100,
      },
    },
  },
  {
    ...campaign,
    id: campaignIds.terrace,
    name: 'Terrace season',
    description: 'Discounts without a code while the chairs are out',
    campaign_type: 'PROMOTION',
    type: 'STANDALONE',
    created_at: daysOpen(90),
  },
]

const people = [
  'Ada Okafor',
  'Bruno Keller',
  'Chloé Martin',
  'Dmitri Volkov',
  'Elif Şahin',
  'Farid Rahman',
  'Grace Lindqvist',
  'Hana Sato',
]

/** Customers of the shop; the first ones hold loyalty cards and referral codes. */
export const customers = people.map((name, index) => ({
  id: demoId('cust_', index + 1),
  source_id: `shop-${1001 + index}`,
  name,
  email: `customer${index + 1}@example.com`,
  metadata: { newsletter: index % 2 === 0 },
  created_at: daysOpen(index),
  updated_at: null,
  object: 'customer',
}))

/** Ids of the demo rules by what they require. */
export const ruleIds = {
  twenty: demoId('val_', 1),
  thirty: demoId('val_', 2),
  forty: demoId('val_', 3),
  readers: demoId('val_', 4),
}

const rule = {
  applicable_to: { included: [], excluded: [], included_all: true },
  type: 'expression',
  context_type: 'global',
  ...dates,
  object: 'validation_rules',
}

/** The rules of codes and promotions: minimum amounts, and one about the customer. */
export const rules = [
  amountRule(ruleIds.twenty, 'Orders above 20 euros', { $more_than: [2000] }, 'This code is for orders above 20 euros'),
  amountRule(
    ruleIds.thirty,
    'Orders of 30 euros and more',
    { $more_than_or_equal: [3000] },
    'Spring codes are for orders of 30 euros and more',
  ),
  amountRule(ruleIds.forty, 'Orders of 40 euros and more', { $more_than_or_equal: [4000] }, 'From 40 euros'),
  {
    ...rule,
    id: ruleIds.readers,
    name: 'Readers of the newsletter',
    rules: {
      '1': { name: 'customer.metadata', property: 'newsletter', conditions: { $is: [true] }, rules: {}, error: null },
      logic: '1',
    },
    error: { message: 'For readers of our newsletter' },
  },
]

function amountRule(id: string, name: string, conditions: Record<string, number[]>, message: string) {
  const condition = { name: 'order.amount', conditions, rules: {}, error: null }
  return { ...rule, id, name, rules: { '1': condition, logic: '1' }, error: { message } }
}

// The demo shop's codes: the leaked mailing, and a few dozen others of every type and in every state.
import { randomFrom } from '../../id.ts'
import { campaignIds, customers, daysOpen, demoId, ruleIds } from './shop.ts'

/** The codes of the spring mailing, all of them leaked. */
export function springVouchers() {
  return leakedCodes().map((code, index) => ({
    id: demoId('v_', 0x1000 + index),
    code,
    campaign_id: campaignIds.spring,
    category: 'Seasonal',
    type: 'DISCOUNT_VOUCHER',
    discount: { type: 'PERCENT', percent_off: 20, effect: 'APPLY_TO_ORDER' },
    redemption: { quantity: 1, redeemed_quantity: 0 },
    created_at: daysOpen(60),
  }))
}

const fiveOff = { type: 'DISCOUNT_VOUCHER', discount: { type: 'AMOUNT', amount_off: 500, effect: 'APPLY_TO_ORDER' } }
const fifteenPercent = {
  type: 'DISCOUNT_VOUCHER',
  discount: { type: 'PERCENT', percent_off: 15, effect: 'APPLY_TO_ORDER' },
}

/** Codes without a campaign, each showing one feature. */
const standalone = [
  {
    code: 'BEANS10',
    type: 'DISCOUNT_VOUCHER',
    discount: { type: 'PERCENT', percent_off: 10, amount_limit: 1500, effect: 'APPLY_TO_ORDER' },
    additional_info: 'Printed on every bag; only for orders above 20 euros',
  },
  { code: 'SORRY5', ...fiveOff, category: 'Service recovery', metadata: { channel: 'support' } },
  { code: 'LATTE ART/2026', ...fiveOff, additional_info: 'A code with a slash and a space, for the workshop' },
  { code: 'CAFÉ☕', ...fifteenPercent, additional_info: 'A code beyond ASCII, for the café window' },
  {
    code: 'XMAS2025',
    ...fifteenPercent,
    start_date: '2025-12-01T00:00:00.000Z',
    expiration_date: '2025-12-31T23:59:59.000Z',
  },
  { code: 'OPENING2099', ...fifteenPercent, start_date: '2099-01-01T00:00:00.000Z' },
  { code: 'PAUSED', ...fiveOff, active: false },
  {
    code: 'MORNING',
    ...fiveOff,
    validity_hours: { daily: [{ start_time: '07:00', expiration_time: '10:00', days_of_week: [1, 2, 3, 4, 5] }] },
    additional_info: 'On working days before ten',
  },
  { code: 'WEEKEND', ...fifteenPercent, validity_day_of_week: [0, 6] },
  {
    code: 'FIRSTDAYS',
    ...fiveOff,
    start_date: '2026-02-01T00:00:00.000Z',
    validity_timeframe: { duration: 'P3D', interval: 'P1M' },
    additional_info: 'The first three days of every month',
  },
]

/** Returns everything except the mailing and the loyalty cards, with the rule assignment of BEANS10. */
export function otherVouchers() {
  const vouchers = [
    ...standalone,
    ...numberVouchers(12, 'WELCOME-', (n) => ({
      ...fiveOff,
      campaign_id: campaignIds.welcome,
      redemption: { quantity: 1, redeemed_quantity: n % 3 === 0 ? 1 : 0 },
    })),
    ...numberVouchers(8, 'GIFT-', (n) => ({
      type: 'GIFT_VOUCHER',
      gift: {
        amount: 2500 * (1 + (n % 3)),
        balance: n % 4 === 0 ? 1200 : 2500 * (1 + (n % 3)),
        effect: 'APPLY_TO_ORDER',
      },
      campaign_id: campaignIds.giftCards,
      redemption: {
        quantity: null,
        redeemed_quantity: n % 4 === 0 ? 1 : 0,
        redeemed_amount: n % 4 === 0 ? 2500 * (1 + (n % 3)) - 1200 : 0,
      },
    })),
    ...numberVouchers(4, 'FRIEND-', (n) => ({
      ...fifteenPercent,
      campaign_id: campaignIds.friends,
      is_referral_code: true,
      holder_id: customers[n - 1]?.id,
      referrer_id: customers[n - 1]?.id,
      publish: { count: 1 },
    })),
  ].map((voucher, index) => ({ id: demoId('v_', 1 + index), created_at: daysOpen(1 + index), ...voucher }))
  const [beans] = vouchers
  const assignments = [
    {
      id: demoId('asgm_', 1),
      rule_id: ruleIds.twenty,
      related_object_id: beans?.id,
      related_object_type: 'voucher',
      created_at: daysOpen(1),
      updated_at: null,
      object: 'validation_rules_assignment',
    },
  ]
  return { vouchers, assignments }
}

/** `WELCOME-001` and so on. */
function numberVouchers<Fields extends object>(count: number, prefix: string, fields: (n: number) => Fields) {
  return Array.from({ length: count }, (_, index) => ({
    code: prefix + String(index + 1).padStart(3, '0'),
    ...fields(index + 1),
  }))
}

/** Letters and digits that are not easily confused. */
const alphabet = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789'

/** The number of leaked codes. */
const leakedCount = 1000

/** Returns the leaked codes, distinct and the same on every computer: `SPRING-` and eight characters. */
export function leakedCodes(): string[] {
  const next = randomFrom(20_260_317)
  const codes = new Set<string>()
  while (codes.size < leakedCount) {
    let code = 'SPRING-'
    for (let place = 0; place < 8; place += 1) code += alphabet[Math.floor(next() * alphabet.length)]
    codes.add(code)
  }
  return [...codes]
}

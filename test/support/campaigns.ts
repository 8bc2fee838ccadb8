// Campaigns for tests: the smallest bodies the service accepts.

/** A discount campaign to create, with the members a test replaces. */
export function coupons(name: string, members: Record<string, unknown> = {}) {
  const voucher = { type: 'DISCOUNT_VOUCHER', discount: { type: 'AMOUNT', amount_off: 500 } }
  return { name, campaign_type: 'DISCOUNT_COUPONS', type: 'STATIC', voucher, ...members }
}

/** The same for gift cards of 50.00. */
export function gifts(name: string, members: Record<string, unknown> = {}) {
  const voucher = { type: 'GIFT_VOUCHER', gift: { amount: 5000 } }
  return { name, campaign_type: 'GIFT_VOUCHERS', type: 'STATIC', voucher, ...members }
}

/** The same for loyalty cards with ten points. */
export function club(name: string, members: Record<string, unknown> = {}) {
  const voucher = { type: 'LOYALTY_CARD', loyalty_card: { points: 10 } }
  return { name, campaign_type: 'LOYALTY_PROGRAM', type: 'STATIC', voucher, ...members }
}

/** The same for referral codes. */
export function friends(name: string, members: Record<string, unknown> = {}) {
  return { ...coupons(name), campaign_type: 'REFERRAL_PROGRAM', ...members }
}

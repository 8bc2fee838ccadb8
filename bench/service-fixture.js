// The data that the service is measured on: codes, campaigns, and a long history of points.

export const sizes = { codes: 20_000, campaigns: 50, transactions: 100_000, ruled: 5 }

const discount = { type: 'PERCENT', percent_off: 5 }
const from = Date.parse('2026-01-05T09:00:00.000Z')

/** Returns a fixture: `CODE-n`, campaigns with one code each, and the loyalty program `camp_club` with one busy card. */
export function fixture() {
  const campaigns = times(sizes.campaigns, (n) => ({
    id: `camp_${n}`,
    name: `Campaign ${n}`,
    campaign_type: 'DISCOUNT_COUPONS',
    type: 'STATIC',
    active: true,
    voucher: { type: 'DISCOUNT_VOUCHER', discount },
  }))
  const club = { id: 'camp_club', name: 'Club', campaign_type: 'LOYALTY_PROGRAM', type: 'STATIC', active: true }
  return {
    campaigns: [...campaigns, club, { id: 'camp_promo', name: 'Promo', campaign_type: 'PROMOTION', active: true }],
    promotion_tiers: [
      { id: 'promo_1', name: 'Tier', banner: 'Tier', campaign_id: 'camp_promo', hierarchy: 1, action: { discount } },
    ],
    customers: [{ id: 'cust_1', source_id: 'customer-1' }],
    vouchers: [
      ...times(sizes.codes, (n) => ({ code: `CODE-${n}`, type: 'DISCOUNT_VOUCHER', discount })),
      ...times(sizes.campaigns, (n) => ({
        code: `OF-${n}`,
        campaign_id: `camp_${n}`,
        type: 'DISCOUNT_VOUCHER',
        discount,
      })),
      ...times(sizes.ruled, (n) => ({ id: `v_ruled_${n}`, code: `RULED-${n}`, type: 'DISCOUNT_VOUCHER', discount })),
      {
        id: 'v_card',
        code: 'CARD',
        campaign_id: 'camp_club',
        type: 'LOYALTY_CARD',
        loyalty_card: { points: 0 },
        holder_id: 'cust_1',
      },
    ],
    loyalty_transactions: times(sizes.transactions, transaction),
  }
}

/** Returns the id of the n-th transaction; ids are in chronological order. */
export function transactionId(n) {
  return `vtx_${String(n).padStart(8, '0')}`
}

/** Returns the n-th transaction of the busy card. */
export function transaction(n) {
  const balance = { type: 'loyalty_card', total: n + 1, object: 'balance', points: 1, balance: n + 1 }
  return {
    id: transactionId(n),
    voucher_id: 'v_card',
    campaign_id: 'camp_club',
    type: 'POINTS_ADDITION',
    details: { balance: { ...balance, operation_type: 'MANUAL', related_object: { id: 'v_card', type: 'voucher' } } },
    created_at: new Date(from + n * 1000).toISOString(),
  }
}

/** Returns what `make` makes of each number from 0. */
export function times(count, make) {
  return Array.from({ length: count }, (_, n) => make(n))
}

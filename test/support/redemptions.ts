// A shop to redeem in, and the calls for it.
import { type CallOptions, type TestSandbox, testSandbox } from './sandbox.ts'

/** A code with an amount discount, in the smallest currency unit. */
export const off = (amount_off: number) => ({ type: 'DISCOUNT_VOUCHER', discount: { type: 'AMOUNT', amount_off } })
/** The members that all campaigns of these tests share. */
export const campaign = { type: 'STANDALONE', active: true, metadata: {} }

/** A shop with codes, a gift card, Ada's loyalty card, two tiers and their stack. */
export const shop = {
  campaigns: [
    { ...campaign, id: 'camp_codes', name: 'Codes', campaign_type: 'DISCOUNT_COUPONS' },
    { ...campaign, id: 'camp_club', name: 'Club', campaign_type: 'LOYALTY_PROGRAM' },
    { ...campaign, id: 'camp_promo', name: 'Promo', campaign_type: 'PROMOTION' },
  ],
  customers: [{ id: 'cust_ada', source_id: 'ada', name: 'Ada', metadata: {} }],
  products: [{ id: 'prod_beans', source_id: 'beans', name: 'Beans', price: 1500 }],
  vouchers: [
    { id: 'v_A', code: 'A', campaign_id: 'camp_codes', ...off(500), redemption: { quantity: 1 } },
    { id: 'v_B', code: 'B/ 1', ...off(300) },
    { id: 'v_OFF', code: 'OFF', ...off(300), active: false },
    {
      id: 'v_UNIT',
      code: 'UNIT',
      type: 'DISCOUNT_VOUCHER',
      discount: { type: 'UNIT', unit_off: 1, unit_type: 'prod_beans', effect: 'ADD_NEW_ITEMS' },
    },
    { id: 'v_G', code: 'G', type: 'GIFT_VOUCHER', gift: { amount: 1000, balance: 1000 } },
    {
      id: 'v_C',
      code: 'C',
      type: 'LOYALTY_CARD',
      campaign_id: 'camp_club',
      loyalty_card: { points: 100 },
      holder_id: 'cust_ada',
    },
  ],
  rewards: [
    { id: 'rew_1', name: 'Coins', type: 'COIN', parameters: { coin: { exchange_ratio: 0.1, points_ratio: 1 } } },
  ],
  reward_assignments: [{ id: 'rewa_1', reward_id: 'rew_1', related_object_id: 'camp_club' }],
  promotion_tiers: [
    { id: 'promo_1', name: 'One', campaign_id: 'camp_promo', action: off(100), active: true },
    { id: 'promo_2', name: 'Two', campaign_id: 'camp_promo', action: off(200), active: true },
  ],
  promotion_stacks: [
    { id: 'stack_1', name: 'Both', campaign_id: 'camp_promo', tiers: { ids: ['promo_1', 'promo_2'] } },
  ],
}

/** Opens the shop, with members of the fixture replaced or added. */
export function openShop(more: object = {}) {
  const sandbox = testSandbox({ fixture: { ...shop, ...more } })
  return { ...sandbox, ...doing(sandbox) }
}

/** The calls that redemption tests make. */
export function doing({ call }: Pick<TestSandbox, 'call'>) {
  return {
    redeem: (codes: Array<string | object>, more: object = {}) =>
      call('POST', '/v1/redemptions', {
        body: {
          redeemables: codes.map((code) => (typeof code === 'string' ? { object: 'voucher', id: code } : code)),
          order: { amount: 5000 },
          ...more,
        },
      }),
    rollBack: (id: string, body: object = {}) => call('POST', `/v1/redemptions/${id}/rollback`, { body }),
    rollBackAll: (id: string, body: object = {}) => call('POST', `/v1/redemptions/${id}/rollbacks`, { body }),
    voucher: (code: string) => call('GET', `/v1/vouchers/${encodeURIComponent(code)}`).body,
    list: (query = '', options: CallOptions = {}) => call('GET', '/v1/redemptions', { query, ...options }).body,
    transactions: (code: string) => call('GET', `/v1/vouchers/${code}/transactions`, { query: 'order=id' }).body.data,
    stored: (id: string) => call('GET', `/v1/redemptions/${id}`).body,
  }
}

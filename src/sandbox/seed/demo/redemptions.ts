// The demo shop's redemptions of welcome codes, gift cards and points. The vouchers already contain counters and points.
import { customers, daysOpen, demoId } from './shop.ts'

/** A voucher as the other files of the demo create it. */
interface DemoVoucher {
  id: string
  code: string
  campaign_id?: string | undefined
  holder_id?: string | undefined
  type: string
  gift?: { amount: number; balance: number }
  redemption?: { redeemed_quantity: number; redeemed_amount?: number; redeemed_points?: number }
}

/** A change of points as bean-club.ts creates it. */
interface PointsSpent {
  voucher_id: string
  type: string
  created_at: string
}

/** Returns one redemption for every use that the vouchers count, with its order, and the transaction of each gift card. */
export function redemptionsOf(vouchers: readonly DemoVoucher[], transactions: readonly PointsSpent[]) {
  const used = vouchers.filter(({ redemption }) => (redemption?.redeemed_quantity ?? 0) > 0)
  const spentAt = ({ id }: DemoVoucher) =>
    transactions.find(({ voucher_id, type }) => voucher_id === id && type === 'POINTS_REDEMPTION')?.created_at
  const made = used.map((voucher, index) => redemptionOf(voucher, index, spentAt(voucher) ?? daysOpen(70 + index)))
  return {
    redemptions: made.map(({ redemption }) => redemption),
    orders: made.map(({ order }) => order),
    gift_transactions: used.flatMap((voucher, index) => giftTransaction(voucher, index)),
  }
}

function redemptionOf(
  { id, code, campaign_id, holder_id, redemption }: DemoVoucher,
  index: number,
  created_at: string,
) {
  const { redeemed_amount, redeemed_points } = redemption ?? {}
  const customer_id = holder_id ?? customers[index % customers.length]?.id
  const dates = { created_at, updated_at: null }
  // A point is worth five cents; a welcome code takes five euros off.
  const discount = redeemed_amount || (redeemed_points ? redeemed_points * 5 : 500)
  const amount = 2000 + 500 * index + discount
  const order = {
    id: demoId('ord_', index + 1),
    source_id: `northlight-${2001 + index}`,
    status: 'PAID',
    amount,
    discount_amount: discount,
    total_discount_amount: discount,
    total_amount: amount - discount,
    applied_discount_amount: discount,
    total_applied_discount_amount: discount,
    customer_id,
    referrer_id: null,
    object: 'order',
    ...dates,
  }
  return {
    order,
    redemption: {
      id: demoId('r_', index + 1),
      object: 'redemption',
      customer_id,
      result: 'SUCCESS',
      status: 'SUCCEEDED',
      related_object_type: 'voucher',
      related_object_id: id,
      voucher: { code },
      campaign_id,
      order,
      ...(redeemed_amount && { amount: redeemed_amount, gift: { amount: redeemed_amount } }),
      ...(redeemed_points && {
        amount: redeemed_points,
        loyalty_card: { points: redeemed_points },
        reward: { id: demoId('rew_', 1), name: 'Pay with points' },
      }),
      metadata: {},
      ...dates,
    },
  }
}

function giftTransaction({ id, campaign_id, gift, redemption }: DemoVoucher, index: number) {
  if (!gift || !redemption?.redeemed_amount) return []
  return [
    {
      id: demoId('vtx_', 0x800 + index),
      source_id: null,
      voucher_id: id,
      campaign_id,
      source: null,
      reason: null,
      type: 'CREDITS_REDEMPTION',
      details: {
        redemption: { id: demoId('r_', index + 1) },
        order: { id: demoId('ord_', index + 1), source_id: `northlight-${2001 + index}` },
        balance: {
          type: 'gift_voucher',
          total: gift.amount,
          object: 'balance',
          amount: -redemption.redeemed_amount,
          balance: gift.balance,
          operation_type: 'AUTOMATIC',
          related_object: { id, type: 'voucher' },
        },
      },
      related_transaction_id: null,
      created_at: daysOpen(70 + index),
    },
  ]
}

// Reads the counters of a card from its voucher and writes them back. Source: docs/service/vouchers.md#gift.
import { balanceOf, type Card } from './balance.ts'

/** The fields of a voucher that store a card's counters. */
export interface CardFields {
  gift?: { amount: number; balance: number; subtracted_amount?: number } | null
  loyalty_card?: { points: number; balance: number; subtracted_points?: number; expired_points?: number } | null
  redemption?: { redeemed_amount?: number; redeemed_points?: number }
}

/** Reads the counters; undefined for a voucher that is neither a gift nor a loyalty card. */
export function cardOf(
  voucher: CardFields & { id: string; code: string; campaign_id?: string | null; type: string },
): Card | undefined {
  const { id: voucher_id, code, campaign_id = null, gift, loyalty_card, redemption } = voucher
  if (voucher.type === 'LOYALTY_CARD' && loyalty_card) {
    return {
      kind: 'loyalty_card',
      voucher_id,
      code,
      campaign_id,
      income: loyalty_card.points,
      subtracted: loyalty_card.subtracted_points ?? 0,
      expired: loyalty_card.expired_points ?? 0,
      redeemed: redemption?.redeemed_points ?? 0,
    }
  }
  if (voucher.type === 'GIFT_VOUCHER' && gift) {
    return {
      kind: 'gift_voucher',
      voucher_id,
      code,
      campaign_id,
      income: gift.amount,
      subtracted: gift.subtracted_amount ?? 0,
      expired: 0,
      redeemed: redemption?.redeemed_amount ?? 0,
    }
  }
  return undefined
}

/** Writes the counters into a copy of the voucher; counters that are zero and were absent stay absent. */
export function withCard<V extends CardFields>(voucher: V, card: Card): V {
  const { income, subtracted, expired, redeemed } = card
  const balance = balanceOf(card)
  if (card.kind === 'gift_voucher') {
    const shown = subtracted > 0 || voucher.gift?.subtracted_amount !== undefined
    const gift = { ...voucher.gift, amount: income, balance, ...(shown && { subtracted_amount: subtracted }) }
    return { ...voucher, gift, redemption: { ...voucher.redemption, redeemed_amount: redeemed } }
  }
  const old = voucher.loyalty_card
  const loyalty_card = {
    ...old,
    points: income,
    balance,
    ...((subtracted > 0 || old?.subtracted_points !== undefined) && { subtracted_points: subtracted }),
    ...((expired > 0 || old?.expired_points !== undefined) && { expired_points: expired }),
  }
  return { ...voucher, loyalty_card, redemption: { ...voucher.redemption, redeemed_points: redeemed } }
}

// Payment with a gift card. Source: docs/service/pricing.md#gift-cards.
import { missing, notFound, type RefusalBody, refuse } from '../failures.ts'
import type { RedeemableRequest, Voucher } from '../redeemable.ts'
import type { LineSelection } from './applicable.ts'
import { countedSubtotal } from './item-discount.ts'
import { decimal, roundHalfUp } from './money.ts'
import { amountDue, discountOrder, nextStep, type OrderLine, type OrderState } from './order.ts'

export interface GiftPayment {
  order: OrderState
  /** What the card pays. */
  credits: number
  /** The card's balance before, minus what other sessions hold. */
  balance: number
}

/**
 * Pays an order from a gift card: the requested credits, or as much as the balance allows, never more than is left to pay.
 *
 * Counts as an order-level discount, also when only some lines may be paid. `held` is what other sessions hold.
 */
export function payWithGift(
  order: OrderState | undefined,
  card: Voucher,
  asked: number | undefined,
  held: number,
  select: (lines: readonly OrderLine[]) => LineSelection,
): GiftPayment | { refusal: RefusalBody } {
  if (order?.amount === undefined) return { refusal: missing('amount') }
  const balance = Math.max(0, (card.gift?.balance ?? 0) - held)
  let payable = amountDue(order)
  if (card.gift?.effect === 'APPLY_TO_ITEMS') {
    const shares = select(order.items).shares.filter(({ line }) => line.amount !== undefined)
    if (shares.length === 0) return { refusal: missing('order_items_amount') }
    const lines = shares.reduce((sum, share) => sum + roundHalfUp(countedSubtotal(share)), 0)
    payable = Math.min(payable, lines)
  }
  if (asked !== undefined && asked > balance) return { refusal: refuse('gift_amount_exceeded', card.code) }
  const credits = Math.min(Math.max(0, asked ?? balance), payable)
  return { order: discountOrder(order, credits), credits, balance }
}

// Spends a loyalty card's points on a reward. Source: docs/service/pricing.md#pay-with-points.

export interface Reward {
  id: string
  /** The offer of the reward in the program of the card. */
  assignment_id?: string
  /** The tier whose price it is. */
  loyalty_tier_id?: string
  name: string
  type: 'COIN' | 'MATERIAL' | 'CAMPAIGN'
  /** Pieces there ever were, and how many of them were redeemed; null for no limit. */
  stock?: number | null
  redeemed?: number | null
  parameters: {
    /** COIN: the value of `points_ratio` points, in MAJOR currency units. */
    coin?: { exchange_ratio: number; points_ratio: number }
    /** The cost of one unit of another kind of reward. */
    loyalty?: { points: number; auto_redeem?: boolean }
    /** CAMPAIGN: what a code is taken from; `balance` is what is put on a card. */
    campaign?: { id: string; balance?: number; type?: string }
    [kind: string]: unknown
  }
}

export interface PointsPayment {
  /** Absent when there is no order and the reward needs none. */
  order: OrderState | undefined
  points: number
  reward: Reward
}

/**
 * Spends points on a reward that the program of the card offers, at the price of that program.
 *
 * Only paying with points (a COIN reward) changes the order, as an order-level discount; any other reward costs its
 * price in points. `held` is what other sessions hold of the card, `rewardOf` finds what its program offers.
 */
export function spendPoints(
  order: OrderState | undefined,
  card: Voucher,
  asked: RedeemableRequest['reward'],
  held: number,
  rewardOf: (id: string, card: Voucher) => Reward | undefined,
): PointsPayment | { refusal: RefusalBody } {
  if (asked?.id === undefined)
    return { refusal: refuse('missing_reward', 'A reward is required when redeeming a LOYALTY_CARD') }
  const reward = rewardOf(asked.id, card)
  if (!reward) return { refusal: notFound('reward', asked.id) }
  const balance = Math.max(0, (card.loyalty_card?.balance ?? 0) - held)
  const exceeded = { refusal: refuse('loyalty_card_points_exceeded', card.code) }
  const coin = reward.parameters.coin
  if (reward.stock != null && (reward.redeemed ?? 0) >= reward.stock)
    // ASSUMED A1752: no refusal is published for a reward of which no pieces are left.
    return { refusal: refuse('reward_out_of_stock', `All ${reward.stock} pieces of reward ${reward.id} are redeemed`) }
  if (reward.type !== 'COIN' || !coin) {
    const points = reward.parameters.loyalty?.points
    // ASSUMED A1054: the program names the price; a request with another number of points expects something else.
    if (points === undefined || (asked.points !== undefined && asked.points !== points))
      return { refusal: refuse('invalid_amount', `Reward ${reward.id} costs ${points} points`) }
    return points > balance ? exceeded : { order: order && nextStep(order), points, reward }
  }
  if ((asked.points ?? 0) > balance) return exceeded
  if (!order) return { refusal: missing('order') }
  if (order.amount === undefined) return { refusal: missing('amount') }
  const rest = amountDue(order)
  // Whole blocks: 45000 at 20.00 for 100 points takes 2300 points although 2250 would be enough.
  const needed = Math.ceil(decimal(rest / (coin.exchange_ratio * 100))) * coin.points_ratio
  const affordable = Math.floor(balance / coin.points_ratio) * coin.points_ratio
  // ASSUMED A10: points requested beyond what the order needs stay on the card.
  const points = Math.min(asked.points ?? affordable, needed)
  const value = roundHalfUp((points / coin.points_ratio) * coin.exchange_ratio * 100)
  return { order: discountOrder(order, Math.min(value, rest)), points, reward }
}

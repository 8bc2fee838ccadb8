// The demo shop's loyalty programme: cards whose balance is the sum of their transactions.
import { daysOpen, demoId } from './ids.ts'
import { campaignIds, customers } from './shop.ts'

/** What happened to each card, in points; every sum is the card's balance. */
const histories = [[100, 42, -60], [100, 18], [250], [100, 30, 75, -120, 9], [100], [500, -500]]

/** Makes the loyalty cards and every change of their points, oldest first. */
export function cardsAndTransactions() {
  const transactions: ReturnType<typeof transaction>[] = []
  const cards = histories.map((changes, index) => {
    const id = demoId('v_', 0x800 + index)
    let balance = 0
    for (const [step, points] of changes.entries()) {
      balance += points
      transactions.push(transaction(id, points, balance, transactions.length + 1, daysOpen(10 + index + 7 * step)))
    }
    const used = -sum(changes.filter((points) => points < 0))
    return {
      id,
      code: `CLUB-${String(index + 1).padStart(3, '0')}`,
      type: 'LOYALTY_CARD',
      loyalty_card: { points: sum(changes.filter((points) => points > 0)), balance },
      campaign_id: campaignIds.beanClub,
      holder_id: customers[index]?.id,
      publish: { count: 1 },
      redemption: { quantity: null, redeemed_quantity: used > 0 ? 1 : 0, redeemed_points: used },
      created_at: daysOpen(10 + index),
    }
  })
  return { cards, transactions }
}

function transaction(voucher_id: string, points: number, balance: number, n: number, created_at: string) {
  return {
    id: demoId('vtx_', n),
    source_id: null,
    voucher_id,
    campaign_id: campaignIds.beanClub,
    source: 'shop',
    reason: points < 0 ? 'Paid with points' : 'Points for an order',
    type: points < 0 ? 'POINTS_REDEMPTION' : 'POINTS_ADDITION',
    details: {
      balance: {
        type: 'loyalty_card',
        total: balance,
        object: 'balance',
        points,
        balance,
        operation_type: 'AUTOMATIC',
        related_object: { id: voucher_id, type: 'voucher' },
      },
    },
    related_transaction_id: null,
    created_at,
  }
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0)
}

// Points added, removed and transferred by hand.
// Source: docs/service/loyalty.md#change-points; docs/service/loyalty.md#transaction-types.
import type { changeMemberBalance, transferPoints } from '../../../contract/loyalty-programs.ts'
import { invalidPayload, notFound, refused } from '../../http/refusal.ts'
import type { BodyOf, Context } from '../../http/route.ts'
import { adjustment, type BalanceDetails } from '../../rules/balances/balance.ts'
import { loyaltyTransactions } from '../../stores/transactions.ts'
import { type StoredVoucher, vouchers } from '../../stores/vouchers.ts'
import { applyBalanceChange, expireCard } from './balance.ts'
import { changeable } from './cards.ts'
import { lastInstantAt, lastInstantOf } from './next-due.ts'

type PointsChange = BodyOf<typeof changeMemberBalance>
type Transfer = BodyOf<typeof transferPoints>[number]

/**
 * Adds points to a card, or removes a negative number.
 *
 * Throws 400 `not_published`, `invalid_amount`, `invalid_expiration_date` or `loyalty_card_points_exceeded`.
 */
export function changePoints(card: StoredVoucher, body: PointsChange, context: Context): BalanceDetails {
  const expires_at = expiryOf(body, card, context)
  const { transaction } = applyBalanceChange(context, expireCard(changeable(card), context), {
    ...adjustment('POINTS', body.points),
    // Observed: unlike the balance call of vouchers, this one names no channel.
    source: null,
    reason: body.reason ?? null,
    source_id: body.source_id ?? null,
    expires_at,
  })
  return transaction.details.balance
}

/**
 * Transfers points from other cards, also of other programs, to one; they expire by the rules of its
 * program. All or none. Returns the receiving card.
 *
 * The two transactions of a transfer reference each other. Throws 404 for an unknown card, 400
 * `not_published` for a card that nobody holds, `invalid_amount`, `loyalty_card_points_exceeded`, and `invalid_voucher`
 * for a transfer to the same card.
 */
export function transferToCard(to: StoredVoucher, transfers: readonly Transfer[], context: Context): StoredVoucher {
  let receiving = expireCard(changeable(to), context)
  for (const { code, points, source_id, reason = null } of transfers) {
    const from = context.in(vouchers).find(code)
    if (from?.type !== 'LOYALTY_CARD') throw notFound('voucher', code)
    if (from.id === to.id) throw refused('invalid_voucher', 'Points cannot be transferred to the same card')
    const ids = { out: context.id(loyaltyTransactions.prefix), in: context.id(loyaltyTransactions.prefix) }
    const shared = { units: points, source: 'API', reason, source_id }
    // ASSUMED A672: the documents name the members source_voucher and destination_voucher, not their content.
    applyBalanceChange(context, expireCard(changeable(from), context), {
      ...shared,
      id: ids.out,
      type: 'POINTS_TRANSFER_OUT',
      related_transaction_id: ids.in,
      details: { destination_voucher: { id: to.id } },
    })
    receiving = applyBalanceChange(context, receiving, {
      ...shared,
      id: ids.in,
      type: 'POINTS_TRANSFER_IN',
      related_transaction_id: ids.out,
      details: { source_voucher: { id: from.id } },
    }).voucher
  }
  return receiving
}

function expiryOf(body: PointsChange, card: StoredVoucher, context: Context): string | null {
  const { expiration_type, expiration_date, points } = body
  // ASSUMED A254: a date without a type is a CUSTOM_DATE; a type that contradicts the date is refused.
  const type = expiration_type ?? (expiration_date === undefined ? 'PROGRAM_RULES' : 'CUSTOM_DATE')
  if (type !== 'CUSTOM_DATE' && expiration_date !== undefined)
    throw invalidPayload(`Property .expiration_date must NOT be sent with expiration_type ${type}`)
  if (points < 0 && (expiration_type !== undefined || expiration_date !== undefined))
    throw invalidPayload('Property .expiration_type must NOT be sent with negative points')
  if (type === 'PROGRAM_RULES') return lastInstantOf(card, context)
  if (type === 'NON_EXPIRING') return null
  if (expiration_date === undefined) throw invalidPayload("Payload must have required property 'expiration_date'")
  const instant = lastInstantAt(expiration_date, context)
  if (instant < context.now) throw refused('invalid_expiration_date', 'Expiration date cannot be set in the past')
  return instant
}

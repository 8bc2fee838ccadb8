// The only function that changes a gift or loyalty card: counters, transaction and events are stored together.
import { campaignOf } from '../../answers/campaign-facts.ts'
import { holderAnswer } from '../../answers/customers.ts'
import { loyaltyTierAnswer, memberTierAnswer, namedTier, scheduleTier, tierOf } from '../../answers/loyalty.ts'
import { voucherAnswer } from '../../answers/vouchers.ts'
import { Refusal, refused } from '../../http/refusal.ts'
import type { Context } from '../../http/route.ts'
import {
  type BalanceDetails,
  type CardTransaction,
  cardOf,
  type Movement,
  move,
  type TransactionType,
  withCard,
} from '../../rules/balances/balance.ts'
import { loyaltyTiers } from '../../stores/loyalty.ts'
import { type StoredVoucher, vouchers } from '../../stores/vouchers.ts'
import { applyToBuckets, bucketAnswer, expireBuckets } from './buckets.ts'
import { lastInstantOf, withNextDue } from './next-due.ts'
import { scheduleAutomaticReward } from './rewards.ts'
import { transactionsOf } from './transactions.ts'

/** A change to a card. `id` is generated unless two transactions must know each other's id beforehand. */
export interface BalanceChange extends Movement {
  id?: string
  /** The last instant of added points, null for never; by the rules of the program when it is absent. */
  expires_at?: string | null
}

export interface AppliedChange {
  /** As it is stored now. */
  voucher: StoredVoucher
  transaction: CardTransaction
}

/**
 * Changes the balance of a gift or loyalty card, stores the card and its transaction, and records the events.
 *
 * `voucher` must be the current stored voucher; other changes the caller made to it are stored too. Throws 400:
 * `invalid_amount`, `gift_amount_exceeded`, `loyalty_card_points_exceeded`, `invalid_voucher` for a discount code.
 * Records `voucher.loyalty_card.transaction.created` (or `voucher.gift.…`), and for manual additions
 * `voucher.loyalty_card.points_added` (`voucher.gift.balance_added`).
 */
export function applyBalanceChange(context: Context, voucher: StoredVoucher, change: BalanceChange): AppliedChange {
  const card = cardOf(voucher)
  if (!card || voucher.type === 'DISCOUNT_VOUCHER')
    throw refused('invalid_voucher', 'Only gift and loyalty cards have a balance')
  const collection = transactionsOf(voucher.type)
  const { id = context.id(collection.prefix), expires_at = lastInstantOf(voucher, context), ...movement } = change
  const told = { ...movement, ...(voucher.tier && { details: withHolderTier(movement.details, voucher, context) }) }
  const moved = move(card, told, { id, now: context.now })
  if ('refusal' in moved) throw new Refusal(moved.refusal)

  const counted = { ...withCard(voucher, moved.card), updated_at: context.now }
  const isLoyalty = voucher.type === 'LOYALTY_CARD'
  const changed = isLoyalty
    ? withNextDue(applyToBuckets(counted, moved.transaction, expires_at, context), context)
    : counted
  context.in(vouchers).update(changed)
  context.in(collection).insert(moved.transaction)
  recordEvent(changed, moved.transaction, context)
  if (isLoyalty) {
    if (earning.has(moved.transaction.type)) scheduleAutomaticReward(changed, context)
    scheduleTier(changed, context)
  }
  return { voucher: changed, transaction: moved.transaction }
}

function recordEvent(stored: StoredVoucher, transaction: CardTransaction, context: Context): void {
  const voucher = voucherAnswer(stored, context)
  const holder = holderAnswer(stored, context)
  const balance: BalanceDetails = transaction.details.balance
  const about = { voucher, ...campaignOf(stored, context), balance, transaction }
  const held = memberTierAnswer(stored, context)
  const isLoyalty = stored.type === 'LOYALTY_CARD'
  const family = isLoyalty ? 'voucher.loyalty_card' : 'voucher.gift'
  context.emit(`${family}.transaction.created`, stored.id, {
    ...(isLoyalty && { ...causesOf(transaction), ...tiersOf(transaction, held, context) }),
    ...about,
    ...(holder && { holder }),
  })
  // ASSUMED A220: only manual additions are announced as an addition; rules, refunds and transfers have events of their own.
  const isByHand = balance.operation_type === 'MANUAL'
  if (isByHand && (transaction.type === 'POINTS_ADDITION' || transaction.type === 'CREDITS_ADDITION')) {
    const name = isLoyalty ? 'points_added' : 'balance_added'
    context.emit(`${family}.${name}`, stored.id, {
      ...about,
      ...(holder && { customer: holder }),
      ...(held && { holder_loyalty_tier: held }),
    })
  }
}

/** What a member's tier is decided by first: points that a reward may take by itself. */
const earning: ReadonlySet<TransactionType> = new Set(['POINTS_ACCRUAL', 'PENDING_POINTS_ACTIVATION'])

function withHolderTier(details: Record<string, unknown> | undefined, card: StoredVoucher, context: Context) {
  const tier = namedTier(tierOf(card, context))
  return { ...details, ...(tier && { holder_loyalty_tier: tier }) }
}

/** The tier whose mapping was used, and that of the holder, both in full. */
function tiersOf({ details }: CardTransaction, held: MemberTier, context: Context) {
  const { loyalty_tier: used } = details as { loyalty_tier?: { id: string } }
  const tier = used && context.in(loyaltyTiers).get(used.id)
  const shown = tier && (held?.id === tier.id ? held : loyaltyTierAnswer(tier))
  return { loyalty_tier: shown ?? null, holder_loyalty_tier: held ?? null }
}

type MemberTier = ReturnType<typeof memberTierAnswer>

const causes = [
  'order',
  'event',
  'earning_rule',
  'segment',
  'redemption',
  'rollback',
  'custom_event',
  'event_schema',
  'reward',
  'source_voucher',
  'destination_voucher',
] as const

/** What a change of points came from: every possible cause, null where it is another one. */
function causesOf({ details }: CardTransaction): Record<string, unknown> {
  const told = details as Record<string, unknown>
  return Object.fromEntries(causes.map((name) => [name, told[name] ?? null]))
}

// Removes expired points from a card.
// Source: docs/service/pricing.md#expiring-points; docs/service/loyalty.md#points-expiry.

/**
 * Removes the expired points of a card as one `POINTS_EXPIRATION`; returns the card after that.
 *
 * Records `voucher.loyalty_card.points_expired` in addition to the events of every change.
 */
export function expireCard(card: StoredVoucher, context: Context): StoredVoucher {
  const { expired, buckets } = expireBuckets(card.id, context)
  // Points spent before their expiry have left the bucket, so a card always has the points that expire.
  if (expired === 0) return card
  const { voucher, transaction } = applyBalanceChange(context, card, {
    type: 'POINTS_EXPIRATION',
    units: expired,
    source: 'Automation',
  })
  const { balance } = transaction.details
  const customer = holderAnswer(voucher, context)
  const tier = memberTierAnswer(voucher, context)
  context.emit('voucher.loyalty_card.points_expired', card.id, {
    voucher: voucherAnswer(voucher, context),
    ...campaignOf(card, context),
    ...(customer && { customer }),
    ...(tier && { holder_loyalty_tier: tier }),
    points: expired,
    buckets: buckets.map((bucket) => bucketAnswer(bucket, context)),
    balance,
    transaction,
  })
  return voucher
}

// What becomes of pending points: added for an order, adjusted, activated, canceled.
// Source: docs/service/pending-points.md.

import { campaignOf } from '../../answers/campaign-facts.ts'
import { holderAnswer } from '../../answers/customers.ts'
import { orderShown } from '../../answers/orders.ts'
import { voucherAnswer } from '../../answers/vouchers.ts'
import { refused } from '../../http/refusal.ts'
import type { Context } from '../../http/route.ts'
import { addToDay, dayAt } from '../../rules/calendar/day.ts'
import { earningRules, pendingPoints, type StoredPendingPoints } from '../../stores/loyalty.ts'
import { orders } from '../../stores/orders.ts'
import { type StoredVoucher, vouchers } from '../../stores/vouchers.ts'
import { applyBalanceChange } from './balance.ts'
import { lastInstantOf, withNextDue, withPending } from './next-due.ts'

/** The sum of the pending points of a card after a change of them. */
export interface PendingBalance {
  points: number
  total: number
  object: 'balance'
  related_object: { id: string; type: 'voucher' }
  operation_type: 'MANUAL' | 'AUTOMATIC'
}

/** Shows pending points; whether they still are is told by the lists alone. */
export function pendingAnswer({ status: _, ...entry }: StoredPendingPoints) {
  return entry
}

/** Stores points that become active after some days, and shows their sum on the card. Returns the card. */
export function addPending(
  card: StoredVoucher,
  earned: { points: number; days: number; details: StoredPendingPoints['details'] },
  context: Context,
): StoredVoucher {
  const { points, days, details } = earned
  const entry: StoredPendingPoints = {
    id: context.id(pendingPoints.prefix),
    voucher_id: card.id,
    campaign_id: card.campaign_id ?? '',
    customer_id: card.holder_id,
    order_id: details.order.id,
    points,
    // ASSUMED A1780: the days count from that of the order in the project's time zone.
    activates_at: addToDay(dayAt(context.now, context.project.timezone), { days }),
    status: 'PENDING',
    details,
    created_at: context.now,
    updated_at: null,
  }
  context.in(pendingPoints).insert(entry)
  const changed = storeCard(card, points, context)
  tell('added', entry, changed, { balance: balanceOf(changed, points, 'AUTOMATIC') }, context)
  return changed
}

/** Adds to pending points or takes from them. Throws 400 for none left, and for points that are no longer pending. */
export function adjust(entry: StoredPendingPoints, card: StoredVoucher, by: number, context: Context): PendingBalance {
  mustBePending(entry, 'updated')
  const points = entry.points + by
  if (by === 0 || points <= 0) throw refused('invalid_amount', `Pending points ${entry.id} must stay above 0`)
  const changed = storeCard(card, by, context)
  const balance = balanceOf(changed, by, 'MANUAL')
  tell('updated', storeEntry({ ...entry, points }, context), changed, { balance }, context)
  return balance
}

/** Takes pending points away. Throws 400 for points that are no longer pending. */
export function cancel(entry: StoredPendingPoints, card: StoredVoucher, context: Context): void {
  mustBePending(entry, 'canceled')
  const changed = storeCard(card, -entry.points, context)
  const canceled = storeEntry({ ...entry, status: 'CANCELED' }, context)
  tell('canceled', canceled, changed, { balance: balanceOf(changed, -entry.points, 'MANUAL') }, context)
}

/** Puts pending points onto the card. Returns it with its balance. Throws 400 for points that are no longer pending. */
export function activate(
  entry: StoredPendingPoints,
  card: StoredVoucher,
  operation_type: 'MANUAL' | 'AUTOMATIC',
  context: Context,
) {
  mustBePending(entry, 'activated')
  const activated = storeEntry({ ...entry, status: 'ACTIVATED' }, context)
  // ASSUMED A1781: neither a disabled program nor a deleted rule stops points that were earned before.
  const { voucher, transaction } = applyBalanceChange(context, withPending(card, -entry.points), {
    type: 'PENDING_POINTS_ACTIVATION',
    units: entry.points,
    source: operation_type === 'MANUAL' ? null : 'Automation',
    operation_type,
    expires_at: lastInstantOf(card, context, ruleOf(entry, context)?.expiration_rules),
    details: { ...entry.details, pending_points: pendingAnswer(activated) },
  })
  const { balance } = transaction.details
  tell('activated', activated, voucher, { balance, transaction }, context)
  return { voucher, balance }
}

/** The rule that gave the points; undefined when it was deleted. */
function ruleOf({ details }: StoredPendingPoints, context: Context) {
  const { earning_rule } = details as { earning_rule?: { id: string } }
  return earning_rule && context.in(earningRules).get(earning_rule.id)
}

function storeCard(card: StoredVoucher, change: number, context: Context): StoredVoucher {
  const changed = withNextDue({ ...withPending(card, change), updated_at: context.now }, context)
  context.in(vouchers).update(changed)
  return changed
}

function storeEntry(entry: StoredPendingPoints, context: Context): StoredPendingPoints {
  const changed = { ...entry, updated_at: context.now }
  context.in(pendingPoints).update(changed)
  return changed
}

function mustBePending({ id, status }: StoredPendingPoints, action: 'activated' | 'updated' | 'canceled'): void {
  if (status === 'PENDING') return
  throw refused('invalid_pending_points_state', `Pending points ${id} cannot be ${action}: their status is ${status}`)
}

function balanceOf(
  { id, loyalty_card }: StoredVoucher,
  points: number,
  operation_type: PendingBalance['operation_type'],
): PendingBalance {
  const total = loyalty_card?.pending_points ?? 0
  return { points, total, object: 'balance', related_object: { id, type: 'voucher' }, operation_type }
}

/** Announces a change twice: to webhooks as one of the card, and in the activity as one of the customer. */
function tell(
  what: 'added' | 'updated' | 'canceled' | 'activated',
  entry: StoredPendingPoints,
  card: StoredVoucher,
  { balance, transaction }: { balance: object; transaction?: object },
  context: Context,
): void {
  const order = context.in(orders).get(entry.order_id)
  const data = {
    customer: holderAnswer(card, context) ?? null,
    ...campaignOf(card, context),
    voucher: voucherAnswer(card, context),
    ...(transaction ? { balance, transaction } : { voucher_pending_points_balance: balance }),
    order: order ? orderShown(order) : null,
    pending_points: pendingAnswer(entry),
  }
  context.emit(`voucher.loyalty_card.pending_points.${what}`, card.id, data)
  context.emit(`customer.voucher.loyalty_card.pending_points.${what}`, card.holder_id ?? card.id, data)
}

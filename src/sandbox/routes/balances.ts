// Balances of gift and loyalty cards: manual changes, and the transactions.
// Source: docs/service/vouchers.md#balance; docs/service/loyalty.md#list-transactions; docs/service/loyalty.md#list-transactions-of-a-card.

import { z } from 'zod'
import { ownValue } from '../../base/record.ts'
import { listCampaignTransactions } from '../../contract/campaigns.ts'
import * as contract from '../../contract/loyalty.ts'
import * as pending from '../../contract/pending-points.ts'
import { changeVoucherBalance, listVoucherTransactions } from '../../contract/voucher-transactions.ts'
import { existingPart, findOr404, routesOf } from '../answers/existing.ts'
import { findCard, findLoyaltyProgram } from '../answers/loyalty.ts'
import { checkWire } from '../http/check-input.ts'
import { identityOf } from '../http/fixture-object.ts'
import { notFound, refused } from '../http/refusal.ts'
import {
  type Context,
  type CursorQuery,
  cursorAnswer,
  type FixtureContext,
  type Resource,
  route,
} from '../http/route.ts'
import { applyBalanceChange, expireCard } from '../resources/loyalty/balance.ts'
import { changeable } from '../resources/loyalty/cards.ts'
import { isPending, withNextDue, withPending } from '../resources/loyalty/next-due.ts'
import { activate, adjust, cancel, pendingAnswer } from '../resources/loyalty/pending-points.ts'
import {
  noTransactions,
  transactionLoader,
  transactionPage,
  transactionsOf,
} from '../resources/loyalty/transactions.ts'
import { adjustment } from '../rules/balances/balance.ts'
import { startOfDay } from '../rules/calendar/day.ts'
import { type Condition, is } from '../storage/conditions.ts'
import { campaigns } from '../stores/campaigns.ts'
import { pendingPoints, type StoredPendingPoints } from '../stores/loyalty.ts'
import { giftTransactions, loyaltyTransactions } from '../stores/transactions.ts'
import { vouchers } from '../stores/vouchers.ts'

/** Balances of cards, by code or id, and transactions of cards and of entire campaigns. */
export const balanceResource: Resource = {
  collections: [giftTransactions],
  load: { gift_transactions: transactionLoader('GIFT_VOUCHER') },
  routes: [
    route(changeVoucherBalance, ({ path, body }, context) => {
      const named = findOr404(vouchers, path.code, context)
      // ASSUMED A221: the key of this refusal is not published.
      if (named.type === 'DISCOUNT_VOUCHER')
        throw refused('invalid_add_balance_params', 'Only gift and loyalty cards have a balance')
      const voucher = named.type === 'LOYALTY_CARD' ? expireCard(changeable(named), context) : named
      const { transaction } = applyBalanceChange(context, voucher, {
        ...adjustment(voucher.type === 'LOYALTY_CARD' ? 'POINTS' : 'CREDITS', body.amount),
        source: 'API',
        reason: body.reason ?? null,
        source_id: body.source_id ?? null,
      })
      const { balance } = transaction.details
      return { ...balance, amount: balance.amount ?? balance.points }
    }),
    route(listVoucherTransactions, ({ path, query }, context) => {
      const voucher = findOr404(vouchers, path.code, context)
      // ASSUMED A223: a discount code has no transactions, so the list is empty.
      const { type } = voucher
      const collection = transactionsOf(type === 'DISCOUNT_VOUCHER' ? 'GIFT_VOUCHER' : type)
      return transactionPage(collection, [is(collection, 'voucher_id', voucher.id)], query, context)
    }),
    route(listCampaignTransactions, ({ path, query }, context) => {
      const campaign = findOr404(campaigns, path.campaignId, context)
      const type = ownValue(cardsOf, campaign.campaign_type)
      if (!type) return noTransactions()
      const collection = transactionsOf(type)
      return transactionPage(collection, [is(collection, 'campaign_id', campaign.id)], query, context)
    }),
  ],
}

const cardsOf: Partial<Record<string, 'LOYALTY_CARD' | 'GIFT_VOUCHER'>> = {
  LOYALTY_PROGRAM: 'LOYALTY_CARD',
  GIFT_VOUCHERS: 'GIFT_VOUCHER',
}

/** The listings of point transactions, newest first unless requested otherwise. */
export const loyaltyTransactionResource: Resource = {
  collections: [loyaltyTransactions],
  load: { loyalty_transactions: transactionLoader('LOYALTY_CARD') },
  routes: [
    route(contract.listLoyaltyTransactions, ({ path, query }, context) => {
      const campaign = findOr404(campaigns, path.campaignId, context)
      if (campaign.campaign_type !== 'LOYALTY_PROGRAM') return noTransactions()
      return transactionPage(loyaltyTransactions, [is(loyaltyTransactions, 'campaign_id', campaign.id)], query, context)
    }),
    ...routesOf(findCard)(
      [contract.listCardTransactions, contract.listCampaignCardTransactions],
      ({ id }, context, { query }) =>
        transactionPage(loyaltyTransactions, [is(loyaltyTransactions, 'voucher_id', id)], query, context),
    ),
  ],
}

// Pending points of programs and cards. Source: docs/service/pending-points.md#calls.

const about = routesOf((path: { memberId: string; pendingPointsId: string; campaignId?: string }, context) => {
  const card = findCard(path, context)
  return { card, entry: existingPart(pendingPoints, path.pendingPointsId, { voucher_id: card.id }, context) }
})

/** Pending points by id, below their card. */
export const pendingPointsResource: Resource = {
  collections: [pendingPoints],
  load: { pending_points: loadPendingPoints },
  routes: [
    route(pending.listPendingPoints, ({ path, query }, context) =>
      listPending(is(pendingPoints, 'campaign_id', findLoyaltyProgram(path.campaignId, context).id), query, context),
    ),
    ...routesOf(findCard)(
      [pending.listMemberPendingPoints, pending.listCampaignMemberPendingPoints],
      ({ id }, context, { query }) => listPending(is(pendingPoints, 'voucher_id', id), query, context),
    ),
    ...about(
      [pending.activatePendingPoints, pending.activateCampaignPendingPoints],
      ({ entry, card }, context) => activate(entry, expireCard(card, context), 'MANUAL', context).balance,
    ),
    ...about([pending.adjustPendingPoints, pending.adjustCampaignPendingPoints], ({ entry, card }, context, { body }) =>
      adjust(entry, card, body.points, context),
    ),
    ...about([pending.cancelPendingPoints, pending.cancelCampaignPendingPoints], ({ entry, card }, context) =>
      cancel(entry, card, context),
    ),
  ],
}

// ASSUMED A1782: newest first unless ordered, as transactions are.
function listPending(owner: Condition, query: CursorQuery, context: Context) {
  const show = (items: StoredPendingPoints[]) => items.map(pendingAnswer)
  return cursorAnswer(pendingPoints, query, context, { where: [owner, isPending], show, isCounted: false })
}

const wirePending = z.looseObject({
  voucher_id: z.string().min(1),
  order_id: z.string().min(1),
  points: z.int().min(1),
  activates_at: z.iso.date(),
  details: z.looseObject({}).optional(),
})

/** Reads pending points. Throws a refusal that names the problem. */
function loadPendingPoints(wire: Record<string, unknown>, loading: FixtureContext): StoredPendingPoints {
  const given = checkWire(wirePending, wire)
  const card = loading.in(vouchers).get(given.voucher_id)
  if (card?.type !== 'LOYALTY_CARD') throw notFound('voucher', given.voucher_id)
  const { order_id, points, activates_at, details } = given
  const entry: StoredPendingPoints = {
    ...identityOf(pendingPoints, wire, loading),
    voucher_id: card.id,
    campaign_id: card.campaign_id ?? '',
    customer_id: card.holder_id,
    order_id,
    points,
    activates_at,
    status: 'PENDING',
    details: { order: { id: order_id, source_id: null }, ...details },
  }
  const shown = withPending(card, points)
  loading.in(vouchers).update(withNextDue(shown, loading, startOfDay(activates_at, loading.project.timezone)))
  return entry
}

// Balances of gift and loyalty cards: manual changes, and the transactions.
// Source: docs/service/vouchers.md#balance; docs/service/loyalty.md#list-transactions; docs/service/loyalty.md#list-transactions-of-a-card.
import { ownValue } from '../../base/record.ts'
import { listCampaignTransactions } from '../../contract/campaigns.ts'
import * as contract from '../../contract/loyalty.ts'
import { changeVoucherBalance, listVoucherTransactions } from '../../contract/voucher-transactions.ts'
import { findOr404, routesOf } from '../answers/existing.ts'
import { findCard } from '../answers/loyalty-programs.ts'
import { refused } from '../http/refusal.ts'
import { type Resource, route } from '../http/route.ts'
import { applyBalanceChange } from '../resources/loyalty/balance.ts'
import { changeable } from '../resources/loyalty/cards.ts'
import { expireCard } from '../resources/loyalty/expire.ts'
import {
  noTransactions,
  transactionLoader,
  transactionPage,
  transactionsOf,
} from '../resources/loyalty/transactions.ts'
import { adjustment } from '../rules/balances/balance.ts'
import { is } from '../storage/conditions.ts'
import { campaigns } from '../stores/campaigns.ts'
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

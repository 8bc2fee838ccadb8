// Transactions of points: of a program, of a card.
// Source: docs/service/loyalty.md#list-transactions; docs/service/loyalty.md#list-transactions-of-a-card.
import * as contract from '../../../contract/loyalty.ts'
import type { Resource } from '../../http/resource.ts'
import { ok, route } from '../../http/route.ts'
import { is } from '../../storage/conditions.ts'
import { transactionLoader } from '../balances/load.ts'
import { transactionPage } from '../balances/transactions.ts'
import { campaigns } from '../campaigns/store.ts'
import { existing, routesOf } from '../existing.ts'
import { findCard } from './program.ts'
import { loyaltyTransactions } from './transaction-store.ts'

/** The listings of point transactions, newest first unless requested otherwise. */
export const loyaltyTransactionResource: Resource = {
  collections: [loyaltyTransactions],
  load: { loyalty_transactions: transactionLoader('LOYALTY_CARD') },
  routes: [
    route(contract.listLoyaltyTransactions, ({ path, query }, context) => {
      const campaign = existing(campaigns, path.campaignId, context)
      // The published answer for a campaign of another kind, including the missing `has_more`.
      if (campaign.campaign_type !== 'LOYALTY_PROGRAM')
        return ok({ object: 'list', data_ref: 'data', data: [], total: 0 })
      return transactionPage(loyaltyTransactions, [is(loyaltyTransactions, 'campaign_id', campaign.id)], query, context)
    }),
    ...routesOf(findCard)(
      [contract.listCardTransactions, contract.listCampaignCardTransactions],
      ({ id }, context, { query }) =>
        transactionPage(loyaltyTransactions, [is(loyaltyTransactions, 'voucher_id', id)], query, context),
    ),
  ],
}

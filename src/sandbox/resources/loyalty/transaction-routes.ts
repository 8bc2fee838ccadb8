// Transactions of points: of a program, of a card.
// Source: docs/service/loyalty.md#list-transactions; docs/service/loyalty.md#list-transactions-of-a-card.
import type { z } from 'zod'
import * as contract from '../../../contract/loyalty.ts'
import type { Resource } from '../../http/resource.ts'
import { type Answer, type Context, ok, route } from '../../http/route.ts'
import { type Condition, is } from '../../storage/conditions.ts'
import { compileFilters } from '../../storage/filters.ts'
import { transactionLoader } from '../balances/load.ts'
import { transactionPage } from '../balances/transactions.ts'
import { campaigns } from '../campaigns/store.ts'
import { existing } from '../existing.ts'
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
      return listed(is(loyaltyTransactions, 'campaign_id', campaign.id), query, context)
    }),
    ...[contract.listCardTransactions, contract.listCampaignCardTransactions].map((endpoint) =>
      route(endpoint, ({ path, query }, context) =>
        listed(is(loyaltyTransactions, 'voucher_id', findCard(path, context).id), query, context),
      ),
    ),
  ],
}

type Listing = z.output<NonNullable<(typeof contract.listLoyaltyTransactions)['query']>>

function listed(owner: Condition, query: Listing, context: Context): Answer {
  const filters = query.filters ? [compileFilters(loyaltyTransactions, query.filters, context.now)] : []
  return transactionPage(loyaltyTransactions, [owner, ...filters], query, context)
}

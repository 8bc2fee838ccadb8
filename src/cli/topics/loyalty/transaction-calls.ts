// Listing point transactions of a campaign, of a card, or of a campaign's card. Each has a call of its own.
import type { Endpoint } from '../../../contract/endpoint.ts'
import {
  listCampaignCardTransactions,
  listCardTransactions,
  listLoyaltyTransactions,
} from '../../../contract/loyalty.ts'
import { usageError } from '../../../errors.ts'

/** The calls that `transactionCall` chooses from. */
export const transactionCalls = [listLoyaltyTransactions, listCardTransactions, listCampaignCardTransactions]

/** Whose transactions. */
export interface TransactionOwner {
  /** The id or the name of a loyalty campaign. */
  campaign?: string | undefined
  /** The code or the id of a card. */
  card?: string | undefined
}

/** A listing call of transactions as data. */
export interface TransactionCall {
  endpoint: Endpoint
  request: { path: Record<string, string>; query: TransactionQuery }
}

/** What the service itself orders and filters by. */
export interface TransactionQuery {
  order: 'id' | '-id'
  filters?: Record<string, unknown>
}

/** Chooses the call that lists the transactions asked for. Throws `usage` when neither campaign nor card is named. */
export function transactionCall({ campaign, card }: TransactionOwner, query: TransactionQuery): TransactionCall {
  if (campaign !== undefined && card !== undefined) {
    return {
      endpoint: listCampaignCardTransactions,
      request: { path: { campaignId: campaign, memberId: card }, query },
    }
  }
  if (card !== undefined) return { endpoint: listCardTransactions, request: { path: { memberId: card }, query } }
  if (campaign !== undefined) {
    return { endpoint: listLoyaltyTransactions, request: { path: { campaignId: campaign }, query } }
  }
  throw usageError('name a loyalty campaign, or a card with --card CODE', 'promo loyalty transactions list "Bean Club"')
}

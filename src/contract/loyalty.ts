// The transactions of loyalty cards.
// Source: docs/service/loyalty.md#transaction; docs/service/loyalty.md#list-transactions; docs/service/exports.md#export-card-transactions.
import { z } from 'zod'
import { filteredListing } from './calls-about.ts'
import { endpoint } from './endpoint.ts'
import { transactionsExport } from './exports.ts'

/** The kinds of loyalty transaction known so far; an unknown one is shown in the same way. */
export const loyaltyTransactionTypes = [
  'POINTS_ACCRUAL',
  'POINTS_REDEMPTION',
  'POINTS_REFUND',
  'POINTS_ADDITION',
  'POINTS_REMOVAL',
  'POINTS_EXPIRATION',
  'POINTS_TRANSFER_IN',
  'POINTS_TRANSFER_OUT',
  'PENDING_POINTS_ACTIVATION',
] as const

/** One change of a card. `points` is signed, `balance` is the balance after it; gift cards have `amount` instead. */
export const transaction = z.looseObject({
  id: z.string(),
  voucher_id: z.string().nullish(),
  type: z.string().nullish(),
  details: z
    .looseObject({
      balance: z
        .looseObject({ points: z.int().nullish(), amount: z.int().nullish(), balance: z.int().nullish() })
        .nullish(),
    })
    .nullish(),
  created_at: z.string().optional(),
})

export type Transaction = z.output<typeof transaction>

/** Lists the point transactions of all cards of a campaign, by campaign id or name. */
export const listLoyaltyTransactions = endpoint('loyalty.transactions.list', 'List loyalty campaign transactions', {
  ...filteredListing,
  call: 'GET /v1/loyalties/{campaignId}/transactions',
  hasFixedQuery: true,
  source: 'docs/service/loyalty.md#list-transactions',
})

/** Declares the calls about the transactions of one card, below a path. */
function transactionsOf<const Path extends string>(id: string, path: Path, card: string) {
  return {
    list: endpoint(`${id}.list`, `List the transactions of ${card}`, {
      ...filteredListing,
      call: `GET ${path}/transactions`,
      source: 'docs/service/loyalty.md#list-transactions-of-a-card',
    }),
    export: transactionsExport(
      `${id}.export`,
      path,
      'docs/service/exports.md#export-card-transactions',
      `Export the transactions of ${card}`,
    ),
  }
}

/** Lists the transactions of one card, and starts an export of them. */
export const { list: listCardTransactions, export: exportCardTransactions } = transactionsOf(
  'loyalty.card-transactions',
  '/v1/loyalties/members/{memberId}',
  'a loyalty card',
)

/** The same of a card that must belong to the campaign. */
export const { list: listCampaignCardTransactions, export: exportCampaignCardTransactions } = transactionsOf(
  'loyalty.campaign-card-transactions',
  '/v1/loyalties/{campaignId}/members/{memberId}',
  "a campaign's loyalty card",
)

/** Starts an export of the transactions of all cards of a campaign. */
export const exportLoyaltyTransactions = transactionsExport(
  'loyalty.transactions.export',
  '/v1/loyalties/{campaignId}',
  'docs/service/loyalty.md#export-transactions',
  'Export loyalty campaign transactions',
)

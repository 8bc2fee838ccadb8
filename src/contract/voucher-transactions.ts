// What happened to the credits or points of one voucher. Source: docs/service/vouchers.md#transactions.
import { z } from 'zod'
import { cursorListing } from './calls-about.ts'
import { endpoint } from './endpoint.ts'
import { transactionsExport } from './exports.ts'

/** Adds credits (in the smallest currency unit) or points to a voucher, or subtracts them with a negative number. */
export const changeVoucherBalance = endpoint('vouchers.balance', 'Add or take credits of a voucher', {
  call: 'POST /v1/vouchers/{code}/balance',
  body: z.strictObject({
    amount: z.int(),
    source_id: z.string().optional(),
    reason: z.string().optional(),
  }),
  response: z.looseObject({ object: z.literal('balance'), balance: z.int(), amount: z.int().optional() }),
  repeat: 'once',
  proof: {
    by: 'source',
    read: { call: () => listVoucherTransactions },
    id: 'body.source_id',
    since: 'newest',
    size: { asked: 'body.amount', listed: ['details.balance.points', 'details.balance.amount'] },
    made: 'transaction_id',
  },
  confirm: 'costly',
  source: 'docs/service/vouchers.md#balance',
})

/** Lists the transactions of one gift or loyalty card. */
export const listVoucherTransactions = endpoint('vouchers.transactions.list', 'List the transactions of a voucher', {
  ...cursorListing,
  call: 'GET /v1/vouchers/{code}/transactions',
  source: 'docs/service/vouchers.md#transactions',
})

/** Starts an export of the transactions of one gift or loyalty card. */
export const exportVoucherTransactions = transactionsExport(
  'vouchers.transactions.export',
  '/v1/vouchers/{code}',
  'docs/service/vouchers.md#transactions',
  'Export the transactions of a voucher',
)

// The columns of point transactions. Source: docs/service/loyalty.md#transaction.
import { transaction } from '../../contract/answers/vouchers.ts'
import type { ColumnSet } from '../column.ts'
import { columnsFrom, columnsOf } from '../columns-of.ts'

/** Changes to the points of cards: the change, the balance after it, and the reason. Points are whole numbers. */
export const transactionColumns = columnsOf(transaction, {
  first: {
    created_at: true,
    voucher_id: 'card',
    'details.balance.points': 'points',
    'details.balance.balance': 'balance',
    type: true,
    'details.balance.operation_type': 'operation',
    reason: true,
    source: true,
    'details.balance.related_object.type': 'related',
    'details.balance.related_object.id': 'related_id',
    id: true,
  },
  kinds: { type: 'state', reason: 'reason' },
})

/** Changes to the credit of gift cards, in the smallest currency unit; `for`, composed by promo, is the order or the reason of a change. */
export const creditTransactionColumns = columnsOf(transaction, {
  first: {
    created_at: true,
    'details.balance.amount': 'amount',
    'details.balance.points': 'points',
    'details.balance.balance': 'balance',
    type: true,
    for: true,
    'details.order.source_id': false,
    'details.redemption.id': 'redemption',
    reason: false,
    id: true,
  },
  told: ['for'],
  stays: ['created_at', 'details.balance.amount', 'details.balance.points', 'details.balance.balance', 'type', 'for'],
  kinds: {
    type: 'state',
    for: 'reason',
    reason: 'reason',
    'details.order.source_id': 'identifier',
    'details.redemption.id': 'identifier',
  },
})

/** Where a running balance breaks: the value that follows from the previous transaction, and the value found. */
export const brokenBalanceColumns: ColumnSet = {
  closed: true,
  columns: [
    { name: 'voucher_id', kind: 'identifier', label: 'card' },
    { name: 'transaction_id', kind: 'identifier', label: 'transaction' },
    ...columnsFrom('created_at:time balance_before:number points:number expected:number found:number'),
  ],
}

// The columns of point transactions. Source: docs/service/loyalty.md#transaction.
import type { ColumnSet } from '../column.ts'

/** Changes to the points of cards: the change, the balance after it, and the reason. Points are whole numbers. */
export const transactionColumns: ColumnSet = {
  columns: [
    { name: 'created_at', kind: 'time', inTable: true },
    { name: 'voucher_id', kind: 'identifier', label: 'card', inTable: true },
    { name: 'details.balance.points', kind: 'number', label: 'points', inTable: true },
    { name: 'details.balance.balance', kind: 'number', label: 'balance', inTable: true },
    { name: 'details.balance.total', kind: 'number', label: 'total' },
    { name: 'type', kind: 'state', inTable: true },
    { name: 'details.balance.operation_type', kind: 'text', label: 'operation', inTable: true },
    { name: 'reason', kind: 'reason', inTable: true },
    { name: 'source', kind: 'text', inTable: true },
    { name: 'details.balance.related_object.type', kind: 'text', label: 'related', inTable: true },
    { name: 'details.balance.related_object.id', kind: 'identifier', label: 'related_id', inTable: true },
    { name: 'id', kind: 'identifier', inTable: true },
    { name: 'campaign_id', kind: 'identifier' },
    { name: 'source_id', kind: 'identifier' },
    { name: 'related_transaction_id', kind: 'identifier' },
    { name: 'details.redemption.id', kind: 'identifier' },
    { name: 'details.rollback.id', kind: 'identifier' },
    { name: 'details.reward.id', kind: 'identifier' },
    { name: 'details.reward.name', kind: 'text' },
    { name: 'details.order.id', kind: 'identifier' },
    { name: 'details.order.source_id', kind: 'identifier' },
    { name: 'details.event.id', kind: 'identifier' },
    { name: 'details.event.type', kind: 'text' },
    { name: 'details.earning_rule.id', kind: 'identifier' },
    { name: 'details.balance.type', kind: 'text' },
    { name: 'details.balance.object', kind: 'text' },
  ],
}

/** Where a running balance breaks: the value that follows from the previous transaction, and the value found. */
export const brokenBalanceColumns: ColumnSet = {
  closed: true,
  columns: [
    { name: 'voucher_id', kind: 'identifier', label: 'card' },
    { name: 'transaction_id', kind: 'identifier', label: 'transaction' },
    { name: 'created_at', kind: 'time' },
    { name: 'balance_before', kind: 'number' },
    { name: 'points', kind: 'number' },
    { name: 'expected', kind: 'number' },
    { name: 'found', kind: 'number' },
  ],
}

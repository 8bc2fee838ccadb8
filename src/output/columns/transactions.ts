// The columns of point transactions. Source: docs/service/loyalty.md#transaction.
import { transaction } from '../../contract/answers/vouchers.ts'
import { columnSet, columnsOf } from '../columns-of.ts'

/** Changes to the points of cards: the change, the balance after it, and the reason. Points are whole numbers. */
export const transactionColumns = columnsOf(transaction, {
  first: `
    created_at* voucher_id=card* details.balance.points=points* details.balance.balance=balance* type:state*
    details.balance.operation_type=operation* reason:reason* source* details.balance.related_object.type=related*
    details.balance.related_object.id=related_id* id*
  `,
})

/** Changes to the credit of gift cards, in the smallest currency unit; `for`, composed by promo, is the order or the reason of a change. */
export const creditTransactionColumns = columnsOf(transaction, {
  first: `
    created_at! details.balance.amount=amount! details.balance.points=points! details.balance.balance=balance!
    type:state! for:reason!? details.order.source_id:identifier details.redemption.id=redemption:identifier*
    reason:reason id*
  `,
})

/** Where a running balance breaks: the value that follows from the previous transaction, and the value found. */
export const brokenBalanceColumns = columnSet({
  closed: true,
  columns: `
    voucher_id=card:identifier transaction_id=transaction:identifier created_at:time balance_before:number
    points:number expected:number found:number
  `,
})

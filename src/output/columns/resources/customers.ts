// The columns of customers. Source: docs/service/customers.md#fields.
import { customer } from '../../../contract/answers/customers.ts'
import type { ColumnSet } from '../../column.ts'
import { columnSet, columnsFrom, columnsOf } from '../../columns-of.ts'

/** A customer, with what they redeemed and bought; amounts are in the smallest currency unit, points are whole. */
export const customerColumns = columnsOf(customer, {
  first: 'id* source_id* name* email* summary.orders.total_amount=spent* summary.orders.total_count=orders*',
})

/** What happened to a customer; `about` and `detail` are told of `data`. */
export const activityColumns = columnSet({ columns: 'created_at:time* type* about* detail* id* group_id data source' })

/** The page about a customer on one line: the customer, and the rest as cells of JSON. */
export const overviewColumns: ColumnSet = {
  columns: [
    ...customerColumns.columns.map((column) => ({ ...column, name: `customer.${column.name}` })),
    ...columnsFrom(`
      segments:text holdings:text redemptions:text referrals.referred_by:text referrals.referred:text more:text
      not_shown:text
    `),
  ],
}

// The columns of the holders of a code. Source: docs/service/referrals.md#holders.
import { customerSummary, holder } from '../../contract/answers/customers.ts'
import type { ColumnSet } from '../column.ts'
import { columnsFrom, columnsOf } from '../columns-of.ts'

/** Which customer holds which code, in which role, since when; promo may look up the customer. */
export const holderColumns = columnsOf(holder.extend({ customer: customerSummary.optional() }), {
  first: {
    id: true,
    customer_id: false,
    'customer.name': true,
    'customer.email': true,
    holder_role: true,
    created_at: true,
    metadata: false,
  },
})

/** Who referred whom: one row a customer. */
export const treeColumns: ColumnSet = {
  columns: [
    { name: 'name', kind: 'text', inTable: true },
    { name: 'email', kind: 'text', inTable: true },
    { name: 'code', kind: 'identifier', inTable: true },
    { name: 'created_at', kind: 'time', label: 'since', inTable: true },
    ...columnsFrom(`
      depth:number customer_id:identifier source_id:identifier role:text referrer_id:identifier again:flag
    `),
  ],
}

// The columns of the holders of a code. Source: docs/service/referrals.md#holders.
import { customerSummary, holder } from '../../contract/answers/customers.ts'
import { columnSet, columnsOf } from '../columns-of.ts'

/** Which customer holds which code, in which role, since when; promo may look up the customer. */
export const holderColumns = columnsOf(holder.extend({ customer: customerSummary.optional() }), {
  first: 'id* customer_id customer.name* customer.email* holder_role* created_at* metadata',
})

/** Who referred whom: one row a customer. */
export const treeColumns = columnSet({
  columns: `
    name:text* email:text* code:identifier* created_at=since:time* depth:number customer_id:identifier
    source_id:identifier role:text referrer_id:identifier again:flag
  `,
})

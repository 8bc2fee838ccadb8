// The columns of the holders of a code. Source: docs/service/referrals.md#holders.
import type { ColumnSet } from '../column.ts'

/** Every scalar of a holder: which customer holds which code, in which role, since when. */
export const holderColumns: ColumnSet = {
  columns: [
    { name: 'id', kind: 'identifier', inTable: true },
    { name: 'customer_id', kind: 'identifier', inTable: true },
    { name: 'customer.name', kind: 'text', label: 'name' },
    { name: 'customer.email', kind: 'text', label: 'email' },
    { name: 'holder_role', kind: 'text', inTable: true },
    { name: 'created_at', kind: 'time', inTable: true },
    // One cell of JSON: its names are the customer's own.
    { name: 'metadata', kind: 'text', inTable: true },
    { name: 'redeemable_id', kind: 'identifier' },
    { name: 'redeemable_object', kind: 'text' },
    { name: 'voucher_type', kind: 'text' },
    { name: 'campaign_id', kind: 'identifier' },
    { name: 'campaign_type', kind: 'text' },
    { name: 'object', kind: 'text' },
  ],
}

/** Who referred whom: one row a customer. */
export const treeColumns: ColumnSet = {
  columns: [
    { name: 'name', kind: 'text', label: 'customer', inTable: true },
    { name: 'email', kind: 'text', inTable: true },
    { name: 'code', kind: 'identifier', inTable: true },
    { name: 'created_at', kind: 'time', label: 'since', inTable: true },
    { name: 'depth', kind: 'number' },
    { name: 'customer_id', kind: 'identifier' },
    { name: 'source_id', kind: 'identifier' },
    { name: 'role', kind: 'text' },
    { name: 'referrer_id', kind: 'identifier' },
    { name: 'again', kind: 'flag' },
  ],
}

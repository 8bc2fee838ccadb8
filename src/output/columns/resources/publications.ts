// The columns of publications. Source: docs/service/publications.md#fields.
import type { ColumnSet } from '../../column.ts'

/** A publication: which code went to whom, when and where. */
export const publicationColumns: ColumnSet = {
  columns: [
    { name: 'id', kind: 'identifier' },
    { name: 'created_at', kind: 'time', inTable: true },
    { name: 'customer_id', kind: 'identifier' },
    { name: 'customer.source_id', kind: 'identifier', label: 'customer', inTable: true },
    { name: 'customer.name', kind: 'text' },
    { name: 'customer.email', kind: 'text', label: 'email', inTable: true },
    { name: 'voucher.code', kind: 'identifier', label: 'code', inTable: true },
    { name: 'vouchers', kind: 'text' },
    { name: 'vouchers_id', kind: 'text' },
    { name: 'voucher.type', kind: 'text' },
    { name: 'campaign_id', kind: 'identifier' },
    { name: 'voucher.campaign', kind: 'text', label: 'campaign', inTable: true },
    { name: 'channel', kind: 'text', inTable: true },
    { name: 'source_id', kind: 'identifier' },
    { name: 'tracking_id', kind: 'identifier' },
    { name: 'result', kind: 'state', inTable: true },
    { name: 'metadata', kind: 'text' },
    { name: 'object', kind: 'text' },
  ],
}

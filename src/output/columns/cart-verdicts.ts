// The columns of many validated carts: the result of each, and where it differs from what was expected.
import type { ColumnSet } from '../column.ts'

/** One row per cart. The CSV is itself a file of expectations. */
export const cartVerdictColumns: ColumnSet = {
  columns: [
    { name: 'line', kind: 'number', inTable: true },
    { name: 'state', kind: 'identifier', inTable: true },
    { name: 'valid', kind: 'flag', inTable: true },
    { name: 'total_discount_amount', kind: 'number', inTable: true },
    { name: 'total_amount', kind: 'number', inTable: true },
    { name: 'statuses', kind: 'identifier', inTable: true },
    { name: 'mismatch', kind: 'reason', inTable: true },
    { name: 'error.message', kind: 'reason', label: 'error', inTable: true },
    { name: 'request_id', kind: 'identifier' },
    { name: 'attempts', kind: 'number' },
  ],
}

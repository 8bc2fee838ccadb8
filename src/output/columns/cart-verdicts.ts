// The columns of many validated carts: the result of each, and where it differs from what was expected.
import type { ColumnSet } from '../column.ts'
import { columnSet, columnsFrom } from '../columns-of.ts'

/** One row per cart. The CSV is itself a file of expectations. */
export const cartVerdictColumns: ColumnSet = {
  columns: [
    ...columnsFrom(`
      line:number* state:identifier* valid:flag* total_discount_amount:number* total_amount:number* statuses:identifier*
      mismatch:reason*
    `),
    { name: 'error.message', kind: 'reason', label: 'error', inTable: true },
    { name: 'request_id', kind: 'identifier' },
    { name: 'attempts', kind: 'number' },
  ],
}

/** One row per condition of a validation rule, then one per redeemable: how many carts reached it. */
export const coverageColumns = columnSet({
  closed: true,
  columns: 'object:address! condition:reason! met:number! not_met:number! unknown:number* result:state!',
})

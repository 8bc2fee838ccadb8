// The columns of what the commands of the ledger show.
import { columnSet } from '../columns-of.ts'

/** One row per table of the copy; `complete_until` is null where it is not complete, and `missing` says why. */
export const pulledTableColumns = columnSet({
  closed: true,
  columns: 'table:identifier* read:number* held:number* counted:number complete_until:time missing:reason!',
})

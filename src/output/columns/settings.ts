// The columns of `whoami` and `profiles show`: each value and its source.
import type { ColumnSet } from '../column.ts'
import { columnsFrom } from '../columns-of.ts'

/** One row per setting; a secret is shown only as `set` or `not set`. */
export const settingColumns: ColumnSet = {
  closed: true,
  columns: columnsFrom('setting:identifier value:identifier source:text'),
}

// The columns of a project that is copied into a data file.
import type { ColumnSet } from '../column.ts'
import { columnsFrom } from '../columns-of.ts'

/** One row per kind of object that was copied. */
export const copiedColumns: ColumnSet = {
  columns: columnsFrom('kind:identifier* objects:number* refused:number*'),
  closed: true,
}

/** One row per kind that would be read. */
export const estimateColumns: ColumnSet = {
  columns: columnsFrom('kind:identifier* objects:number* requests:number*'),
  closed: true,
}

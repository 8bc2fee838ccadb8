// The columns of a project that is copied into a data file.
import { columnSet } from '../columns-of.ts'

/** One row per kind of object that was copied. */
export const copiedColumns = columnSet({ closed: true, columns: 'kind:identifier* objects:number* refused:number*' })

/** One row per kind that would be read. */
export const estimateColumns = columnSet({ closed: true, columns: 'kind:identifier* objects:number* requests:number*' })

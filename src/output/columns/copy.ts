// The columns of a project that is copied into a data file.
import type { ColumnSet } from '../column.ts'

/** One row per kind of object that was copied. */
export const copiedColumns: ColumnSet = {
  columns: [
    { name: 'kind', kind: 'identifier', inTable: true },
    { name: 'objects', kind: 'number', inTable: true },
    { name: 'refused', kind: 'number', inTable: true },
  ],
  closed: true,
}

/** One row per kind that would be read. */
export const estimateColumns: ColumnSet = {
  columns: [
    { name: 'kind', kind: 'identifier', inTable: true },
    { name: 'objects', kind: 'number', inTable: true },
    { name: 'requests', kind: 'number', inTable: true },
  ],
  closed: true,
}

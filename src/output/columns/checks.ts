// The columns of `doctor`: one row a check.
import type { ColumnSet } from '../column.ts'

/** What was checked, how it stands (`ok`, `warn`, `fail`), what was found, and what to do. */
export const checkColumns: ColumnSet = {
  closed: true,
  columns: [
    { name: 'check', kind: 'identifier' },
    { name: 'state', kind: 'identifier' },
    { name: 'found', kind: 'text' },
    { name: 'todo', kind: 'text' },
  ],
}

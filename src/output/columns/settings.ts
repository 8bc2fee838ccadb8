// The columns of `whoami` and `profiles show`: each value and its source.
import type { ColumnSet } from '../column.ts'

/** One row per setting; a secret is shown only as `set` or `not set`. */
export const settingColumns: ColumnSet = {
  closed: true,
  columns: [
    { name: 'setting', kind: 'identifier' },
    { name: 'value', kind: 'identifier' },
    { name: 'source', kind: 'text' },
  ],
}

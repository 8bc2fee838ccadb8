// The columns of `whoami` and `profiles show`: a value, and where it came from.
import type { ColumnSet } from '../column.ts'

/** One row a setting; secrets are only `set` or `not set`. */
export const settingColumns: ColumnSet = {
  closed: true,
  columns: [
    { name: 'setting', kind: 'identifier' },
    { name: 'value', kind: 'identifier' },
    { name: 'source', kind: 'text' },
  ],
}

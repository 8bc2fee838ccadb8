// The columns of `promo version`.
import type { ColumnSet } from '../column.ts'

/** The program and what it runs on. */
export const versionColumns: ColumnSet = {
  closed: true,
  columns: [{ name: 'name' }, { name: 'version' }, { name: 'node' }, { name: 'platform' }, { name: 'arch' }],
}

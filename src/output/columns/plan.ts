// The columns of --dry-run: one row per request that would be sent.
import type { ColumnSet } from '../column.ts'

/** A planned request; headers are in the JSON formats only, and secrets are hidden everywhere. */
export const planColumns: ColumnSet = {
  also: ['headers'],
  columns: [{ name: 'method' }, { name: 'url', kind: 'identifier' }, { name: 'body' }],
}

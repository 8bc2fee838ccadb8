// The columns of a bearer token. The token itself is not a column: only `token create --raw` prints it.
import type { ColumnSet } from '../column.ts'

/** What is known about a token. `expires_at` is Unix time in seconds, `expires_in` counts seconds. */
export const tokenColumns: ColumnSet = {
  columns: [
    { name: 'active', kind: 'flag' },
    { name: 'scope', kind: 'text' },
    { name: 'expires_in', kind: 'number' },
    { name: 'expires_at', kind: 'number' },
    { name: 'client_id', kind: 'identifier' },
    { name: 'token_type', kind: 'text' },
  ],
}

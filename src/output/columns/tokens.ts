// The columns of a bearer token. The token itself is no column: nothing prints it but `token create --raw`.
import type { ColumnSet } from '../column.ts'

/** What is known of a token. `expires_at` is Unix time in seconds, `expires_in` counts seconds. */
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

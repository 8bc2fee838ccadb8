// The columns of a bearer token. The token itself is not a column: only `token create --raw` prints it.
import { columnSet } from '../columns-of.ts'

/** What is known about a token. `expires_at` is Unix time in seconds, `expires_in` counts seconds. */
export const tokenColumns = columnSet({
  columns: `
    active:flag scope:text expires_in:number expires_at:number client_id:identifier token_type:text
  `,
})

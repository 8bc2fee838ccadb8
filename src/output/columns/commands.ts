// The columns of `promo commands`.
import type { ColumnSet } from '../column.ts'

/** One command a row; its arguments, flags and calls are in the JSON formats. */
export const commandColumns: ColumnSet = {
  columns: [
    { name: 'command', kind: 'identifier', inTable: true },
    { name: 'effect', kind: 'identifier', inTable: true },
    { name: 'repeat', kind: 'identifier' },
    { name: 'summary', kind: 'text', inTable: true },
    { name: 'aliases', kind: 'text' },
    { name: 'exit_codes', kind: 'text' },
  ],
}

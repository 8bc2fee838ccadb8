// The columns of stored profiles. None of them is a secret.
import type { ColumnSet } from '../column.ts'

/** Settings of a profile; a table leaves out those that few profiles have. */
export const profileColumns: ColumnSet = {
  closed: true,
  columns: [
    { name: 'name', kind: 'identifier', inTable: true },
    { name: 'current', kind: 'flag', inTable: true },
    { name: 'region', kind: 'text', inTable: true },
    { name: 'base_url', kind: 'identifier' },
    { name: 'origin', kind: 'identifier', inTable: true },
    { name: 'project_id', kind: 'identifier', inTable: true },
    { name: 'protected', kind: 'flag', inTable: true },
    { name: 'read_only', kind: 'flag' },
    { name: 'api_version', kind: 'text' },
    { name: 'timezone', kind: 'text' },
    { name: 'rate', kind: 'text' },
    { name: 'secrets_in', kind: 'text', inTable: true },
  ],
}

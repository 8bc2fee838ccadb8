// The columns of an export. Source: docs/service/exports.md#fields.
import type { ColumnSet } from '../column.ts'

/** What is exported, its progress, and its parameters. The address of the file is a secret and is not a column. */
export const exportColumns: ColumnSet = {
  also: ['result'],
  columns: [
    { name: 'id', kind: 'identifier', inTable: true },
    { name: 'status', kind: 'state', inTable: true },
    { name: 'exported_object', kind: 'text', inTable: true },
    { name: 'created_at', kind: 'time', inTable: true },
    { name: 'channel', kind: 'text', inTable: true },
    { name: 'parameters.order', kind: 'text', label: 'order', inTable: true },
    { name: 'parameters.fields', kind: 'text' },
    { name: 'parameters.filters', kind: 'text' },
    { name: 'user_id', kind: 'identifier' },
    { name: 'object', kind: 'text' },
  ],
}

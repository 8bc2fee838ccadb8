// The columns of validation rules, segments and metadata schemas: what decides for whom and for what something applies. Source: docs/service/validation-rules.md#fields; docs/service/customers.md#segments; docs/service/projects.md#metadata-schemas.
import type { ColumnSet } from '../../column.ts'

/** A validation rule; its conditions are one cell of JSON. */
export const ruleColumns: ColumnSet = {
  columns: [
    { name: 'id', kind: 'identifier', inTable: true },
    { name: 'name', kind: 'text', inTable: true },
    { name: 'type', kind: 'text' },
    { name: 'context_type', kind: 'text' },
    { name: 'rules', kind: 'text', inTable: true },
    { name: 'applicable_to', kind: 'text' },
    { name: 'error.message', kind: 'reason', label: 'error', inTable: true },
    { name: 'assignments_count', kind: 'number' },
    { name: 'created_at', kind: 'time', inTable: true },
    { name: 'updated_at', kind: 'time' },
    { name: 'object', kind: 'text' },
  ],
}

/** A segment of customers; its filter is one cell of JSON. */
export const segmentColumns: ColumnSet = {
  columns: [
    { name: 'id', kind: 'identifier', inTable: true },
    { name: 'name', kind: 'text', inTable: true },
    { name: 'type', kind: 'text', inTable: true },
    { name: 'filter', kind: 'text', inTable: true },
    { name: 'created_at', kind: 'time', inTable: true },
    { name: 'object', kind: 'text' },
  ],
}

/** A metadata schema; its properties are one cell of JSON. */
export const metadataSchemaColumns: ColumnSet = {
  columns: [
    { name: 'id', kind: 'identifier' },
    { name: 'related_object', kind: 'text', inTable: true },
    { name: 'allow_defined_only', kind: 'flag', inTable: true },
    { name: 'properties', kind: 'text', inTable: true },
    { name: 'created_at', kind: 'time' },
    { name: 'updated_at', kind: 'time' },
    { name: 'object', kind: 'text' },
  ],
}

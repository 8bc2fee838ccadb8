// The columns of an event as the service received it. Source: docs/service/events.md#result.
import type { ColumnSet } from '../column.ts'

/** The event that was received, and the customer it belongs to. */
export const eventColumns: ColumnSet = {
  columns: [
    { name: 'type', kind: 'text' },
    { name: 'customer.id', kind: 'identifier' },
    { name: 'customer.source_id', kind: 'identifier' },
    { name: 'customer.name', kind: 'text' },
    { name: 'customer.email', kind: 'text' },
    { name: 'metadata', kind: 'text' },
    { name: 'object', kind: 'text' },
  ],
}

/** Something that happened in a project, as `events tail` shows it; `data` is the entry of the list, or the delivery. */
export const happeningColumns: ColumnSet = {
  columns: [
    { name: 'at', kind: 'time' },
    { name: 'type', kind: 'identifier' },
    { name: 'id', kind: 'identifier' },
    { name: 'about', kind: 'text' },
    { name: 'customer', kind: 'identifier' },
    { name: 'detail', kind: 'text' },
    { name: 'data', kind: 'text' },
  ],
}

// The columns of an event as the service received it. Source: docs/service/events.md#result.
import { event } from '../../contract/answers/projects.ts'
import type { ColumnSet } from '../column.ts'
import { columnsOf } from '../columns-of.ts'

/** The event that was received, and the customer it belongs to. */
export const eventColumns = columnsOf(event, {
  first: {
    type: true,
    'customer.id': true,
    'customer.source_id': true,
    'customer.name': true,
    'customer.email': true,
    metadata: true,
    object: true,
  },
})

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

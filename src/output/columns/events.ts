// The columns of an event as the service received it. Source: docs/service/events.md#result.
import { event } from '../../contract/answers/projects.ts'
import type { ColumnSet } from '../column.ts'
import { columnsFrom, columnsOf } from '../columns-of.ts'

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
  columns: columnsFrom('at:time type:identifier id:identifier about:text customer:identifier detail:text data:text'),
}

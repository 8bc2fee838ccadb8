// The columns of an event as the service received it. Source: docs/service/events.md#result.
import { event } from '../../contract/answers/projects.ts'
import { columnSet, columnsOf } from '../columns-of.ts'

/** The event that was received, and the customer it belongs to. */
export const eventColumns = columnsOf(event, {
  first: 'type* customer.id* customer.source_id* customer.name* customer.email* metadata* object*',
})

/** Something that happened in a project, as `events tail` shows it; `data` is the entry of the list, or the delivery. */
export const happeningColumns = columnSet({
  columns: 'at:time type:identifier id:identifier about:text customer:identifier detail:text data:text',
})

// The columns of webhooks and of their events.
// Source: docs/service/webhooks.md#fields; docs/service/webhooks.md#event-names.
import { webhook } from '../../contract/answers/projects.ts'
import type { ColumnSet } from '../column.ts'
import { columnsFrom, columnsOf } from '../columns-of.ts'

/** A stored configuration. */
export const webhookColumns = columnsOf(webhook, {
  first: { id: true, target_url: true, active: true, events: true, created_at: true },
})

/** One entry of the event catalogue. */
export const webhookEventColumns: ColumnSet = {
  closed: true,
  columns: columnsFrom('name:identifier shown_as:identifier family:text'),
}

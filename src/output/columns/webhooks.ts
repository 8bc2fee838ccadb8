// The columns of webhooks and of their events.
// Source: docs/service/webhooks.md#fields; docs/service/webhooks.md#event-names.
import { webhook } from '../../contract/answers/projects.ts'
import { columnSet, columnsOf } from '../columns-of.ts'

/** A stored configuration. */
export const webhookColumns = columnsOf(webhook, { first: 'id* target_url* active* events* created_at*' })

/** One entry of the event catalogue. */
export const webhookEventColumns = columnSet({
  closed: true,
  columns: 'name:identifier! shown_as:identifier family:text!',
})

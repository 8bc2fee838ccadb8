// The columns of webhooks and of their events.
// Source: docs/service/webhooks.md#fields; docs/service/webhooks.md#event-names.
import type { ColumnSet } from '../column.ts'

/** A stored configuration. */
export const webhookColumns: ColumnSet = {
  columns: [
    { name: 'id', kind: 'identifier' },
    { name: 'target_url', kind: 'identifier' },
    { name: 'active', kind: 'flag' },
    { name: 'events', kind: 'text' },
    { name: 'created_at', kind: 'time' },
    { name: 'object', kind: 'text', inTable: false },
  ],
}

/** One entry of the event catalogue. */
export const webhookEventColumns: ColumnSet = {
  closed: true,
  columns: [
    { name: 'name', kind: 'identifier' },
    { name: 'shown_as', kind: 'identifier' },
    { name: 'family', kind: 'text' },
  ],
}

// The columns of webhook deliveries: the result of `webhooks verify`, and each line of `webhooks listen`.
import type { ColumnSet } from '../column.ts'

/** Whether a saved delivery is genuine, and what it reports. */
export const verdictColumns: ColumnSet = {
  columns: [
    { name: 'valid', kind: 'flag' },
    { name: 'reason', kind: 'reason' },
    { name: 'type', kind: 'identifier' },
    { name: 'id', kind: 'identifier' },
    { name: 'event_id', kind: 'identifier' },
    { name: 'created_at', kind: 'time' },
  ],
}

/** A delivery as it was received; `answered` is the HTTP status, `size_bytes` counts the body. */
export const receivedColumns: ColumnSet = {
  columns: [
    { name: 'received_at', kind: 'time' },
    { name: 'result', kind: 'state' },
    { name: 'type', kind: 'identifier' },
    { name: 'id', kind: 'identifier' },
    { name: 'event_id', kind: 'identifier' },
    { name: 'size_bytes', kind: 'number' },
    { name: 'answered', kind: 'number' },
    { name: 'forward', kind: 'text' },
    { name: 'file', kind: 'identifier' },
    { name: 'reason', kind: 'reason' },
  ],
}

// The columns of webhook deliveries: those that were received, checked or sent.
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

/** A delivery that was sent on request; `status` is that of the answer, if there was one, after `duration_ms`. */
export const sentColumns: ColumnSet = {
  columns: [
    { name: 'type', kind: 'identifier', inTable: true },
    { name: 'result', kind: 'state', inTable: true },
    { name: 'status', kind: 'number', inTable: true },
    { name: 'duration_ms', kind: 'number', inTable: true },
    { name: 'reason', kind: 'reason', inTable: true },
    { name: 'id', kind: 'identifier' },
    { name: 'event_id', kind: 'identifier' },
    { name: 'created_at', kind: 'time' },
    { name: 'size_bytes', kind: 'number' },
    { name: 'target_url', kind: 'identifier' },
    { name: 'file', kind: 'identifier' },
  ],
}

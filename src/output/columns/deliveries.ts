// The columns of webhook deliveries: those that were received, checked or sent.
import type { ColumnSet } from '../column.ts'
import { columnsFrom } from '../columns-of.ts'

/** Whether a saved delivery is genuine, and what it reports. */
export const verdictColumns: ColumnSet = {
  columns: columnsFrom('valid:flag reason:reason type:identifier id:identifier event_id:identifier created_at:time'),
}

/** A delivery as it was received; `answered` is the HTTP status, `size_bytes` counts the body. */
export const receivedColumns: ColumnSet = {
  columns: columnsFrom(`
    received_at:time result:state type:identifier id:identifier event_id:identifier size_bytes:number answered:number
    forward:text file:identifier reason:reason
  `),
}

/** A delivery that was sent on request; `status` is that of the answer, if there was one, after `duration_ms`. */
export const sentColumns: ColumnSet = {
  columns: columnsFrom(`
    type:identifier* result:state* status:number* duration_ms:number* reason:reason* id:identifier event_id:identifier
    created_at:time size_bytes:number target_url:identifier file:identifier
  `),
}

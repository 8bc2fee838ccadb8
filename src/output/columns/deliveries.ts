// The columns of webhook deliveries: those that were received, checked or sent.
import { columnSet } from '../columns-of.ts'

/** Whether a saved delivery is genuine, and what it reports. */
export const verdictColumns = columnSet({
  columns: 'valid:flag reason:reason type:identifier id:identifier event_id:identifier created_at:time',
})

/** A delivery as it was received; `answered` is the HTTP status, `size_bytes` counts the body. */
export const receivedColumns = columnSet({
  columns: `
    received_at:time result:state type:identifier id:identifier event_id:identifier size_bytes:number answered:number
    forward:text file:identifier reason:reason
  `,
})

/** A delivery that was sent on request; `status` is that of the answer, if there was one, after `duration_ms`. */
export const sentColumns = columnSet({
  columns: `
    type:identifier* result:state* status:number* duration_ms:number* reason:reason* id:identifier event_id:identifier
    created_at:time size_bytes:number target_url:identifier file:identifier
  `,
})

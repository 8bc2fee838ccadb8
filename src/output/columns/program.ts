// The columns of what promo reports about itself: its version, its commands, the checks of `doctor`, and its sandbox.
import { columnSet } from '../columns-of.ts'

/** The program and its platform. */
export const versionColumns = columnSet({ closed: true, columns: 'name version node platform arch' })

/** One row per command. */
export const commandColumns = columnSet({
  also: ['arguments', 'flags', 'needs', 'calls', 'columns', 'reads', 'examples'],
  columns: `
    command:identifier* effect:identifier* repeat:identifier summary:text* description:text aliases:text exit_codes:text
  `,
})

/** The tools of `promo mcp`, and what their definitions cost an assistant. */
export const mcpToolColumns = columnSet({ closed: true, columns: 'tool:identifier tokens:number description:text' })

/** What was checked, its state (`ok`, `warn`, `fail`), what was found, and what to do. */
export const checkColumns = columnSet({
  closed: true,
  columns: 'check:identifier state:identifier found:reason todo:reason',
})

/** The data file of a sandbox; `counts` are its objects by kind. */
export const sandboxColumns = columnSet({
  also: ['counts'],
  columns: 'file size_bytes:number schema_version:number created_at project_id held_by',
})

/** The clock of a sandbox. */
export const clockColumns = columnSet({ closed: true, columns: 'now:time runs:flag computer_time:time next_due_at' })

/** The faults of a sandbox. */
export const faultColumns = columnSet({
  closed: true,
  columns: `
    id* call:identifier* does* when* matched:number* struck:number* seed:number
    status:number reset:flag hang:flag latency rate_limit probability times:number after_commit:flag
  `,
})

/** What was called of a sandbox. */
export const requestColumns = columnSet({
  closed: true,
  columns: `
    n:number at:time method:identifier path:identifier status:number ms:number key request_id- fault:identifier
    body? answer?
  `,
})

/** Snapshots of a sandbox. */
export const snapshotColumns = columnSet({ closed: true, columns: 'name:identifier size_bytes:number created_at' })

/** One row per kind of object that was copied. */
export const copiedColumns = columnSet({ closed: true, columns: 'kind:identifier* objects:number* refused:number*' })

/** One row per kind that would be read. */
export const estimateColumns = columnSet({ closed: true, columns: 'kind:identifier* objects:number* requests:number*' })

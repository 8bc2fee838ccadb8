// The columns of what promo reports about itself: its version, its commands, and the checks of `doctor`.
import type { ColumnSet } from '../column.ts'
import { columnsFrom } from '../columns-of.ts'

/** The program and its platform. */
export const versionColumns: ColumnSet = {
  closed: true,
  columns: columnsFrom('name version node platform arch'),
}

/** One row per command. */
export const commandColumns: ColumnSet = {
  columns: columnsFrom(`
    command:identifier* effect:identifier* repeat:identifier summary:text* description:text aliases:text exit_codes:text
  `),
  also: ['arguments', 'flags', 'needs', 'calls', 'columns', 'examples'],
}

/** The tools of `promo mcp`, and what their definitions cost an assistant. */
export const mcpToolColumns: ColumnSet = {
  closed: true,
  columns: columnsFrom('tool:identifier tokens:number description:text'),
}

/** What was checked, its state (`ok`, `warn`, `fail`), what was found, and what to do. */
export const checkColumns: ColumnSet = {
  closed: true,
  columns: columnsFrom('check:identifier state:identifier found:reason todo:reason'),
}

/** The data file of a sandbox; `counts` are its objects by kind. */
export const sandboxColumns: ColumnSet = {
  columns: columnsFrom('file size_bytes:number schema_version:number created_at project_id held_by'),
  also: ['counts'],
}

/** The clock of a sandbox. */
export const clockColumns: ColumnSet = {
  closed: true,
  columns: columnsFrom('now:time runs:flag computer_time:time next_due_at'),
}

/** The faults of a sandbox. */
export const faultColumns: ColumnSet = {
  closed: true,
  columns: [
    ...columnsFrom('id* call:identifier* does* when* matched:number* struck:number* seed:number'),
    ...columnsFrom('status:number reset:flag hang:flag latency rate_limit probability times:number after_commit:flag'),
  ],
}

/** What was called of a sandbox. */
export const requestColumns: ColumnSet = {
  closed: true,
  columns: [
    ...columnsFrom('n:number at:time method:identifier path:identifier status:number ms:number key'),
    { name: 'request_id', inTable: false },
    { name: 'fault', kind: 'identifier' },
    { name: 'body', onRequest: true },
    { name: 'answer', onRequest: true },
  ],
}

/** Snapshots of a sandbox. */
export const snapshotColumns: ColumnSet = {
  closed: true,
  columns: columnsFrom('name:identifier size_bytes:number created_at'),
}

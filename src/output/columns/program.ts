// The columns of what promo reports about itself: its version, its commands, and the checks of `doctor`.
import type { ColumnSet } from '../column.ts'

/** The program and its platform. */
export const versionColumns: ColumnSet = {
  closed: true,
  columns: [{ name: 'name' }, { name: 'version' }, { name: 'node' }, { name: 'platform' }, { name: 'arch' }],
}

/** One row per command; its arguments, flags and calls are in the JSON formats. */
export const commandColumns: ColumnSet = {
  columns: [
    { name: 'command', kind: 'identifier', inTable: true },
    { name: 'effect', kind: 'identifier', inTable: true },
    { name: 'repeat', kind: 'identifier' },
    { name: 'summary', kind: 'text', inTable: true },
    { name: 'aliases', kind: 'text' },
    { name: 'exit_codes', kind: 'text' },
  ],
}

/** The tools of `promo mcp`, and what their definitions cost an assistant. */
export const mcpToolColumns: ColumnSet = {
  closed: true,
  columns: [
    { name: 'tool', kind: 'identifier' },
    { name: 'tokens', kind: 'number' },
    { name: 'description', kind: 'text' },
  ],
}

/** What was checked, its state (`ok`, `warn`, `fail`), what was found, and what to do. */
export const checkColumns: ColumnSet = {
  closed: true,
  columns: [
    { name: 'check', kind: 'identifier' },
    { name: 'state', kind: 'identifier' },
    { name: 'found', kind: 'reason' },
    { name: 'todo', kind: 'reason' },
  ],
}

/** The clock of a sandbox. */
export const clockColumns: ColumnSet = {
  closed: true,
  columns: [
    { name: 'now', kind: 'time' },
    { name: 'runs', kind: 'flag' },
    { name: 'computer_time', kind: 'time' },
    { name: 'next_due_at' },
  ],
}

/** The faults of a sandbox. */
export const faultColumns: ColumnSet = {
  closed: true,
  columns: [
    { name: 'id' },
    { name: 'call', kind: 'identifier' },
    { name: 'does' },
    { name: 'when' },
    { name: 'matched', kind: 'number' },
    { name: 'struck', kind: 'number' },
    { name: 'seed', kind: 'number', inTable: false },
  ],
}

/** What was called of a sandbox. */
export const requestColumns: ColumnSet = {
  closed: true,
  columns: [
    { name: 'n', kind: 'number' },
    { name: 'at', kind: 'time' },
    { name: 'method', kind: 'identifier' },
    { name: 'path', kind: 'identifier' },
    { name: 'status', kind: 'number' },
    { name: 'ms', kind: 'number' },
    { name: 'key' },
    { name: 'request_id', inTable: false },
    { name: 'fault', kind: 'identifier' },
    { name: 'body', onRequest: true },
    { name: 'answer', onRequest: true },
  ],
}

/** Snapshots of a sandbox. */
export const snapshotColumns: ColumnSet = {
  closed: true,
  columns: [{ name: 'name', kind: 'identifier' }, { name: 'size_bytes', kind: 'number' }, { name: 'created_at' }],
}

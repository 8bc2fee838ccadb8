// The columns of what this computer did: its bulk jobs, and its history.
import type { ColumnSet } from '../column.ts'

/** One row per job; `done` and `wrong` count rows of its input. */
export const jobColumns: ColumnSet = {
  columns: [
    { name: 'id', kind: 'identifier', inTable: true },
    { name: 'shard', kind: 'identifier' },
    { name: 'command', kind: 'text', inTable: true },
    { name: 'profile', kind: 'identifier', inTable: true },
    { name: 'state', kind: 'identifier', inTable: true },
    { name: 'done', kind: 'number', inTable: true },
    { name: 'total', kind: 'number', inTable: true },
    { name: 'wrong', kind: 'number', inTable: true },
    { name: 'created_at', kind: 'time', inTable: true },
    { name: 'why', kind: 'reason', inTable: true },
    { name: 'started_at', kind: 'time' },
    { name: 'ended_at', kind: 'time' },
    { name: 'pid', kind: 'number' },
    { name: 'host', kind: 'identifier' },
    { name: 'undoes', kind: 'identifier' },
    { name: 'undone_by', kind: 'identifier' },
    { name: 'path', kind: 'identifier' },
  ],
}

/** The same for the shards of one job: the shard number says more than the id. */
export const shardColumns: ColumnSet = {
  columns: jobColumns.columns.map((column) => (column.name === 'shard' ? { ...column, inTable: true } : column)),
}

/** Everything about one job. */
export const jobDetailColumns: ColumnSet = {
  columns: [
    ...jobColumns.columns,
    { name: 'command_line', kind: 'identifier' },
    { name: 'origin', kind: 'identifier' },
    { name: 'input', kind: 'identifier' },
    { name: 'input_sha256', kind: 'identifier' },
    { name: 'repeat', kind: 'text' },
    { name: 'promo_version', kind: 'identifier' },
    { name: 'duplicates', kind: 'number' },
    { name: 'bad', kind: 'number' },
    ...['ok', 'ok_inferred', 'conflict', 'failed', 'unknown', 'exhausted', 'duplicate', 'skipped', 'pending'].map(
      (state) => ({ name: `counts.${state}`, kind: 'number' }) as const,
    ),
    { name: 'changed', kind: 'number' },
    { name: 'unchanged', kind: 'number' },
    { name: 'in_flight', kind: 'number' },
    { name: 'errors', kind: 'reason' },
    ...['resume', 'follow', 'look', 'retry', 'report', 'undo'].map(
      (step) => ({ name: `next.${step}`, kind: 'identifier' }) as const,
    ),
  ],
}

/** What `jobs discard` gave up, and where its report is. */
export const discardedColumns: ColumnSet = {
  columns: [
    { name: 'id', kind: 'identifier', inTable: true },
    { name: 'command', kind: 'text', inTable: true },
    { name: 'state', kind: 'identifier', inTable: true },
    { name: 'done', kind: 'number', inTable: true },
    { name: 'total', kind: 'number', inTable: true },
    { name: 'report', kind: 'identifier', inTable: true },
  ],
}

/** What `jobs prune` removes: jobs, drafts of jobs, locks. */
export const leftoverColumns: ColumnSet = {
  columns: [
    { name: 'kind', kind: 'identifier', inTable: true },
    { name: 'id', kind: 'identifier', inTable: true },
    { name: 'command', kind: 'text', inTable: true },
    { name: 'state', kind: 'identifier', inTable: true },
    { name: 'last_used_at', kind: 'time', inTable: true },
    { name: 'size_bytes', kind: 'number', inTable: true },
    { name: 'path', kind: 'identifier' },
  ],
}

/** One row a single write or job; `counts` are rows of a job by outcome. */
export const historyColumns: ColumnSet = {
  closed: true,
  columns: [
    { name: 'at', kind: 'time', inTable: true, stays: true },
    { name: 'profile', kind: 'identifier', inTable: true },
    { name: 'command', kind: 'identifier', inTable: true, stays: true },
    { name: 'subject', kind: 'identifier', inTable: true, stays: true },
    { name: 'change', kind: 'state', inTable: true, stays: true },
    { name: 'outcome', kind: 'identifier', inTable: true, stays: true },
    { name: 'by', kind: 'identifier', inTable: true },
    { name: 'reason', kind: 'text', inTable: true },
    { name: 'request_id', kind: 'identifier', inTable: true },
    { name: 'before', kind: 'text' },
    { name: 'after', kind: 'text' },
    { name: 'project', kind: 'identifier' },
    { name: 'service', kind: 'identifier' },
    { name: 'job', kind: 'identifier' },
    { name: 'rows', kind: 'number' },
    { name: 'counts', kind: 'text' },
    { name: 'call', kind: 'text' },
    { name: 'method', kind: 'text' },
    { name: 'path', kind: 'identifier' },
    { name: 'status', kind: 'number' },
    { name: 'id', kind: 'identifier' },
  ],
}

/** A file of the history: all changes of one day. */
export const historyDayColumns: ColumnSet = {
  closed: true,
  columns: [
    { name: 'day', kind: 'identifier' },
    { name: 'size_bytes', kind: 'number' },
    { name: 'path', kind: 'identifier' },
  ],
}

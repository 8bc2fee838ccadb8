// The columns of what would happen, or differs: the requests of --dry-run, and a project as files.
import type { ColumnSet } from '../column.ts'

/** A planned request; headers are in the JSON formats only, and secrets are hidden everywhere. */
export const planColumns: ColumnSet = {
  also: ['headers'],
  columns: [{ name: 'method' }, { name: 'url', kind: 'identifier' }, { name: 'body' }],
}

/** One row per file that a pull wrote or removed. */
export const pulledColumns: ColumnSet = {
  columns: [
    { name: 'file', kind: 'identifier', inTable: true },
    { name: 'state', kind: 'state', inTable: true },
  ],
  closed: true,
}

/** One row per member that differs. */
export const differenceColumns: ColumnSet = {
  columns: [
    { name: 'object', kind: 'identifier', inTable: true },
    { name: 'change', kind: 'state', inTable: true, stays: true },
    { name: 'member', kind: 'text', inTable: true, stays: true },
    { name: 'before', kind: 'text', inTable: true, stays: true },
    { name: 'after', kind: 'text', inTable: true, stays: true },
  ],
  closed: true,
}

/** One row per step of a plan. */
export const stepColumns: ColumnSet = {
  columns: [
    { name: 'step', kind: 'number', inTable: true },
    { name: 'act', kind: 'state', inTable: true },
    { name: 'object', kind: 'identifier', inTable: true },
    { name: 'members', kind: 'text', inTable: true },
    { name: 'call', kind: 'identifier' },
    { name: 'needs', kind: 'text' },
  ],
  also: ['changes'],
  closed: true,
}

/** One row per problem of the files. */
export const problemColumns: ColumnSet = {
  columns: [
    { name: 'file', kind: 'identifier', inTable: true },
    { name: 'line', kind: 'number', inTable: true },
    { name: 'message', kind: 'reason', inTable: true },
  ],
  closed: true,
}

/** One row per step of a job. */
export const stepOutcomeColumns: ColumnSet = {
  columns: [
    { name: 'step', kind: 'number', inTable: true },
    { name: 'act', kind: 'state', inTable: true },
    { name: 'object', kind: 'identifier', inTable: true },
    { name: 'state', kind: 'state', inTable: true },
    { name: 'changed', kind: 'flag' },
    { name: 'id', kind: 'identifier' },
    { name: 'error.message', label: 'message', kind: 'reason', inTable: true },
    { name: 'request_id', kind: 'identifier' },
    { name: 'attempts', kind: 'number' },
  ],
}

/** One row per step in which a loyalty card is replaced. */
export const replacementColumns: ColumnSet = {
  columns: [
    { name: 'step', kind: 'number', inTable: true },
    { name: 'act', kind: 'text', inTable: true },
    { name: 'code', kind: 'identifier', inTable: true },
    { name: 'points', kind: 'number', inTable: true },
    { name: 'state', kind: 'state', inTable: true },
  ],
  closed: true,
}

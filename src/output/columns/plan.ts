// The columns of what would happen, or differs: the requests of --dry-run, and a project as files.
import type { ColumnSet } from '../column.ts'
import { columnsFrom } from '../columns-of.ts'

/** A planned request; headers are in the JSON formats only, and secrets are hidden everywhere. */
export const planColumns: ColumnSet = {
  also: ['headers'],
  columns: columnsFrom('method:text! path:identifier! body:text! url:identifier'),
}

/** One row per file that a pull wrote or removed. */
export const pulledColumns: ColumnSet = {
  columns: columnsFrom('file:identifier* state:state*'),
  closed: true,
}

/** One row per member that differs. */
export const differenceColumns: ColumnSet = {
  columns: columnsFrom('object:address* change:state! member:text! before:text! after:text!'),
  closed: true,
}

/** One row per step of a plan. */
export const stepColumns: ColumnSet = {
  columns: columnsFrom('step:number* act:state! object:address! members:reason! call:identifier needs:text'),
  also: ['changes'],
}

/** One row per problem of the files. */
export const problemColumns: ColumnSet = {
  columns: columnsFrom('file:identifier* line:number* message:reason*'),
  closed: true,
}

/** One row per step of a job. */
export const stepOutcomeColumns: ColumnSet = {
  columns: [
    ...columnsFrom('step:number* act:state* object:address* state:state* changed:flag id:identifier'),
    { name: 'error.message', label: 'message', kind: 'reason', inTable: true },
    { name: 'request_id', kind: 'identifier' },
    { name: 'attempts', kind: 'number' },
  ],
}

/** One row per step in which a loyalty card is replaced. */
export const replacementColumns: ColumnSet = {
  columns: columnsFrom('step:number* act:text* code:identifier* points:number* state:state*'),
  closed: true,
}

// The columns of what would happen, or differs: the requests of --dry-run, and a project as files.
import { columnSet } from '../columns-of.ts'

/** A planned request; headers are in the JSON formats only, and secrets are hidden everywhere. */
export const planColumns = columnSet({
  also: ['headers'],
  columns: 'method:text! path:identifier! body:text! url:identifier',
})

/** One row per file that a pull wrote or removed. */
export const pulledColumns = columnSet({ closed: true, columns: 'file:identifier* state:state*' })

/** One row per member that differs. */
export const differenceColumns = columnSet({
  closed: true,
  columns: 'object:address* change:state! member:text! before:text! after:text!',
})

/** One row per step of a plan. */
export const stepColumns = columnSet({
  also: ['changes'],
  columns: 'step:number* act:state! object:address! members:reason! call:identifier needs:text',
})

/** One row per problem of the files. */
export const problemColumns = columnSet({ closed: true, columns: 'file:identifier* line:number* message:reason*' })

/** One row per step of a job. */
export const stepOutcomeColumns = columnSet({
  columns: `
    step:number* act:state* object:address* state:state* changed:flag id:identifier error.message=message:reason*
    request_id:identifier attempts:number
  `,
})

/** One row per step in which a loyalty card is replaced. */
export const replacementColumns = columnSet({
  closed: true,
  columns: 'step:number* act:text* code:identifier* points:number* state:state*',
})

// The columns of what this computer did: its bulk jobs, and its history.
import type { ColumnSet } from '../column.ts'
import { columnSet, columnsFrom } from '../columns-of.ts'

/** One row per job; `done` and `wrong` count rows of its input. */
export const jobColumns = columnSet({
  columns: `
    id:identifier! shard:identifier command:identifier! profile:identifier* state:identifier! done:number* total:number*
    wrong:number! created_at:time* why:reason! started_at:time ended_at:time ended_by:text pid:number host:identifier
    undoes:identifier undone_by:identifier path:identifier project:identifier origin:identifier
  `,
})

/** The same for the shards of one job: the shard number says more than the id. */
export const shardColumns: ColumnSet = {
  columns: jobColumns.columns.map((column) => (column.name === 'shard' ? { ...column, inTable: true } : column)),
}

/** Everything about one job. */
export const jobDetailColumns: ColumnSet = {
  columns: [
    ...jobColumns.columns,
    ...columnsFrom(`
      command_line:identifier input:identifier input_sha256:identifier repeat:text
      promo_version:identifier duplicates:number bad:number
      counts.ok:number counts.ok_inferred:number counts.conflict:number counts.failed:number counts.unknown:number
      counts.exhausted:number counts.duplicate:number counts.skipped:number counts.pending:number
      changed:number unchanged:number in_flight:number errors:reason shards:text
      next.resume:identifier next.follow:identifier next.look:identifier next.retry:identifier next.report:identifier
      next.undo:identifier
    `),
  ],
}

/** What `jobs report` adds to the columns of the input. */
export const reportedColumns = columnSet({
  columns: `
    promo_line:number* promo_state:identifier* promo_error:identifier* promo_message:reason*
    promo_request_id:identifier promo_attempts:number
  `,
})

/** What `jobs discard` gave up, and where its report is. */
export const discardedColumns = columnSet({
  columns: 'id:identifier* command:text* state:identifier* done:number* total:number* report:identifier*',
})

/** What `jobs prune` removes: jobs, drafts of jobs, locks. */
export const leftoverColumns = columnSet({
  columns: `
    kind:identifier* id:identifier* command:text* state:identifier* last_used_at:time* size_bytes:number*
    path:identifier guards:flag
  `,
})

/** One row a single write or job; `counts` are rows of a job by outcome. */
export const historyColumns = columnSet({
  closed: true,
  columns: `
    at:time! profile:identifier* command:identifier! subject:identifier! change:state! outcome:identifier!
    by:identifier* reason:reason! request_id:identifier* before:text after:text project:identifier service:identifier
    job:identifier rows:number part_of:identifier counts:text call:text method:text path:identifier status:number id:identifier!
  `,
})

/** A file of the history: all changes of one day. */
export const historyDayColumns = columnSet({
  closed: true,
  columns: 'day:identifier size_bytes:number path:identifier',
})

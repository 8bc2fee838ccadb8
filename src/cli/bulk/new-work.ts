// The work of a command line: a single argument is a call, everything else is a job.

import type { Spool } from '../../bulk/input/spool.ts'
import type { Endpoint } from '../../contract/endpoint.ts'
import { facts, spoolRows } from './checked-rows.ts'
import type { BulkDefinition, InputRows } from './definition.ts'
import type { CommandContext } from './identity.ts'
import type { Work } from './work.ts'

/**
 * Opens the rows of a command line.
 *
 * The same command line resumes the job it began. Everything in a new input is checked before this returns. Throws
 * `input` (exit 2) for bad rows, `held` (8) while another process has the job, `journal` (9) when a file is not what it was
 * when the job began, and `io` (10). A single argument (`isSingle`) is a call and not a job: nothing of it is kept.
 */
export async function newWork<E extends Endpoint>(
  rows: InputRows,
  bulk: BulkDefinition<E>,
  commanded: CommandContext,
  isSingle = false,
): Promise<Work> {
  const { plan } = commanded
  if (isSingle && plan.job.folder === undefined) return inMemory(await spoolRows(rows, bulk, plan))
  const { newJob } = await import('./new-job.ts')
  return await newJob(rows, bulk, commanded)
}

function inMemory(kept: Spool): Work {
  return {
    ...facts(kept, null),
    begin: async () => ({ ...alone, total: kept.total, everyRow: () => kept.everyRow() }),
    close: () => kept.close(),
  }
}

const alone = { shard: null, others: 0, end: () => {} }

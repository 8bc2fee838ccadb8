// An export for people. The address of its file holds a token that opens it, so it is not shown; programs get it in JSON.
import type { ExportJob } from '../../../contract/exports.ts'
import { formatOf, type OutputFlags } from '../../result/output.ts'

/** Gives the export as a form may show it: untouched in JSON, JSON Lines and YAML, without the address in a table and CSV. */
export function shownExport(job: ExportJob, flags: OutputFlags): object {
  const format = formatOf(flags)
  if ((format !== 'table' && format !== 'csv') || !job.result) return job
  return { ...job, result: { ...job.result, url: `hidden; promo exports download ${job.id}` } }
}

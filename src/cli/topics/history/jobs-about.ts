// What the jobs in the history did to one object: their lines there have counts, and only their journals have the rows.
import { jobFiles } from '../../../bulk/journal/job.ts'
import type { RowState } from '../../../bulk/summary.ts'
import { jobsFolder, knownJob } from '../../bulk/known-jobs.ts'
import type { Keeper } from '../../run/host.ts'
import { outcomesAbout } from '../jobs/report.ts'

/** Looks into the journals of jobs for the rows about an object. */
export interface JobsAbout {
  /** Returns the outcomes of its rows; empty where the job has none, or where its journal cannot be looked into. */
  outcomesIn: (job: string) => readonly RowState[]
  /** The jobs that were asked about and not looked into: their journals are elsewhere, removed or damaged. */
  unread: ReadonlySet<string>
}

/** Opens the journals of the state folder, each once and only when it is asked about. */
export async function jobsAbout(name: string, host: Keeper): Promise<JobsAbout> {
  const files = new Map((await jobFiles(jobsFolder(host))).map((file) => [file.name, file]))
  const known = new Map<string, readonly RowState[]>()
  const unread = new Set<string>()
  const look = (id: string) => {
    const file = files.get(id)
    const job = file && knownJob(file)
    try {
      if (job?.header !== undefined) return outcomesAbout(job, name)
    } catch {
      // Said as one that was not looked into; `promo jobs show` says why.
    }
    unread.add(id)
    return []
  }
  return {
    unread,
    outcomesIn(id) {
      const found = known.get(id) ?? look(id)
      known.set(id, found)
      return found
    },
  }
}

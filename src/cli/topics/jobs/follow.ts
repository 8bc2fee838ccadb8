// Watching a job that another process runs: its journal is only read.
import { sleep } from '../../../api/connection.ts'
import type { Showing } from '../../result/output.ts'
import type { Host } from '../../run/host.ts'
import type { JobStatus } from './state.ts'

const lookMs = 250

/**
 * Shows the progress of a job until no process works on it, and returns its status then.
 *
 * Ends early, by throwing the reason, when the run is told to stop; the job continues.
 */
export async function followJob(
  look: () => JobStatus,
  total: number,
  { show, host }: { show: Pick<Showing, 'progress'>; host: Pick<Host, 'stop'> },
): Promise<JobStatus> {
  const before = look().done
  const progress = await show.progress({ before, rowsPerRequest: 1, limitsAhead: () => ({}) })
  try {
    for (;;) {
      const startedAt = performance.now()
      const status = look()
      if (status.state !== 'running') return status
      progress.update({ done: status.done, total, wrong: status.wrong })
      // Counting a million rows takes a while, and the job needs the processor more.
      await sleep(Math.max(lookMs, 9 * (performance.now() - startedAt)), host.stop)
    }
  } finally {
    progress.end()
  }
}

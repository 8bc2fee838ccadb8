// A command about a job whose journals are several: the same for each shard in a folder, one after another.
import { dirname, resolve } from 'node:path'
import { shellWord } from '../../../base/shell-word.ts'
import { EXIT, type ExitCode, usageError } from '../../../errors.ts'
import type { ReadableJob } from '../../bulk/known-jobs.ts'
import type { Run } from '../../session/run.ts'
import { jobsCalled } from './find-job.ts'
import { missingShards } from './shards.ts'

/** The worst first: the one whose next step needs the most care (bulk/summary.ts). */
const byCare: readonly ExitCode[] = [
  EXIT.journal,
  EXIT.unknown,
  EXIT.io,
  EXIT.auth,
  EXIT.stopped,
  EXIT.refused,
  EXIT.unavailable,
  EXIT.no,
]

/**
 * Does something with the job of this name, or with each shard in the folder of this name, and returns the worst exit code.
 *
 * Ends at a stop, and with the first exception. Throws `usage` for several shards in a form that holds a single result, and
 * `journal` (exit 9) for journals that are not parts of one job.
 */
export async function forEachShard(
  called: string,
  { show, host }: Pick<Run, 'show' | 'host'>,
  act: (job: ReadableJob) => Promise<ExitCode>,
): Promise<ExitCode> {
  const jobs = await jobsCalled(called, host)
  const [only, ...others] = jobs
  const missing = missingShards(jobs, called)
  const tellMissing = () => show.warn(`shards missing: ${missing.join(', ')}; nothing was done about their rows`)
  if (only !== undefined && others.length === 0) {
    const end = await act(only)
    // Each computer may have the folder of its own shard, so a single one is told and changes no exit code.
    if (missing.length > 0 && dirname(only.file.path) === resolve(called)) tellMissing()
    return end
  }
  const { format, out } = show.shape
  if ((format !== 'table' && format !== 'jsonl') || out !== undefined) {
    throw usageError(
      `"${called}" holds ${jobs.length} shards, whose outcomes follow one another on standard output`,
      `use --jsonl, or name one shard: ${shellWord(only?.file.path ?? '')}`,
    )
  }
  const ends: ExitCode[] = []
  for (const job of jobs) {
    if (host.stop.aborted) break
    ends.push(await act(job))
  }
  if (missing.length > 0) {
    tellMissing()
    ends.push(EXIT.unknown)
  }
  return byCare.find((code) => ends.includes(code)) ?? ends.at(-1) ?? EXIT.ok
}

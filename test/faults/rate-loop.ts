// Runs a job at a pace, in one process or several shards, and counts at the service what arrived within one second.
import { ended, type JobOptions, prepareJob } from './job.ts'

export interface PacedOptions extends Pick<JobOptions, 'rows' | 'bin' | 'bug'> {
  rate: string
  shards: number
}

export interface PaceReport {
  exitCodes: (number | null)[]
  /** Effects of the requests: one a row. */
  effects: number
  mostInASecond: number
}

/** Starts all processes at the same time, each with as many rows at once as it may have. */
export async function pacedLoop({ rate, shards, ...rest }: PacedOptions): Promise<PaceReport> {
  const flags = ['--rate', rate]
  await using job = await prepareJob({ rowClass: 'create', concurrency: 64, flags, ...rest })
  const parts = Array.from({ length: shards }, (_, index) => (shards === 1 ? [] : ['--shard', `${index}/${shards}`]))

  const runs = await Promise.all(parts.map((part) => ended(job.start({ flags: part }))))

  const { arrivedAtMs, lateMs } = await job.server.state()
  return {
    exitCodes: runs.map(({ exitCode }) => exitCode),
    effects: job.ledger().length,
    // What a busy machine delayed seems to have arrived later than it did.
    mostInASecond: mostWithin(arrivedAtMs, Math.max(1, 1000 - lateMs)),
  }
}

function mostWithin(instants: readonly number[], ms: number): number {
  return Math.max(...instants.map((from) => instants.filter((at) => at >= from && at < from + ms).length))
}

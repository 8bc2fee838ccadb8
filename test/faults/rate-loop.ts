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
  /** The most requests that came within a second for certain: one that is noticed late seems to be closer to the next. */
  mostInASecond: number
  /** By how much half of the requests, or more, may have been noticed late. */
  lateMs: number
}

/** Starts all processes at the same time, each with as many rows at once as it may have. */
export async function pacedLoop({ rate, shards, ...rest }: PacedOptions): Promise<PaceReport> {
  const flags = ['--rate', rate]
  await using job = await prepareJob({ rowClass: 'create', concurrency: 64, flags, ...rest })
  const parts = Array.from({ length: shards }, (_, index) => (shards === 1 ? [] : ['--shard', `${index}/${shards}`]))

  const runs = await Promise.all(parts.map((part) => ended(job.start({ flags: part }))))

  const { arrivedAtMs, lateByMs } = await job.server.state()
  return {
    exitCodes: runs.map(({ exitCode }) => exitCode),
    effects: job.ledger().length,
    mostInASecond: mostWithinASecond(arrivedAtMs, lateByMs),
    lateMs: lateByMs.toSorted((a, b) => a - b)[Math.floor(lateByMs.length / 2)] ?? 0,
  }
}

/** The first of a second's requests may have come earlier than it was seen, so its second may have ended earlier. */
function mostWithinASecond(instants: readonly number[], lateByMs: readonly number[]): number {
  const ends = instants.map((from, at) => from + Math.max(1, 1000 - (lateByMs[at] ?? 0)))
  return Math.max(...instants.map((from, at) => instants.filter((one) => one >= from && one < (ends[at] ?? 0)).length))
}

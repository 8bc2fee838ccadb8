// Runs a job at a pace, in one process or several shards, and counts what left within one second of the limiter's clock.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ended, type JobOptions, prepareJob } from './job.ts'

export interface PacedOptions extends Pick<JobOptions, 'rows' | 'bug'> {
  /** A promo with seams. */
  bin: string
  rate: string
  shards: number
}

export interface PaceReport {
  exitCodes: (number | null)[]
  /** Effects of the requests: one a row. */
  effects: number
  /** How many requests left. */
  departures: number
  mostInASecond: number
}

const file = 'departures'

/** Starts all processes at the same time, each with as many rows at once as it may have. */
export async function pacedLoop({ rate, shards, ...rest }: PacedOptions): Promise<PaceReport> {
  const paced = { flags: ['--rate', rate], env: { PACED_DEPARTURES: file } }
  await using job = await prepareJob({ rowClass: 'create', concurrency: 64, ...paced, ...rest })
  const parts = Array.from({ length: shards }, (_, index) => (shards === 1 ? [] : ['--shard', `${index}/${shards}`]))

  const runs = await Promise.all(parts.map((part) => ended(job.start({ flags: part }))))

  const instants = readFileSync(join(job.folder, file), 'utf8').trim().split('\n').map(Number)
  return {
    exitCodes: runs.map(({ exitCode }) => exitCode),
    effects: job.ledger().length,
    departures: instants.length,
    mostInASecond: Math.max(
      ...instants.map((from) => instants.filter((one) => one >= from && one < from + 1000).length),
    ),
  }
}

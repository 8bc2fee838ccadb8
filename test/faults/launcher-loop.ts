// Runs one job through the launcher, whose id is all that a script holds, ends that process again and again, and judges the record.
import { randomFrom, spreadFaults } from './fault-plan.ts'
import { ended, endedBy, type JobOptions, prepareJob, type Verdict } from './job.ts'

export interface LauncherLoopOptions extends Pick<JobOptions, 'rowClass' | 'rows' | 'bin'> {
  /** What the launcher is sent, one for each run. */
  signals: readonly NodeJS.Signals[]
  seed: number
}

export interface LauncherReport extends Verdict {
  /** The exit code of the run that was left alone; null where a job had gone on to its end before. */
  exitCode: number | null
  /** How each other run ended. */
  ends: (number | NodeJS.Signals | null)[]
  /** The signals after which the job went on to its end, as if nothing had happened. */
  outlived: NodeJS.Signals[]
}

const concurrency = 16

/** Ends each run after some of its rows, and leaves the last one alone. */
export async function launcherLoop({ signals, seed, ...options }: LauncherLoopOptions): Promise<LauncherReport> {
  const { rows } = options
  const random = randomFrom(seed)
  const plan = { seed, chance: 0.25, faults: spreadFaults(Math.floor(rows / 10), {}), perKey: 3 }
  // Slow enough for rows to be left when the signal has been noticed.
  await using job = await prepareJob({ ...options, concurrency, plan, flags: ['--rate', '300/s'] })
  const ends: LauncherReport['ends'] = []
  const outlived: NodeJS.Signals[] = []
  const each = (0.6 * rows) / signals.length
  for (const signal of signals) {
    const { requests } = await job.server.state()
    const child = job.start()
    // The output ends when no process has it open any more: the child of the launcher is gone too.
    const { exitCode } = await endedBy(signal, child, job.server, requests + Math.ceil(random() * each))
    ends.push(exitCode ?? child.signalCode)
    await job.server.stateAfterClients()
    const recorded = await job.recorded()
    if (recorded.some(({ state }) => state === 'pending')) continue
    outlived.push(signal)
    break
  }
  // The same command line would begin a job that is over again.
  const { exitCode } = outlived.length > 0 ? { exitCode: null } : await ended(job.start())
  return { ...(await job.verdict(signals.length * concurrency)), exitCode, ends, outlived }
}

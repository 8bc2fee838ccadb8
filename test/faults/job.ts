// One bulk job against a fault server of its own: started, resumed by the same command line, and judged at the end.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { bin as builtBin, environmentIn } from '../support/child.ts'
import { faultsIn } from './fault-kinds.ts'
import { type FaultPlan, noFaults } from './fault-plan.ts'
import { type Entry, entriesOf } from './ledger.ts'
import { type Judgement, judge, type Recorded, type RowClass } from './oracle.ts'
import { recordedBy } from './recorded.ts'
import type { Bug } from './seeded-bug.ts'
import { type FaultServer, type FaultServerState, startFaultServer } from './start-fault-server.ts'
import type { Effect } from './witnessed-service.ts'
import { workloadOf } from './workload.ts'

export interface JobOptions {
  rowClass: RowClass
  rows: number
  concurrency: number
  /** The faults that requests meet; none by default. */
  plan?: FaultPlan
  /** Faults of reads. */
  lookPlan?: FaultPlan
  /** One row in this many has a code taken by another client; none by default. */
  takenEvery?: number
  /** The program; the built one by default. */
  bin?: string
  /** The bug it has, when it was built with seams. */
  bug?: Bug
  /** Further flags of the command line. */
  flags?: readonly string[]
}

export interface Verdict {
  judgement: Judgement
  state: FaultServerState
  /** The content of the service according to the ledger, for comparison with its tables. */
  witnessed: FaultServerState['holdings']
}

export interface Job extends AsyncDisposable {
  server: FaultServer
  /** All files are written below it. */
  folder: string
  /** Starts or resumes the job. `shell` precedes the program: limits, a tracer. */
  start: (shell?: string) => ChildProcess
  /** What the job has recorded so far. */
  recorded: () => Promise<Recorded[]>
  /** What the service has done so far. */
  ledger: () => Entry[]
  /** Judges the finished job; `cutOff` is the most requests that can have been in flight when the process ended. */
  verdict: (cutOff: number) => Promise<Verdict>
}

/** Prepares a job: its input, its service, its folder. The caller disposes of it. */
export async function prepareJob(options: JobOptions): Promise<Job> {
  const { rowClass, rows, concurrency, plan = noFaults, lookPlan = noFaults, bin = builtBin } = options
  const folder = mkdtempSync(join(tmpdir(), 'promo-job-'))
  const work = workloadOf(rowClass, rows, folder)
  const ledgerFile = join(folder, 'ledger.jsonl')
  const vouchers = rowClass === 'disable' ? rows : 0
  const { takenEvery } = options
  const taken = takenEvery === undefined ? [] : work.keys.filter((_, index) => (index + 1) % takenEvery === 0)
  const server = await startFaultServer({ plan, lookPlan, ledger: ledgerFile, vouchers, taken })
  const flags = ['--yes', '--quiet', '--timeout', '2s', '--max-errors', '100%', '--concurrency', String(concurrency)]
  const argv = [bin, ...work.argv, ...flags, ...(options.flags ?? [])]
  const env = {
    ...environmentIn(folder),
    ...server.env,
    ...(options.bug && { SEEDED_BUG: options.bug }),
  }
  const recorded = () => recordedBy(work, env)
  const ledger = () => entriesOf(ledgerFile)

  return {
    server,
    folder,
    start(shell) {
      const stdio: ['ignore', 'ignore', 'pipe'] = ['ignore', 'ignore', 'pipe']
      if (shell === undefined) return spawn(process.execPath, argv, { stdio, env })
      return spawn('bash', ['-c', `${shell} "$@"`, 'bash', process.execPath, ...argv], { stdio, env })
    },
    recorded,
    ledger,
    async verdict(cutOff) {
      const state = await server.state()
      const doubtful = faultsIn(state.met, ({ proves }) => proves === 'ambiguous') + cutOff
      const entries = ledger()
      const evidence = { rowClass, keys: work.keys, recorded: await recorded(), ledger: entries, taken, doubtful }
      const judgement = judge(evidence)
      return { judgement, state, witnessed: holdingsBy(entries) }
    },
    async [Symbol.asyncDispose]() {
      await server[Symbol.asyncDispose]()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** Waits for a started promo to end; the exit code is null when it was killed. */
export async function ended(child: ChildProcess): Promise<{ exitCode: number | null; stderr: string }> {
  let stderr = ''
  child.stderr?.setEncoding('utf8').on('data', (text: string) => (stderr = (stderr + text).slice(-10_000)))
  const [exitCode] = (await once(child, 'close')) as [number | null]
  return { exitCode, stderr }
}

function holdingsBy(entries: readonly Entry[]): FaultServerState['holdings'] {
  const count = (wanted: Effect) => entries.filter(({ effect }) => effect === wanted).length
  return { vouchers: count('created'), switchedOff: count('disabled'), events: count('recorded') }
}

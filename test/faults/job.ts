// One bulk job against a fault server of its own: started, resumed by the same command line, and judged at the end.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createReadStream, mkdtempSync, rmSync } from 'node:fs'
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
import type { Effect, Habits } from './witnessed-service.ts'
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
  /** How the service keeps its times. */
  habits?: Habits
  /**
   * How long one request may take; by default two seconds where a fault never answers, and otherwise longer than any busy
   * computer takes: a request that met no fault must not become doubtful.
   */
  timeout?: string
  /** Further variables of the environment. */
  env?: Record<string, string>
  /** The folder of `--journal`, below that of the job; absent: in the state folder. */
  journal?: string
  /** How the rows arrive; by default in a file. */
  from?: 'file' | 'pipe'
}

export interface StartOptions {
  /** Shell words before the program: limits, a tracer. */
  shell?: string
  /** Flags of this run alone. */
  flags?: readonly string[]
  /** Another folder than that of the job for `--journal`. */
  journal?: string
  /** Another file than the input to pipe into it. */
  input?: string
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
  /** The file with its rows. */
  input: string
  /** Starts or resumes the job. */
  start: (options?: StartOptions) => ChildProcess
  /** Starts another command line with the settings and the service of the job. */
  promo: (argv: readonly string[]) => ChildProcess
  /** What the job has recorded so far. */
  recorded: () => Promise<Recorded[]>
  /** What the service has done so far. */
  ledger: () => Entry[]
  /**
   * Judges the finished job; `cutOff` is the most requests that can have been in flight when the process ended.
   * `unseen`: and that the service has not seen, for which rows of requests that it has seen may all be unknown.
   */
  verdict: (cutOff: number, are?: 'unseen') => Promise<Verdict>
}

/** Prepares a job: its input, its service, its folder. The caller disposes of it. */
export async function prepareJob(options: JobOptions): Promise<Job> {
  const {
    rowClass,
    rows,
    concurrency,
    plan = noFaults,
    lookPlan = noFaults,
    bin = builtBin,
    from = 'file',
    timeout = [plan, lookPlan].some(({ faults }) => faultsIn(faults, ({ isEndless }) => isEndless === true) > 0)
      ? '2s'
      : '10m',
  } = options
  const folder = mkdtempSync(join(tmpdir(), 'promo-job-'))
  const work = workloadOf(rowClass, rows, folder)
  const ledgerFile = join(folder, 'ledger.jsonl')
  const vouchers = rowClass === 'disable' ? rows : 0
  const cards = rowClass === 'points' ? 20 : 0
  const { takenEvery, habits = {} } = options
  const taken = takenEvery === undefined ? [] : work.keys.filter((_, index) => (index + 1) % takenEvery === 0)
  const server = await startFaultServer({ plan, lookPlan, ledger: ledgerFile, vouchers, cards, taken, habits })
  const flags = ['--yes', '--quiet', '--timeout', timeout, '--max-errors', '100%', '--concurrency', String(concurrency)]
  const input = from === 'pipe' ? ['-', '--input-format', work.format] : [work.file]
  const argv = [bin, ...work.argv, '--from', ...input, ...flags, ...(options.flags ?? [])]
  const env = {
    ...environmentIn(folder),
    ...server.env,
    ...(options.bug && { SEEDED_BUG: options.bug }),
    ...options.env,
  }
  const recorded = () => recordedBy(work, env, placeOf(options.journal && join(folder, options.journal)))
  const ledger = () => entriesOf(ledgerFile)

  return {
    server,
    folder,
    input: work.file,
    start({ shell, flags: more = [], input = work.file, journal = options.journal } = {}) {
      const command = shell === undefined ? [] : ['bash', '-c', `${shell} "$@"`, 'bash']
      const [program = '', ...words] = [...command, process.execPath, ...argv, ...placeOf(journal), ...more]
      const child = spawn(program, words, {
        stdio: [from === 'pipe' ? 'pipe' : 'ignore', 'ignore', 'pipe'],
        env,
        cwd: folder,
      })
      // A promo that is killed reads no further.
      child.stdin?.on('error', () => {})
      if (child.stdin) createReadStream(input).pipe(child.stdin)
      return child
    },
    promo: (words) =>
      spawn(process.execPath, [bin, ...words], { stdio: ['ignore', 'ignore', 'pipe'], env, cwd: folder }),
    recorded,
    ledger,
    async verdict(cutOff, are) {
      const state = await server.stateAfterClients()
      const entries = ledger()
      if (entries.length === 0) throw new Error('the service applied nothing: such a job proves nothing')
      const rows = await recorded()
      const seen = new Set(are && state.arrived)
      const seenUnknown = rows.filter(({ key, state }) => state === 'unknown' && seen.has(key)).length
      const doubtful = faultsIn(state.met, ({ proves }) => proves === 'ambiguous') + cutOff + seenUnknown
      const evidence = { rowClass, keys: work.keys, recorded: rows, ledger: entries, taken, doubtful }
      const judgement = judge(evidence)
      return { judgement, state, witnessed: holdingsBy(entries) }
    },
    async [Symbol.asyncDispose]() {
      await server[Symbol.asyncDispose]()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

function placeOf(journal: string | undefined): string[] {
  return journal === undefined ? [] : ['--journal', journal]
}

/** Waits for a started promo to end; the exit code is null when it was killed. */
export async function ended(child: ChildProcess): Promise<{ exitCode: number | null; stderr: string }> {
  let stderr = ''
  child.stderr?.setEncoding('utf8').on('data', (text: string) => (stderr = (stderr + text).slice(-50_000)))
  const [exitCode] = (await once(child, 'close')) as [number | null]
  return { exitCode, stderr }
}

/** Waits for a started promo to end by itself, or by a signal that the service sends it at this request. */
export async function endedBy(
  signal: NodeJS.Signals,
  child: ChildProcess,
  server: FaultServer,
  at: number,
): ReturnType<typeof ended> {
  const over = new AbortController()
  const end = ended(child).finally(() => over.abort())
  // What makes it fail, the end of the child or of the service, is seen in how the child ended.
  server.signal(at, child.pid, signal, over.signal).catch(() => {})
  return await end
}

function holdingsBy(entries: readonly Entry[]): FaultServerState['holdings'] {
  const count = (wanted: Effect) => entries.filter(({ effect }) => effect === wanted).length
  return { vouchers: count('created'), switchedOff: count('disabled'), events: count('recorded') }
}

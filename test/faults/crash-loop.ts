// Runs one bulk job against the fault server, kills it again and again, and asks the oracle what the record is worth.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { bin as ownBin } from '../support/child.ts'
import { type FaultCounts, faultsIn } from './fault-kinds.ts'
import { type FaultPlan, randomFrom, spreadFaults } from './fault-plan.ts'
import { type Entry, entriesOf } from './ledger.ts'
import { type Judgement, judge, type RowClass } from './oracle.ts'
import { recordedBy } from './recorded.ts'
import { type FaultServer, type FaultServerState, startFaultServer } from './start-fault-server.ts'
import type { Effect } from './witnessed-service.ts'
import { workloadOf } from './workload.ts'

export interface LoopOptions {
  rowClass: RowClass
  rows: number
  /** Faulty requests among all requests: 0.2 is one in five. */
  share: number
  /** How often the process is killed. */
  kills: number
  seed: number
  /** An empty folder for everything that is written. */
  folder: string
  /** Rows in flight at the same time. */
  concurrency: number
  /** Faults that hold up the whole run; none unless given. */
  dear?: FaultCounts
  /** The program; the built one unless given. */
  bin?: string
}

export interface LoopReport {
  judgement: Judgement
  state: FaultServerState
  /** What the ledger says the service holds; to be compared with what its tables say. */
  witnessed: FaultServerState['holdings']
  /** The exit code of the run that ended by itself. */
  exitCode: number | null
  /** What it said on stderr. */
  stderr: string
  elapsedMs: number
}

// A row that has met so many is spared: each further attempt would wait twice as long as the one before.
const faultsPerKey = 3

/** Runs a job to its end through faults and kills. Throws when promo ends early, or in a way no job should. */
export async function crashLoop(options: LoopOptions): Promise<LoopReport> {
  const { rowClass, rows, kills, seed, concurrency, folder, bin = ownBin } = options
  mkdirSync(folder, { recursive: true })
  const work = workloadOf(rowClass, rows, folder)
  const ledger = join(folder, 'ledger.jsonl')
  const vouchers = rowClass === 'disable' ? rows : 0
  await using server = await startFaultServer({ plan: planOf(options), ledger, vouchers })
  const start = () => startJob([bin, ...work.argv, '--concurrency', String(concurrency)], folder, server.env)

  const startedAt = performance.now()
  for (const moment of killMoments(rows, kills, seed)) await killedRun(start(), server, moment)
  const { exitCode, stderr } = await ended(start())
  const elapsedMs = performance.now() - startedAt

  const state = await server.state()
  const doubtful = faultsIn(state.met, ({ tells }) => tells === 'ambiguous') + kills * concurrency
  const recorded = recordedBy(work, folder)
  const entries = entriesOf(ledger)
  const judgement = judge({ rowClass, keys: work.keys, recorded, ledger: entries, doubtful })
  return { judgement, state, witnessed: holdingsBy(entries), exitCode, stderr, elapsedMs }
}

function holdingsBy(entries: readonly Entry[]): FaultServerState['holdings'] {
  const count = (wanted: Effect) => entries.filter(({ effect }) => effect === wanted).length
  return { vouchers: count('created'), switchedOff: count('disabled'), events: count('recorded') }
}

/**
 * Makes the plan for a share of faulty requests.
 *
 * Where a fault is followed by another attempt, the deck is as long as all requests together, so that exactly this share
 * of them is faulty; a kill makes more requests, which are free of faults. A lost event is not sent again: there, that
 * share of the rows meets a fault, before the rows that kills take out of the game.
 */
export function planOf({ rowClass, rows, share, kills, seed, concurrency, dear = {} }: LoopOptions): FaultPlan {
  const requests =
    rowClass === 'events'
      ? rows - kills * concurrency
      : Math.floor(
          (rows - faultsIn(dear, ({ tells }) => tells === 'confirmed') - (share < 0.5 ? 0 : kills * concurrency)) /
            (1 - share),
        )
  const faults = Math.floor(share * (rowClass === 'events' ? rows : requests))
  return { seed, requests, faults: spreadFaults(faults, dear), perKey: faultsPerKey }
}

/** When to kill: so many requests after the start, or so long after it. */
type Moment = { requests: number } | { ms: number }

/** Every fifth kill comes at a time of its own, in the middle of starting or recovering; the others while requests fly. */
function* killMoments(rows: number, kills: number, seed: number): Generator<Moment> {
  const random = randomFrom(seed)
  const widest = (1.8 * rows) / (kills + 1)
  for (let kill = 1; kill <= kills; kill += 1) {
    yield kill % 5 === 0 ? { ms: random() * 400 } : { requests: Math.ceil(random() * widest) }
  }
}

async function killedRun(child: ChildProcess, server: FaultServer, moment: Moment): Promise<void> {
  const over = new AbortController()
  const end = ended(child).finally(() => over.abort())
  const before = (await server.state()).requests
  const reached =
    'ms' in moment ? sleep(moment.ms) : server.whenRequests(before + moment.requests, over.signal).catch(() => {})
  await Promise.race([reached, end])
  child.kill('SIGKILL')
  const { exitCode, stderr } = await end
  if (exitCode !== null) throw new Error(`promo ended with exit code ${exitCode} before it was killed: ${stderr}`)
}

/** Starts the job, or goes on with it: the same command line every time. */
export function startJob(argv: string[], folder: string, env: Record<string, string>): ChildProcess {
  const flags = ['--yes', '--quiet', '--timeout', '2s', '--max-errors', '100%']
  return spawn(process.execPath, [...argv, ...flags], {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: promoEnv(folder, env),
  })
}

/** The environment of a promo whose settings and state lie in a folder. */
export function promoEnv(folder: string, env: Record<string, string>): NodeJS.ProcessEnv {
  return {
    PATH: process.env.PATH,
    HOME: folder,
    TZ: 'UTC',
    PROMO_CONFIG_DIR: join(folder, 'config'),
    PROMO_STATE_DIR: join(folder, 'state'),
    ...env,
  }
}

/** Waits for a started promo to end; the exit code is null when it was killed. */
export async function ended(child: ChildProcess): Promise<{ exitCode: number | null; stderr: string }> {
  let stderr = ''
  child.stderr?.setEncoding('utf8').on('data', (text: string) => (stderr = (stderr + text).slice(-10_000)))
  const [exitCode] = (await once(child, 'close')) as [number | null]
  return { exitCode, stderr }
}

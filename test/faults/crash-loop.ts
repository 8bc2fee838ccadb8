// Runs one bulk job against the fault server, kills it again and again, and asks the oracle what the record is worth.
import type { ChildProcess } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import { cheapFaults, type FaultCounts, faultKinds, faultsIn } from './fault-kinds.ts'
import { type FaultPlan, randomFrom, spreadFaults } from './fault-plan.ts'
import { ended, prepareJob, type Verdict } from './job.ts'
import type { RowClass } from './oracle.ts'
import type { FaultServer } from './start-fault-server.ts'

export interface LoopOptions {
  rowClass: RowClass
  rows: number
  /** Faulty requests among all requests: 0.2 is one in five. */
  share: number
  /** How often the process is killed. */
  kills: number
  seed: number
  /** Rows in flight at the same time. */
  concurrency: number
  /** Faults that hold up the whole run; none unless given. */
  dear?: FaultCounts
  /** The program; the built one unless given. */
  bin?: string
}

export interface LoopReport extends Verdict {
  /** The exit code of the run that ended by itself. */
  exitCode: number | null
  /** From the first start to the end, all kills included. */
  elapsedMs: number
}

// A row that has met so many is spared: each further attempt would wait twice as long as the one before.
const faultsPerKey = 3

/** Runs a job to its end through faults and kills. Throws when promo ends early. */
export async function crashLoop(options: LoopOptions): Promise<LoopReport> {
  const { rows, kills, seed, concurrency } = options
  const others = options.rowClass === 'create' ? { takenEvery: 50, lookPlan: lookPlanOf(options) } : {}
  await using job = await prepareJob({ ...options, ...others, plan: planOf(options) })

  const startedAt = performance.now()
  for (const moment of killMoments(rows, kills, seed)) await killedRun(job.start(), job.server, moment)
  const { exitCode } = await ended(job.start())
  const elapsedMs = performance.now() - startedAt

  return { ...(await job.verdict(kills * concurrency)), exitCode, elapsedMs }
}

/**
 * Makes the plan for a share of faulty requests.
 *
 * Where a fault is followed by another attempt, the deck is as long as all requests together, so that exactly this share
 * of them is faulty; a kill makes more requests, which are free of faults. A lost event is not sent again: there, that
 * share of the rows meets a fault, before the rows that kills take out of the game.
 */
function planOf({ rowClass, rows, share, kills, seed, concurrency, dear = {} }: LoopOptions): FaultPlan {
  const killed = kills * concurrency
  const slow = faultsIn(dear, ({ tells }) => tells === 'confirmed')
  // Half of all requests may be lost, to faults and to kills together: what kills take is not given to faults.
  const spared = slow + (share < 0.5 ? 0 : killed)
  const requests = rowClass === 'events' ? rows - killed : Math.floor((rows - spared) / (1 - share))
  const faults = Math.floor(share * (rowClass === 'events' ? rows : requests))
  return { seed, requests, faults: spreadFaults(faults, dear), perKey: faultsPerKey }
}

/** The same share of faults for requests that only look, without end. */
function lookPlanOf({ rows, share, seed }: LoopOptions): FaultPlan {
  const kinds = cheapFaults.filter((name) => !faultKinds[name].applies)
  const each = Math.floor((share * rows) / kinds.length)
  return {
    seed: seed + 1,
    requests: rows,
    faults: Object.fromEntries(kinds.map((name) => [name, each])),
    perKey: faultsPerKey,
  }
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
  const reached = 'ms' in moment ? sleep(moment.ms) : server.afterRequests(moment.requests, over.signal)
  await Promise.race([reached.catch(() => {}), end])
  child.kill('SIGKILL')
  const { exitCode, stderr } = await end
  if (exitCode !== null) throw new Error(`promo ended with exit code ${exitCode} before it was killed: ${stderr}`)
}

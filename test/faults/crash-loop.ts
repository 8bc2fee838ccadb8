// Runs one bulk job against the fault server, kills it repeatedly, and lets the oracle judge the record.
import { appendFileSync, copyFileSync, mkdtempSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { cheapFaults, type FaultCounts, type FaultName, faultKinds, faultsIn } from './fault-kinds.ts'
import { type FaultPlan, randomFrom, spreadFaults } from './fault-plan.ts'
import { ended, endedBy, type Job, type JobOptions, prepareJob, type StartOptions, type Verdict } from './job.ts'
import type { Bug } from './seeded-bug.ts'

export interface LoopOptions extends Pick<JobOptions, 'rowClass' | 'rows' | 'flags' | 'from' | 'journal'> {
  /** Faulty requests among all requests: 0.2 is one in five. */
  share: number
  /** How often the process is killed. */
  kills: number
  seed: number
  /** Rows in flight at the same time. */
  concurrency: number
  /** Faults that delay the entire run; none by default. */
  costly?: FaultCounts
  /** The kinds of the other faults; all that do not delay the run by default. */
  faultKinds?: readonly FaultName[]
  /** How many rows a kill can leave unknown whose requests the service has not seen; by default those in flight, seen or not. */
  unseen?: number
  /** In a job of `create`, one code in this many is already taken by another client; one in 50 by default. */
  takenEvery?: number
  /** The program; the built one by default. */
  bin?: string
  /** The bug it has, when it was built with seams. */
  bug?: Bug
}

export interface LoopReport extends Verdict {
  /** The exit code of the run that was not killed. */
  exitCode: number | null
  kills: number
  /** From the first start to the end, all kills included. */
  elapsedMs: number
  /** What was tried after each kill and must be refused (exit 9). */
  refused: { exitCode: number | null; sent: string[]; stderr: string }[]
}

// A row that met this many is spared: each further attempt would wait twice as long as the previous one.
const faultsPerKey = 4

/** Runs a job to completion despite faults and kills. Throws when promo ends early. */
export async function crashLoop(options: LoopOptions): Promise<LoopReport> {
  const { rowClass, kills, concurrency, unseen, takenEvery = 50, ...rest } = options
  const others = rowClass === 'create' ? { takenEvery, lookPlan: readPlanOf(options) } : {}
  await using job = await prepareJob({ ...rest, rowClass, concurrency, ...others, plan: planOf(options) })

  const startedAt = performance.now()
  const refused: LoopReport['refused'] = []
  for (const moment of killMoments(options)) {
    await killedRun(job, moment)
    // For the other classes a row that is sent twice is the same end.
    if (rowClass === 'events') refused.push(...(await wrongResumptions(job, options)))
  }
  const { exitCode } = await ended(job.start())
  const elapsedMs = performance.now() - startedAt

  const verdict = await (unseen === undefined
    ? job.verdict(kills * concurrency)
    : job.verdict(kills * unseen, 'unseen'))
  return { ...verdict, exitCode, kills, elapsedMs, refused }
}

/** Tries what would send events twice after a kill: the journal without its log, and another content of the pipe. */
async function wrongResumptions(job: Job, { from, journal }: LoopOptions): Promise<LoopReport['refused']> {
  const { requests } = await job.server.state()
  if (requests === 0) return []
  const tries = [
    ...(from === 'pipe' ? [{ input: longerInput(job) }] : []),
    ...(journal === undefined ? [] : [{ journal: lonelyCopy(job, journal) }]),
  ]
  const refused: LoopReport['refused'] = []
  for (const tried of tries) refused.push(await refusal(job, tried))
  return refused
}

async function refusal(job: Job, options: StartOptions): Promise<LoopReport['refused'][number]> {
  const before = await job.server.state()
  const { exitCode, stderr } = await ended(job.start(options))
  const { arrived } = await job.server.stateAfterClients()
  return { exitCode, sent: arrived.slice(before.requests), stderr }
}

/** Copies the file of the job alone, without its log, to a folder of its own. */
function lonelyCopy({ folder }: Job, journal: string): string {
  const copy = mkdtempSync(join(folder, 'copy-'))
  copyFileSync(join(folder, journal, 'job.sqlite'), join(copy, 'job.sqlite'))
  return copy
}

function longerInput({ folder, input }: Job): string {
  const longer = join(folder, 'longer.jsonl')
  copyFileSync(input, longer)
  appendFileSync(longer, '{"event":"cupping_attended","customer":{"source_id":"c-0"},"metadata":{"row":0}}\n')
  return longer
}

/**
 * Makes the plan for a share of faulty requests.
 *
 * A fault is followed by another attempt, so there are as many requests as rows and faults together. Where half of them
 * are to be lost, requests lost to kills count too, at times twice: a refusal, and the read that follows it. An event is
 * not sent again: there the requests are the rows, without those that kills may remove. The plan scripts only faults that
 * are certain to be met.
 */
function planOf({ rowClass, rows, share, kills, seed, concurrency, costly = {}, ...rest }: LoopOptions): FaultPlan {
  const isOnce = happensOnce(rowClass)
  const killed = kills * concurrency
  const chance = Math.min(1.2 * share, 0.5)
  const slow = faultsIn(costly, ({ proves }) => proves === 'confirmed')
  const wanted = isOnce ? share * rows : (share * (rows - slow - (share < 0.5 ? 0 : 1.2 * killed))) / (1 - share)
  const likely = isOnce ? chance * (rows - killed) : rows * faultsPerRow(chance)
  const sure = likely - 4 * Math.sqrt(likely)
  const faults = spreadFaults(Math.floor(Math.min(wanted, sure)), costly, rest.faultKinds)
  return { seed, chance, faults, perKey: faultsPerKey }
}

/** Whether a lost row is not sent again. */
function happensOnce(rowClass: LoopOptions['rowClass']): boolean {
  return rowClass === 'events' || rowClass === 'points'
}

function faultsPerRow(chance: number): number {
  return Array.from({ length: faultsPerKey }, (_, before) => chance ** (before + 1)).reduce((sum, part) => sum + part)
}

/** One fault in five reads, without limit. */
function readPlanOf({ rows, seed }: LoopOptions): FaultPlan {
  const names = cheapFaults.filter((name) => !faultKinds[name].applies)
  const faults = Object.fromEntries(names.map((name) => [name, rows]))
  return { seed: seed + 1, chance: 0.2, faults, perKey: faultsPerKey }
}

/** When to kill: at this request of all, or this long after the start, and at the latest this many requests after it. */
type Moment = { at: number } | { ms: number; requests: number }

/**
 * Every fifth kill comes after a time, during start or recovery, and before a fast machine could finish the rest; the others
 * while requests are in flight, at points spread over the first four fifths of them, without those that kills can cut off:
 * however many these are, some are left for the last kill.
 */
function* killMoments({ rowClass, rows, share, kills, seed, concurrency, unseen }: LoopOptions): Generator<Moment> {
  const random = randomFrom(seed)
  const requests = happensOnce(rowClass) ? rows : rows / (1 - share)
  const spread = 0.8 * (requests - kills * (unseen ?? concurrency))
  const points = Array.from({ length: kills - Math.floor(kills / 5) }, () => random() * spread)
  points.sort((a, b) => a - b)
  for (let kill = 1; kill <= kills; kill += 1) {
    if (kill % 5 === 0) yield { ms: random() * 400, requests: Math.ceil(0.02 * requests) }
    else yield { at: Math.ceil(points.shift() ?? 0) }
  }
}

async function killedRun({ start, server }: Job, moment: Moment): Promise<void> {
  const before = (await server.state()).requests
  const child = start()
  const at = 'at' in moment ? Math.max(moment.at, before + 1) : before + moment.requests
  const end = endedBy('SIGKILL', child, server, at)
  if ('ms' in moment) {
    await Promise.race([sleep(moment.ms), end])
    child.kill('SIGKILL')
  }
  const { exitCode, stderr } = await end
  // What it sent arrives after its end.
  await server.stateAfterClients()
  if (exitCode !== null) throw new Error(`promo ended with exit code ${exitCode} before it was killed: ${stderr}`)
}

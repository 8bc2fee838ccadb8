// Runs a job of disables and its undo against a service, or on a computer, whose clock is wrong, with faults and a kill of each.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { spreadFaults } from './fault-plan.ts'
import { ended, endedBy, type JobOptions, prepareJob } from './job.ts'
import { judgeUndo, type Recorded, type UndoEvidence } from './oracle.ts'

export interface UndoLoopOptions extends Pick<JobOptions, 'rows' | 'bin' | 'bug' | 'habits' | 'flags'> {
  seed: number
  /** How far the clock of the client jumps in the middle of the job. */
  jumpMs?: number
  /** Faults among the requests; 0.1 is one in ten. */
  share: number
  /** Whether the job and its undo are killed once each. */
  isKilled: boolean
}

export type UndoReport = ReturnType<typeof judgeUndo> & { exitCode: number | null; stderr: string }

// Date.now() of a promo that was started with this jumps once the file exists.
const jumping = `import { existsSync } from 'node:fs'
const real = Date.now
let jumped = false
Date.now = () => real() + ((jumped ||= existsSync(process.env.JUMP_AT)) ? Number(process.env.JUMP_MS) : 0)`

/** Disables, undoes that, and judges what is on and off in the end. */
export async function undoLoop(options: UndoLoopOptions): Promise<UndoReport> {
  const { rows, seed, share, jumpMs, isKilled, flags = [], ...rest } = options
  const plan = { seed, chance: 2 * share, faults: spreadFaults(Math.floor(share * rows), {}), perKey: 3 }
  const jump = jumpMs === undefined ? {} : jumpIn({ ms: jumpMs })
  const job = { rowClass: 'disable', rows, concurrency: 8, plan, ...rest } as const
  await using made = await prepareJob({ ...job, env: jump, flags, journal: 'journal' })
  const undo = () => made.promo(['jobs', 'undo', join(made.folder, 'journal'), '--yes', '--retries', '9'])

  const disabling = made.start()
  const end = isKilled ? endedBy('SIGKILL', disabling, made.server, rows / 2) : ended(disabling)
  if (jump.JUMP_AT !== undefined) {
    await made.server.arrival(rows / 2)
    writeFileSync(join(made.folder, jump.JUMP_AT), '')
  }
  await end
  // What a killed process sent arrives after its end.
  await made.server.stateAfterClients()
  if (isKilled) await ended(made.start())
  const recorded = await made.recorded()
  if (isKilled) {
    const { requests } = await made.server.state()
    await endedBy('SIGKILL', undo(), made.server, requests + rows / 4)
    await made.server.stateAfterClients()
  }
  const { exitCode, stderr } = await ended(undo())

  const keys = Array.from({ length: rows }, (_, index) => `OLD-${index + 1}`)
  const wasOff = keys.filter((_, index) => (index + 1) % 10 === 0)
  const judgement = judgeUndo({ keys, wasOff, ledger: made.ledger(), ...leftAlone(stderr, recorded) })
  return { ...judgement, exitCode, stderr }
}

function jumpIn({ ms }: { ms: number }): Record<string, string> {
  const NODE_OPTIONS = `--import=data:text/javascript,${encodeURIComponent(jumping)}`
  return { NODE_OPTIONS, JUMP_AT: 'jumped', JUMP_MS: String(ms) }
}

/** What an undo said in the end, in words for people, because that is what they have; they name only the first rows. */
function leftAlone(stderr: string, recorded: readonly Recorded[]): Pick<UndoEvidence, 'leftAlone' | 'unsure'> {
  if (stderr.includes('nothing was undone'))
    return { leftAlone: recorded.length, unsure: recorded.map(({ key }) => key) }
  const unsure = recorded.filter(({ changed }) => changed === undefined).map(({ key }) => key)
  return {
    leftAlone: Number(/([\d,]+) rows? (?:is|are) left alone/.exec(stderr)?.[1]?.replaceAll(',', '') ?? 0),
    unsure,
  }
}

// Ctrl-C at any point of a job: no new row begins, rows in flight are recorded, nothing is done twice.
// Source: docs/reliability.md#goals.
import { expect, test } from 'vitest'
import { sized } from '../support/size.ts'
import { randomFrom, spreadFaults } from './fault-plan.ts'
import { ended, endedBy, type Job, prepareJob } from './job.ts'
import { type RowClass, violationLines } from './oracle.ts'

const { rows, interruptions } = sized({
  quick: { rows: 500, interruptions: 3 },
  full: { rows: 2000, interruptions: 7 },
})
const concurrency = 32

// A promo that was started with this says when it has been told to stop, so that no test needs to measure that.
const mark = 'Ctrl-C arrived'
const listener = `process.on('SIGINT', () => process.getBuiltinModule('node:fs').writeSync(2, '${mark}\\n'))`
const telling = { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(listener)}` }

// In sequence: side by side they would only wait for each other.
test.each<{ rowClass: RowClass; exitCode: number }>([
  { rowClass: 'create', exitCode: 0 },
  { rowClass: 'disable', exitCode: 0 },
  { rowClass: 'events', exitCode: 6 },
])('a job of $rowClass that is interrupted again and again repeats no finished row', async ({ rowClass, exitCode }) => {
  const random = randomFrom(5)
  const each = (0.6 * rows) / interruptions
  const plan = { seed: 5, chance: 0.25, faults: spreadFaults(rows / 10, {}), perKey: 3 }
  await using job = await prepareJob({ rowClass, rows, concurrency, plan, env: telling })

  const interrupted = []
  for (let count = 0; count < interruptions; count += 1) {
    interrupted.push(await interruptedAfter(Math.ceil(random() * each), job))
  }
  const last = await ended(job.start())

  expect(interrupted.map((run) => run.exitCode)).toEqual(Array(interruptions).fill(130))
  // Rows whose turn had come are sent still: one request for each row in flight.
  expect(Math.max(...interrupted.map(({ late }) => late))).toBeLessThanOrEqual(concurrency)
  expect(interrupted.flatMap(({ finished, requests }) => repeated(job, finished, requests))).toEqual([])
  expect(last.exitCode).toBe(exitCode)
  expect(violationLines((await job.verdict(0)).judgement)).toEqual([])
})

test('a second Ctrl-C ends a job that waits for answers, and rows in flight are not done twice', async () => {
  await using job = await prepareJob({ rowClass: 'events', rows: 1000, concurrency, timeout: '10m', env: telling })
  const child = job.start()
  const end = ended(child)
  const told = new Promise((resolve) =>
    child.stderr?.on('data', (text) => String(text).includes(mark) && resolve(text)),
  )
  await job.server.mute(200, concurrency)

  child.kill('SIGINT')
  await told
  child.kill('SIGINT')
  await end
  await job.server.unmute()
  const { exitCode } = await ended(job.start())

  expect({ signal: child.signalCode, exitCode }).toEqual({ signal: 'SIGINT', exitCode: 6 })
  expect(violationLines((await job.verdict(concurrency)).judgement)).toEqual([])
})

/** Resumes a job and interrupts it this many requests later. */
async function interruptedAfter(requests: number, job: Job) {
  const before = await job.server.state()
  const child = job.start({ flags: ['--verbose'] })
  const { exitCode, stderr } = await endedBy('SIGINT', child, job.server, before.requests + requests)
  const state = await job.server.stateAfterClients()
  const isFinal = new Set(['ok', 'ok_inferred', 'conflict', 'failed', 'unknown'])
  const [, afterwards = stderr] = stderr.split(mark)
  return {
    exitCode,
    late: [...afterwards.matchAll(/^> /gm)].length,
    requests: state.requests,
    finished: new Set((await job.recorded()).filter(({ state }) => isFinal.has(state)).map(({ key }) => key)),
  }
}

/** Rows that were finished after this many requests, but had an effect later. */
function repeated(job: Job, finished: ReadonlySet<string>, requests: number): string[] {
  return job
    .ledger()
    .filter(({ key, request }) => request > requests && finished.has(key))
    .map(({ key }) => key)
}

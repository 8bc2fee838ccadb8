// Ctrl-C at any point of a job: no new row begins, rows in flight are recorded, nothing is done twice.
// Source: docs/reliability.md#goals.
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { randomFrom, spreadFaults } from './fault-plan.ts'
import { ended, type Job, prepareJob } from './job.ts'
import { type RowClass, violationLines } from './oracle.ts'
import { sized } from './size.ts'

const { rows, interruptions } = sized({
  quick: { rows: 500, interruptions: 3 },
  full: { rows: 2000, interruptions: 7 },
})
const concurrency = 32

// In sequence: side by side they would only wait for each other.
test.each<{ rowClass: RowClass; exitCode: number }>([
  { rowClass: 'create', exitCode: 0 },
  { rowClass: 'disable', exitCode: 0 },
  { rowClass: 'events', exitCode: 6 },
])(
  'a job of $rowClass that is interrupted again and again repeats no finished row',
  { timeout: 120_000 },
  async ({ rowClass, exitCode }) => {
    const random = randomFrom(5)
    const plan = { seed: 5, chance: 0.25, faults: spreadFaults(rows / 10, {}), perKey: 3 }
    await using job = await prepareJob({ rowClass, rows, concurrency, plan })

    const interrupted = []
    for (let count = 0; count < interruptions; count += 1) {
      interrupted.push(await interruptedAfter(Math.ceil(random() * 200), job))
    }
    const last = await ended(job.start())

    expect(interrupted.map((run) => run.exitCode)).toEqual(Array(interruptions).fill(130))
    expect(Math.max(...interrupted.map(({ tookMs }) => tookMs))).toBeLessThan(10_000)
    // What had left when the signal was handled arrives still: one request for each row in flight.
    expect(Math.max(...interrupted.map(({ late }) => late))).toBeLessThanOrEqual(concurrency)
    expect(interrupted.flatMap(({ finished, requests }) => repeated(job, finished, requests))).toEqual([])
    expect(last.exitCode).toBe(exitCode)
    expect(violationLines((await job.verdict(0)).judgement)).toEqual([])
  },
)

test('a second Ctrl-C ends a job within a second, and rows in flight are not done twice', {
  timeout: 60_000,
}, async () => {
  const plan = { seed: 5, chance: 0.2, faults: { stall: 40, 'apply-stall': 40 }, perKey: 1 }
  await using job = await prepareJob({ rowClass: 'events', rows: 1000, concurrency, plan })
  const child = job.start()
  const end = ended(child)
  await job.server.afterRequests(200)

  child.kill('SIGINT')
  await sleep(100)
  const againAt = performance.now()
  child.kill('SIGINT')
  await end
  const tookMs = performance.now() - againAt
  const { exitCode } = await ended(job.start())

  expect({ signal: child.signalCode, exitCode }).toEqual({ signal: 'SIGINT', exitCode: 6 })
  expect(tookMs).toBeLessThan(1000)
  expect(violationLines((await job.verdict(concurrency)).judgement)).toEqual([])
})

/** Resumes a job and interrupts it this many requests later. */
async function interruptedAfter(requests: number, job: Job) {
  const child = job.start()
  const end = ended(child)
  await job.server.afterRequests(requests)
  const at = Date.now()
  child.kill('SIGINT')
  const { exitCode } = await end
  const state = await job.server.stateAfterClients()
  const isFinal = new Set(['ok', 'ok_inferred', 'conflict', 'failed', 'unknown'])
  return {
    exitCode,
    tookMs: Date.now() - at,
    late: state.arrivedAtMs.filter((arrivedAt) => arrivedAt > at).length,
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

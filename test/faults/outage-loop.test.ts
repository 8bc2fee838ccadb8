// A service that becomes unavailable in the middle of a job, and comes back.
// Source: docs/reliability.md#health-and-outage; docs/reliability.md#fault-matrix; docs/reliability.md#goals.
import { describe, expect, test } from 'vitest'
import { sized } from '../support/size.ts'
import { ended, prepareJob, type Verdict } from './job.ts'
import { type RowClass, violationLines } from './oracle.ts'

const rows = sized({ quick: 700, full: 2000 })
// Requests after which the service becomes unavailable.
const before = sized({ quick: 300, full: 700 })
const concurrency = 32

describe('a job of many rows', () => {
  test.concurrent.each<RowClass>(['create', 'disable', 'events'])(
    'of %s waits for a service that is unavailable for three seconds, and then does the rest',
    async (rowClass) => {
      await using job = await prepareJob({ rowClass, rows, concurrency })
      const end = ended(job.start())

      await job.server.outage(before, 3000)

      const { exitCode } = await end
      const verdict = await job.verdict(concurrency)
      expect(violationLines(verdict.judgement)).toEqual([])
      expect(exitCode).toBe(exitCodeFor(verdict))
      expect(verdict.state.requests).toBeLessThanOrEqual(rows + concurrency)
    },
  )

  test.concurrent.each<RowClass>(['disable', 'events'])(
    'of %s does not flood a service that answers only 503 for three seconds',
    async (rowClass) => {
      await using job = await prepareJob({ rowClass, rows, concurrency })
      const end = ended(job.start())

      await job.server.overload(before, 3000)

      const { exitCode } = await end
      const verdict = await job.verdict(0)
      expect(violationLines(verdict.judgement)).toEqual([])
      expect(exitCode).toBe(exitCodeFor(verdict))
      expect(verdict.state.met['status-503']).toBeLessThanOrEqual(mostRefused(concurrency))
    },
  )

  test.concurrent.each<RowClass>(['create', 'events'])(
    'of %s stops when the outage lasts too long, and the same command line finishes it',
    async (rowClass) => {
      await using job = await prepareJob({ rowClass, rows, concurrency, flags: ['--max-outage', '1s'] })
      const stopped = ended(job.start())
      const back = job.server.outage(before, 4000)

      const { exitCode: atFirst } = await stopped
      const recorded = (await job.recorded()).map(({ state }) => state)
      await back
      const { exitCode: afterwards } = await ended(job.start())

      const verdict = await job.verdict(concurrency)
      expect(violationLines(verdict.judgement)).toEqual([])
      expect(recorded).toContain('pending')
      expect(atFirst).toBe(recorded.includes('unknown') ? 6 : 5)
      expect(afterwards).toBe(exitCodeFor(verdict))
    },
  )
})

const few = sized({ quick: [1], full: [1, 2, 8, 64] })
const fewClasses = sized<RowClass[]>({ quick: ['create', 'events'], full: ['create', 'disable', 'events'] })
const ways = ['outage', 'overload', 'silence'] as const

test.concurrent.each(
  fewClasses.flatMap((rowClass) => few.flatMap((atOnce) => ways.map((way) => ({ rowClass, atOnce, way })))),
)(
  'a job of $rowClass with $atOnce rows at once does all of them in spite of three seconds of $way',
  async ({ rowClass, atOnce, way }) => {
    const total = 20 * atOnce
    const limit = way === 'silence' ? { timeout: '2s' } : {}
    await using job = await prepareJob({ rowClass, rows: total, concurrency: atOnce, ...limit })
    const end = ended(job.start())

    await job.server[way](atOnce, 3000)

    const { exitCode } = await end
    const verdict = await job.verdict(atOnce)
    const { unknown = 0, ...states } = verdict.judgement.states
    expect(violationLines(verdict.judgement)).toEqual([])
    expect(exitCode).toBe(exitCodeFor(verdict))
    expect(Object.keys(states).filter((state) => state !== 'ok' && state !== 'ok_inferred')).toEqual([])
    expect(unknown).toBeLessThanOrEqual(rowClass === 'events' ? mostRefused(atOnce) : 0)
  },
)

/**
 * Three failures in a row for each row at once open the circuit. The last answers of before may come among the failures, and
 * begin the count again; the requests in flight when it opens fail too, as do probes after one and three seconds.
 */
function mostRefused(atOnce: number): number {
  return 5 * atOnce + 2
}

/** Events in flight when the connections were cut, if any, stay unknown. */
function exitCodeFor({ judgement }: Verdict): number {
  return judgement.states.unknown === undefined ? 0 : 6
}

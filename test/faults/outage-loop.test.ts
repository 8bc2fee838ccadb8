// A service that becomes unavailable in the middle of a job, and comes back.
// Source: docs/reliability.md#health-and-outage; docs/reliability.md#fault-matrix; docs/reliability.md#goals.
import { describe, expect, test } from 'vitest'
import { ended, prepareJob, type Verdict } from './job.ts'
import { type RowClass, violationLines } from './oracle.ts'
import { sized } from './size.ts'

const rows = sized({ quick: 700, full: 2000 })
// Requests after which the service becomes unavailable.
const before = sized({ quick: 300, full: 700 })
const concurrency = 32

describe('a job of many rows', { timeout: 60_000 }, () => {
  test.concurrent.each<RowClass>(['create', 'disable', 'events'])(
    'of %s waits for a service that is unavailable for three seconds, and then does the rest',
    async (rowClass) => {
      await using job = await prepareJob({ rowClass, rows, concurrency })
      const end = ended(job.start())

      await job.server.afterRequests(before)
      await job.server.outage(3000)

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

      await job.server.afterRequests(before)
      await job.server.overload(3000)

      const { exitCode } = await end
      const verdict = await job.verdict(0)
      expect(violationLines(verdict.judgement)).toEqual([])
      expect(exitCode).toBe(exitCodeFor(verdict))
      // 96 consecutive failures open the circuit; requests then in flight fail too, as do probes after one and three seconds.
      expect(verdict.state.met['status-503']).toBeLessThanOrEqual(4 * concurrency + 2)
    },
  )

  test.concurrent.each<RowClass>(['create', 'events'])(
    'of %s stops when the outage lasts too long, and the same command line finishes it',
    async (rowClass) => {
      await using job = await prepareJob({ rowClass, rows, concurrency, flags: ['--max-outage', '1s'] })
      const stopped = ended(job.start())
      await job.server.afterRequests(before)
      const back = job.server.outage(4000)

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

/** Events in flight when the connections were cut, if any, stay unknown. */
function exitCodeFor({ judgement }: Verdict): number {
  return judgement.states.unknown === undefined ? 0 : 6
}

// A disk that is full at any write of the journal. Source: docs/reliability.md#goals; F-42.
import { expect, test } from 'vitest'
import { needing } from '../support/programs.ts'
import { ended, type Job, prepareJob } from './job.ts'
import { accusations, type RowClass } from './oracle.ts'
import { sized } from './size.ts'

const rows = 400
const stepKiB = sized({ quick: 16, full: 8 })
const concurrency = 8

test.concurrent.each<RowClass>(['create', 'events'])(
  'a job of %s sends nothing that it cannot write down first, and goes on when there is room again',
  { timeout: 120_000, ...needing('bash') },
  async (rowClass) => {
    await using job = await prepareJob({ rowClass, rows, concurrency })

    const { stops, exitCode, stderr } = await untilItFits(job)

    const { judgement, state } = await job.verdict(stops.length * concurrency)
    expect(accusations(judgement), stderr).toEqual([])
    expect(exitCode, stderr).toBe(judgement.states.unknown === undefined ? 0 : 6)
    // An event that was sent and could not be written down is unknown for good, which needs more care than a full disk.
    expect(new Set(stops.map(({ exitCode }) => exitCode))).toEqual(new Set(rowClass === 'events' ? [10, 6] : [10]))
    expect(stops.at(0)).toMatchObject({ exitCode: 10, requests: 0 })
    expect(stops.filter(({ requests }) => requests > 0 && requests < rows).length).toBeGreaterThan(5)
    expect(state.requests).toBeLessThanOrEqual(rows + stops.length * concurrency)
  },
)

/**
 * Runs the job again and again, with a little more room in each of its files, until it comes to its end; gives the exit code
 * of that run, what it said, and those before it that ended for want of room.
 *
 * The limit of a file's size is what anybody may set; beyond it a write fails as on a full disk, and may be cut short.
 */
async function untilItFits(job: Job) {
  const stops: { exitCode: number | null; requests: number }[] = []
  for (let limitKiB = 4; ; limitKiB += stepKiB) {
    const { exitCode, stderr } = await ended(job.start(`ulimit -f ${limitKiB}; exec`))
    if (!stderr.includes('disk I/O error')) return { stops, exitCode, stderr }
    const { requests } = await job.server.state()
    stops.push({ exitCode, requests })
  }
}

// A disk that is full at any write of the journal. Source: docs/reliability.md#goals; F-42.
import { expect, test } from 'vitest'
import { needing } from '../support/programs.ts'
import { sized } from '../support/size.ts'
import { ended, type Job, prepareJob } from './job.ts'
import { type RowClass, violationLines } from './oracle.ts'

const rows = 400
const stepKiB = sized({ quick: 12, full: 8 })
const concurrency = 8

test.concurrent.each<RowClass>(['create', 'events'])(
  'a job of %s sends nothing that it cannot record first, and resumes when there is room again',
  needing('bash'),
  async (rowClass) => {
    await using job = await prepareJob({ rowClass, rows, concurrency })

    const { stops, exitCode, stderr } = await untilItFits(job)

    const { judgement, state } = await job.verdict(stops.length * concurrency)
    expect(violationLines(judgement), stderr).toEqual([])
    expect(exitCode, stderr).toBe(judgement.states.unknown === undefined ? 0 : 6)
    // An event that was sent and could not be recorded stays unknown; resending it needs more caution than a full disk.
    expect(new Set(stops.map(({ exitCode }) => exitCode))).toEqual(new Set(rowClass === 'events' ? [10, 6] : [10]))
    expect(stops.at(0)).toMatchObject({ exitCode: 10, requests: 0 })
    // In the middle of the job, too. The busier the computer, the more rows are recorded at once, in fewer pages.
    expect(stops.filter(({ requests }) => requests > 0 && requests < rows).length).toBeGreaterThanOrEqual(3)
    expect(state.requests).toBeLessThanOrEqual(rows + stops.length * concurrency)
  },
)

/**
 * Runs the job repeatedly, with a little more room in each of its files, until it completes; returns the exit code
 * and messages of that run, and the earlier runs that ended for lack of room.
 *
 * Setting a limit on file size needs no privileges; beyond it a write fails as on a full disk, and may be partial.
 */
async function untilItFits(job: Job) {
  const stops: { exitCode: number | null; requests: number }[] = []
  for (let limitKiB = 4; ; limitKiB += stepKiB) {
    const { exitCode, stderr } = await ended(job.start({ shell: `ulimit -f ${limitKiB}; exec` }))
    if (!stderr.includes('the disk reports an error')) return { stops, exitCode, stderr }
    const { requests } = await job.server.state()
    stops.push({ exitCode, requests })
  }
}

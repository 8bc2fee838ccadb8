// Tests the guarantees of the bulk engine with faults, kills, and an oracle. Source: docs/reliability.md#goals.
import { afterAll, describe, expect, test } from 'vitest'
import { sized } from '../support/size.ts'
import { crashLoop, type LoopReport } from './crash-loop.ts'
import { faultNames, faultsIn } from './fault-kinds.ts'
import { type RowClass, violationLines } from './oracle.ts'

const { rows, kills, costlyEach } = sized({
  quick: { rows: 900, kills: 3, costlyEach: 1 },
  full: { rows: 10_000, kills: 20, costlyEach: 10 },
})
const seed = Number(process.env.FAULT_SEED ?? 20_261_121)

// The pace that one 429 slows down recovers in seconds, and a stall holds its row for two, so a few of each suffice.
const costly = {
  throttle: 1,
  'throttle-with-time': 1,
  'throttle-in-body': 1,
  stall: costlyEach,
  'apply-stall': costlyEach,
  'apply-slow': costlyEach,
}
// Only a create can be looked up afterwards.
const refusals = { 'status-400': 2 * costlyEach }

const refusedFor =
  /job.sqlite-wal, which has its latest records, is missing|standard input has changed since; nothing was sent/

// Rows whose intent went to the disk together: those whose turn came while it was written, so few, however slow the disk.
const mostUnseen = 8

const lines: string[] = []
afterAll(() => void process.stdout.write(`\n${lines.join('\n')}\n(seed ${seed}; FAULT_SEED=N repeats or varies it)\n`))

describe.each([
  { share: 0.2, concurrency: 32, mostRequests: 1.4 * rows, journal: 'journal' },
  { share: 0.5, concurrency: 64, mostRequests: 2 * rows, from: 'pipe' },
] as const)(`$share of all requests fail and the process is killed ${kills} times`, (loop) => {
  const { mostRequests, ...rest } = loop
  const { share, concurrency } = rest
  test.concurrent.each<{ rowClass: RowClass; exitCode: number; work: string }>([
    {
      rowClass: 'create',
      exitCode: 6,
      work: 'every new voucher is created once, and no code created by another client is claimed',
    },
    { rowClass: 'disable', exitCode: 0, work: 'every voucher is disabled and recorded as it was' },
    { rowClass: 'events', exitCode: 6, work: 'no event is sent twice, and only lost ones are unknown' },
  ])('$work', async ({ rowClass, exitCode }) => {
    const faults = { ...costly, ...(rowClass === 'create' && refusals) }
    const report = await crashLoop({ rowClass, rows, kills, seed, costly: faults, ...rest })

    lines.push(lineOf(report, rowClass, share))
    expect(violationLines(report.judgement)).toEqual([])
    expect(report.exitCode).toBe(exitCode)
    expect(report.state.left).toEqual({})
    const unmet = faultNames.filter((name) => (report.state.met[name] ?? 0) === 0)
    expect(unmet).toEqual(rowClass === 'create' ? ['redirect'] : ['status-400', 'redirect'])
    expect(report.state.requests).toBeLessThanOrEqual(mostRequests)
    expect(report.state.mostInFlight).toBeLessThanOrEqual(concurrency)
    expect(report.witnessed).toEqual(report.state.holdings)
    for (const refusal of report.refused) {
      expect(refusal).toEqual({ exitCode: 9, sent: [], stderr: expect.stringMatching(refusedFor) })
    }
    expect(report.refused.length >= kills - 1).toBe(rowClass === 'events')
  })
})

test('of events that wait for the pace of --rate, kills leave only those unknown that had left', async () => {
  const { pacedRows, pacedKills } = sized({
    quick: { pacedRows: 120, pacedKills: 3 },
    full: { pacedRows: 600, pacedKills: 15 },
  })
  const loop = { share: 0, seed, concurrency: 64, flags: ['--rate', '40/s'], unseen: mostUnseen }
  const report = await crashLoop({ rowClass: 'events', rows: pacedRows, kills: pacedKills, ...loop })

  lines.push(lineOf(report, 'events', 0))
  expect(violationLines(report.judgement)).toEqual([])
})

test('of rows that share a source id, none is taken for another one', async () => {
  const { twinRows, twinKills } = sized({
    quick: { twinRows: 300, twinKills: 2 },
    full: { twinRows: 1800, twinKills: 12 },
  })
  const loop = { rowClass: 'points', rows: twinRows, kills: twinKills, share: 0.2, seed, concurrency: 32 } as const
  const report = await crashLoop(loop)

  lines.push(lineOf(report, 'points', loop.share))
  expect(violationLines(report.judgement)).toEqual([])
  // A row with a source id of its own is proved by it; in the quick size no such row may have lost its answer.
  expect(report.judgement.states.ok_inferred ?? 0).toBeGreaterThanOrEqual(sized({ quick: 0, full: 1 }))
  expect(report.exitCode).toBe(6)
})

function lineOf({ judgement, state, elapsedMs, kills }: LoopReport, rowClass: RowClass, share: number): string {
  const { met, requests, reads, mostInFlight } = state
  const after = faultsIn(met, ({ applies }) => applies)
  const kinds = faultNames.filter((name) => (met[name] ?? 0) > 0).length
  const total = Object.values(judgement.states).reduce((sum, count) => sum + count)
  const states = Object.entries(judgement.states).map(([state, count]) => `${state} ${count}`)
  return [
    `${rowClass}, ${share * 100} %: ${total} rows, ${kills} kills, ${(elapsedMs / 1000).toFixed(1)} s`,
    `${requests} requests and ${reads} reads, ${mostInFlight} in flight at most`,
    `${faultsIn(met)} faults of ${kinds} kinds, ${after} after the work`,
    `${states.join(', ')} (${judgement.unknownApplied} of the unknown applied, ${judgement.repeats} repeats)`,
    `wrong: ${violationLines(judgement).join('; ') || 0}`,
  ].join('; ')
}

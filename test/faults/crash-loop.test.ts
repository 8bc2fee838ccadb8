// Tests the guarantees of the bulk engine with faults, kills, and an oracle. Source: docs/reliability.md#goals.
import { afterAll, describe, expect, test } from 'vitest'
import { crashLoop, type LoopReport } from './crash-loop.ts'
import { faultNames, faultsIn } from './fault-kinds.ts'
import { type RowClass, violationLines } from './oracle.ts'
import { sized } from './size.ts'

const { rows, kills, costlyEach } = sized({
  quick: { rows: 2000, kills: 5, costlyEach: 2 },
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

const lines: string[] = []
afterAll(() => void process.stdout.write(`\n${lines.join('\n')}\n(seed ${seed}; FAULT_SEED=N repeats or varies it)\n`))

describe.each([
  { share: 0.2, concurrency: 32, mostRequests: 1.4 * rows },
  { share: 0.5, concurrency: 64, mostRequests: 2 * rows },
])(`$share of all requests fail and the process is killed ${kills} times`, ({ share, concurrency, mostRequests }) => {
  test.concurrent.each<{ rowClass: RowClass; exitCode: number; work: string }>([
    {
      rowClass: 'create',
      exitCode: 6,
      work: 'every new voucher is created once, and no code created by another client is claimed',
    },
    { rowClass: 'disable', exitCode: 0, work: 'every voucher is disabled and recorded as it was' },
    { rowClass: 'events', exitCode: 6, work: 'no event is sent twice, and only lost ones are unknown' },
  ])('$work', { timeout: 300_000 }, async ({ rowClass, exitCode }) => {
    const report = await crashLoop({ rowClass, rows, share, kills, seed, concurrency, costly })

    lines.push(lineOf(report, rowClass, share))
    expect(violationLines(report.judgement)).toEqual([])
    expect(report.exitCode).toBe(exitCode)
    expect(report.state.left).toEqual({})
    expect(faultNames.filter((name) => (report.state.met[name] ?? 0) > 0)).toHaveLength(faultNames.length - 1)
    expect(report.state.requests).toBeLessThanOrEqual(mostRequests)
    expect(report.state.mostInFlight).toBeLessThanOrEqual(concurrency)
    expect(report.witnessed).toEqual(report.state.holdings)
  })
})

function lineOf({ judgement, state, elapsedMs }: LoopReport, rowClass: RowClass, share: number): string {
  const { met, requests, reads, mostInFlight } = state
  const after = faultsIn(met, ({ applies }) => applies)
  const kinds = faultNames.filter((name) => (met[name] ?? 0) > 0).length
  const states = Object.entries(judgement.states).map(([state, count]) => `${state} ${count}`)
  return [
    `${rowClass}, ${share * 100} %: ${rows} rows, ${kills} kills, ${(elapsedMs / 1000).toFixed(1)} s`,
    `${requests} requests and ${reads} reads, ${mostInFlight} in flight at most`,
    `${faultsIn(met)} faults of ${kinds} kinds, ${after} after the work`,
    `${states.join(', ')} (${judgement.unknownApplied} of the unknown applied, ${judgement.repeats} repeats)`,
    `wrong: ${violationLines(judgement).join('; ') || 0}`,
  ].join('; ')
}

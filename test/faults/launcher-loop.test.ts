// Where an older Node started bin/run.js the process that a script starts is the launcher. What ends it ends the job, and the next run
// goes on where that one stopped. Source: docs/reliability.md#fault-matrix, F-80.
import { expect, test } from 'vitest'
import { launcherIn } from '../support/launcher.ts'
import { temporaryFolder } from '../support/promo.ts'
import { sized } from '../support/size.ts'
import { launcherLoop } from './launcher-loop.ts'
import { type RowClass, violationLines } from './oracle.ts'

const seed = Number(process.env.FAULT_SEED ?? 7)
const { rows, rounds } = sized({ quick: { rows: 300, rounds: 1 }, full: { rows: 3000, rounds: 5 } })
const signals = Array.from({ length: rounds }, () => ['SIGKILL', 'SIGTERM', 'SIGQUIT'] as const).flat()

test.concurrent.each<{ rowClass: RowClass; exitCode: number }>([
  { rowClass: 'create', exitCode: 0 },
  { rowClass: 'disable', exitCode: 0 },
  { rowClass: 'events', exitCode: 6 },
])('a job of $rowClass loses and doubles nothing when its launcher is ended', async (kind) => {
  const { rowClass, exitCode } = kind
  const report = await launcherLoop({ rowClass, rows, signals, seed, bin: launcherIn(temporaryFolder()) })

  expect(violationLines(report.judgement)).toEqual([])
  expect(report.outlived).toEqual([])
  expect(report.ends).toEqual(signals.map((signal) => (signal === 'SIGTERM' ? 143 : signal)))
  expect(report.exitCode).toBe(exitCode)
})

test('the loop notices a child that goes on without its launcher', async () => {
  const bin = launcherIn(temporaryFolder(), (text) => text.replace("'launched' }", "'alone' }"))

  const { outlived } = await launcherLoop({ rowClass: 'disable', rows: 60, signals: ['SIGKILL'], seed, bin })

  expect(outlived).toEqual(['SIGKILL'])
})

// Tests the crash loop itself: it must detect every seeded bug, and nothing in the code without bugs.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { crashLoop, type LoopOptions } from './crash-loop.ts'
import { ledgerLoop } from './ledger-loop.ts'
import { downloadsLoop, listsLoop } from './lists-loop.ts'
import { type RowClass, violationLines } from './oracle.ts'
import { seededBugs } from './seeded-bugs.ts'
import { type Build, buildWithSeams } from './seeded-build.ts'
import { undoLoop } from './undo-loop.ts'

let build: Build
beforeAll(async () => {
  build = await buildWithSeams()
})
afterAll(() => build[Symbol.dispose]())

describe('the crash loop', () => {
  test.concurrent.each(seededBugs)('notices when $name', async ({ rowClass, seenAs, bug, kills = 0, loop }) => {
    const { judgement } = await shortLoop(rowClass, kills, { ...loop, bug })

    expect(violationLines(judgement).join('\n')).toContain(seenAs)
  })

  test.concurrent.each<RowClass>(['create', 'disable', 'events'])(
    'finds nothing in the same loop of %s',
    async (rowClass) => {
      const { judgement, state } = await shortLoop(rowClass, 3)

      expect(violationLines(judgement)).toEqual([])
      expect(state.left).toEqual({})
    },
  )

  test('refuses a seam that no module imports', async () => {
    await expect(buildWithSeams(['gone.ts'], [])).rejects.toThrow('no module imports src/gone.ts')
  })
})

test('the undo loop notices when the clocks of the service and of this computer are trusted', async () => {
  const loop = { rows: 160, seed: 3, share: 0, isKilled: false, bin: build.bin, habits: { skewMs: -1500 } }
  const { silentlyOff } = await undoLoop({ ...loop, bug: 'clocks are trusted' })

  expect(silentlyOff.length).toBeGreaterThan(100)
})

test('the loop of lists notices when no page is compared with its total', async () => {
  const violations = await listsLoop({ runs: 12, seed: 5, bin: build.bin, bug: 'totals are not compared' })

  expect(violations.join('\n')).toContain('missing without a word')
})

test('the loop of downloads notices when any text is taken for the file', async () => {
  const violations = await downloadsLoop({ runs: 12, seed: 5, bin: build.bin, bug: 'any text is a file' })

  expect(violations.join('\n')).toContain('a web page called text')
})

test('the loop of the ledger notices when what changed is not pulled again', async () => {
  const violations = await ledgerLoop({ runs: 2, pulls: 2, seed: 49, bin: build.bin, bug: 'changes are not pulled' })

  expect(violations.join('\n')).toContain('vouchers differ without a word')
})

async function shortLoop(rowClass: RowClass, kills: number, more: Partial<LoopOptions> = {}) {
  const loop = { rows: 240, share: 0.2, kills, seed: 11, concurrency: 32, bin: build.bin }
  // With 60 taken codes, at least one is certain to lose an answer; with 14, none did once.
  return await crashLoop({ rowClass, takenEvery: 4, ...loop, ...more })
}

// Is the crash loop any good? Every seeded bug must be seen by it, and the code as it stands must not be.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { crashLoop } from './crash-loop.ts'
import { accusations, type RowClass } from './oracle.ts'
import type { Bug } from './seeded-bug.ts'
import { seededBugs } from './seeded-bugs.ts'
import { type Build, buildWithSeams, seams } from './seeded-build.ts'

let build: Build
beforeAll(async () => {
  build = await buildWithSeams()
})
afterAll(() => build[Symbol.dispose]())

describe('the crash loop', { timeout: 120_000 }, () => {
  test.concurrent.each(seededBugs)('notices when $name', async ({ rowClass, seenAs, bug, kills = 0 }) => {
    const { judgement } = await shortLoop(rowClass, kills, bug)

    expect(accusations(judgement).join('\n')).toContain(seenAs)
  })

  test.concurrent.each<RowClass>(['create', 'disable', 'events'])(
    'finds nothing in the same loop of %s',
    async (rowClass) => {
      const { judgement, state } = await shortLoop(rowClass, 5)

      expect(accusations(judgement)).toEqual([])
      expect(state.left).toEqual({})
    },
  )

  test('refuses a seam that no module imports', async () => {
    await expect(buildWithSeams([...seams, 'gone.ts'])).rejects.toThrow('no module imports src/gone.ts')
  })
})

async function shortLoop(rowClass: RowClass, kills: number, bug?: Bug) {
  const loop = { rows: 700, share: 0.2, kills, seed: 11, concurrency: 32, bin: build.bin }
  // Of 70 taken codes it is sure that one loses an answer; of 14 none did once.
  return await crashLoop({ rowClass, takenEvery: 10, ...loop, ...(bug && { bug }) })
}

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, expect, test } from 'vitest'
import { keyProblem } from '../../../../src/bulk/input/key.ts'
import { rowsFromArguments } from '../../../../src/bulk/input/key-lines.ts'
import { type Spool, spool } from '../../../../src/bulk/input/spool.ts'

const dir = mkdtempSync(join(tmpdir(), 'promo-rows-'))
afterAll(() => rmSync(dir, { recursive: true }))

/** Everything a spool reports about its rows. */
async function contents(kept: Spool) {
  const every = []
  for (const row of kept.everyRow()) every.push({ ...row, fields: { ...row.fields } })
  const actable = []
  for (const row of kept.rows()) actable.push(row.line)
  const { total, count, duplicates, bad, warnings } = kept
  await kept.close()
  return { every, actable, total, count, duplicates, bad, warnings }
}

test('rows in memory are kept exactly as rows in a file are', async () => {
  const key = fc.constantFrom('A', 'B', 'café', 'cafe\u0301', 'null', 'D')
  await fc.assert(
    fc.asyncProperty(fc.array(key, { maxLength: 30 }), async (keys) => {
      const rows = () => rowsFromArguments(keys, { column: 'code', checkKey: keyProblem })
      const options = { name: 'the arguments', onDuplicate: 'fold' as const }

      const inMemory = await contents(await spool(rows(), options))
      const inFile = await contents(await spool(rows(), { ...options, dir }))

      expect(inMemory).toEqual(inFile)
    }),
    { numRuns: 25 },
  )
})

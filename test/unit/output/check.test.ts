import { tmpdir } from 'node:os'
import { expect, test } from 'vitest'
import { checkShape } from '../../../src/output/check.ts'
import { shape } from './sinks.ts'

const set = { columns: [{ name: 'code' }] }

test.each([
  ['a query that does not parse', shape('csv', { query: 'a b' })],
  ['an --out that is a folder', shape('json', { out: tmpdir() })],
  ['columns of YAML', shape('yaml', { columns: ['code'] })],
])('%s can be refused before anything is sent', async (_, wrong) => {
  const checking = checkShape(wrong, set)

  await expect(checking).rejects.toMatchObject({ kind: 'usage', exitCode: 2 })
})

test('a path that no column has may be requested, because the service may gain fields', async () => {
  const checking = checkShape(shape('csv', { columns: ['metadata.shop'] }), set)

  await expect(checking).resolves.toBeUndefined()
})

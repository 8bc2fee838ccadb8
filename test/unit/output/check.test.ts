import { tmpdir } from 'node:os'
import { expect, test } from 'vitest'
import { checkShape } from '../../../src/output/check.ts'
import { shape } from './sinks.ts'

const set = { columns: [{ name: 'code' }, { name: 'gift.balance' }, { name: 'id' }], also: ['holder'] }

test.each([
  ['a query that does not parse', shape('csv', { query: 'a b' })],
  ['an --out that is a folder', shape('json', { out: tmpdir() })],
  ['columns of YAML', shape('yaml', { columns: ['code'] })],
])('%s can be refused before anything is sent', async (_, wrong) => {
  const checking = checkShape(wrong, set)

  await expect(checking).rejects.toMatchObject({ kind: 'usage', exitCode: 2 })
})

test.each([
  ['coed', 'there is no column "coed"; did you mean "code"?'],
  ['gift.balanse', 'there is no column "gift.balanse"; did you mean "gift.balance"?'],
  ['colour', 'there is no column "colour"; there are code, gift.balance, id'],
  ['xy', 'there is no column "xy"; there are code, gift.balance, id'],
])('the column %s, which no object of the service has, is refused', async (name, message) => {
  const checking = checkShape(shape('csv', { columns: [name] }), set)

  await expect(checking).rejects.toMatchObject({ kind: 'usage', exitCode: 2, message })
})

test.each(['metadata.shop', 'gift', 'gift.effect', 'holder.metadata.shoe'])(
  'the column %s may be requested, because the service may have it',
  async (name) => {
    const checking = checkShape(shape('csv', { columns: [name] }), set)

    await expect(checking).resolves.toBeUndefined()
  },
)

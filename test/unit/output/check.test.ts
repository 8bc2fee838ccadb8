import { tmpdir } from 'node:os'
import { expect, test } from 'vitest'
import { factsIn } from '../../../src/cli/help/manifest.ts'
import { checkShape, didYouMean } from '../../../src/output/check.ts'
import { root } from '../../support/source-files.ts'
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
  ['balance', 'there is no column "balance"; did you mean "gift.balance"?'],
  ['colour', 'there is no column "colour"'],
  ['xy', 'there is no column "xy"'],
])('the column %s, which no object of the service has, is refused', async (name, message) => {
  const checking = checkShape(shape('csv', { columns: [name] }), set)

  await expect(checking).rejects.toMatchObject({ kind: 'usage', exitCode: 2, message })
})

test('a member of an object inside is found by its own name, among at most three, in the columns of every command', async () => {
  const sets = new Set(Object.values(factsIn(root)).map(({ columns }) => columns.join(' ')))
  for (const names of [...sets].map((set) => set.split(' '))) {
    const columns = names.map((name) => ({ name }))
    for (const end of new Set(names.filter((name) => name.includes('.')).map((name) => name.replace(/^.*\./, '')))) {
      const suggested = (await didYouMean(end, { columns })).match(/(?<=")[^" ]+(?=")/g) ?? []

      expect([1, 2, 3]).toContain(suggested.length)
      expect(suggested.filter((name) => name.endsWith(end))).toEqual(suggested)
    }
  }
})

test.each(['metadata.shop', 'gift', 'gift.effect', 'holder.metadata.shoe'])(
  'the column %s may be requested, because the service may have it',
  async (name) => {
    const checking = checkShape(shape('csv', { columns: [name] }), set)

    await expect(checking).resolves.toBeUndefined()
  },
)

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readerOf } from '../../../src/output/form/csv.ts'
import { valueAt } from '../../../src/output/path.ts'

test('the values of many paths come in their order, undefined where there is none', () => {
  const valuesOf = readerOf(['gift.balance', 'code', 'redemption.quantity', 'gift', 'code'])

  const values = valuesOf({ code: 'A', gift: { balance: 5 }, metadata: null })

  expect(values).toEqual([5, 'A', undefined, { balance: 5 }, 'A'])
})

test('one object leaves nothing behind for the next', () => {
  const valuesOf = readerOf(['a', 'b'])
  valuesOf({ a: 1, b: 2 })

  expect(valuesOf({ b: null })).toEqual([undefined, null])
})

test.each([
  ['a name with a dot', { metadata: { 'shop.eu': 'x' } }, 'metadata.shop.eu', 'x'],
  ['a member of an array', { items: ['x', 'y'] }, 'items.1', 'y'],
  ['the length of an array', { items: ['x', 'y'] }, 'items.length', 2],
  ['a name that every object inherits', { a: 1 }, 'constructor', undefined],
])('%s is found or not as by a single look', (_, object, path, value) => {
  expect(readerOf(['a', path])(object)[1]).toBe(value)
})

test('a reader finds the same values as a lookup of each path', () => {
  const name = fc.constantFrom('a', 'b', 'a.b', 'b.a', '__proto__', 'constructor', 'length', '0')
  const { object } = fc.letrec((tie) => ({
    value: fc.oneof(
      { depthSize: 'small' },
      fc.constantFrom(null, 1, 'x', false),
      tie('object'),
      fc.array(tie('value')),
    ),
    object: fc.dictionary(name, tie('value'), { maxKeys: 4, noNullPrototype: true }),
  }))
  const path = fc.array(name, { minLength: 1, maxLength: 3 }).map((names) => names.join('.'))

  fc.assert(
    fc.property(object, fc.array(path, { minLength: 1 }), (row, paths) => {
      expect(readerOf(paths)(row as object)).toEqual(paths.map((each) => valueAt(row, each)))
    }),
    { numRuns: 1_000 },
  )
})

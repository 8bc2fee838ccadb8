import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parseQuery } from '../../../../src/sandbox/http/query.ts'

test.each<[string, unknown]>([
  ['', {}],
  ['a=1', { a: '1' }],
  ['a=', { a: '' }],
  ['a', { a: '' }],
  ['a=1&a=2', { a: ['1', '2'] }],
  ['a[]=1', { a: ['1'] }],
  ['a[]=1&a[]=2', { a: ['1', '2'] }],
  ['a[10]=k&a[2]=b', { a: ['b', 'k'] }],
  ['a[b][c]=1', { a: { b: { c: '1' } } }],
  ['a%5Bb%5D=1', { a: { b: '1' } }],
  ['[a][b]=1', { a: { b: '1' } }],
  ['a[b.c]=1', { a: { 'b.c': '1' } }],
  ['a=x+y%2Bz', { a: 'x y+z' }],
  ['[]=1', { '': '1' }],
])('the query "%s" is parsed to its structure', (text, expected) => {
  expect(parseQuery(text)).toEqual(expected)
})

test.each(['__proto__[polluted]=1', 'a[__proto__][polluted]=1', 'constructor[prototype][polluted]=1'])(
  'the query "%s" pollutes nothing',
  (text) => {
    parseQuery(text)

    expect(({} as Record<string, unknown>).polluted).toBeUndefined()
  },
)

test('a name nested deeper than eight levels is refused', () => {
  expect(() => parseQuery(`a${'[b]'.repeat(8)}=1`)).toThrow('Invalid query params')
  expect(() => parseQuery(`a${'[b]'.repeat(7)}=1`)).not.toThrow()
})

test('more than a thousand parameters are refused', () => {
  expect(() => parseQuery('a=1&'.repeat(1001))).toThrow('Query too large')
})

test('any text is parsed or refused, and flat names are unchanged', () => {
  fc.assert(
    fc.property(
      fc.dictionary(
        fc.string({ minLength: 1 }).filter((name) => !/[[\]]/.test(name)),
        fc.string(),
      ),
      (flat) => {
        const query = new URLSearchParams(flat).toString()
        expect({ ...parseQuery(query) }).toEqual({ ...flat })
      },
    ),
  )
  fc.assert(
    fc.property(fc.string(), (text) => {
      try {
        parseQuery(text)
      } catch (error) {
        expect(error).toHaveProperty('status', 400)
      }
    }),
  )
})

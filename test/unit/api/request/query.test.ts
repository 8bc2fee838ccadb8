import { expect, test } from 'vitest'
import { queryOf } from '../../../../src/api/request/request.ts'

test.each([
  [{}, ''],
  [{ limit: 10, order: '-created_at' }, 'limit=10&order=-created_at'],
  [{ campaign: 'Black Friday & more' }, 'campaign=Black Friday & more'],
  [{ force: true, code: undefined }, 'force=true'],
  [{ created_at: { before: '2026-01-02' } }, 'created_at[before]=2026-01-02'],
  [{ ids: ['v_1', 'v_2'] }, 'ids[]=v_1&ids[]=v_2'],
  [
    { filters: { junction: 'and', code: { conditions: { $in: ['a', 'b'] } } } },
    'filters[junction]=and&filters[code][conditions][$in][0]=a&filters[code][conditions][$in][1]=b',
  ],
  [
    { filters: { 'redemption.redeemed_quantity': { conditions: { $is: 0 } } } },
    'filters[redemption.redeemed_quantity][conditions][$is]=0',
  ],
  [{ filters: { active: { conditions: { $enabled: {} } } } }, 'filters[active][conditions][$enabled]=true'],
  [{ filters: { name: { conditions: { $is_unknown: '' } } } }, 'filters[name][conditions][$is_unknown]='],
])('%j is asked for as %s', (query, text) => {
  const written = queryOf(query)

  expect(pairsOf(written)).toBe(text)
})

test('names and values are percent-encoded', () => {
  expect(queryOf({ created_at: { before: 'a+b&c=d' } })).toBe('created_at%5Bbefore%5D=a%2Bb%26c%3Dd')
})

test.each([
  [{ name: 'a\ud800' }, 'name'],
  [{ filters: { 'metadata.\udc00': { conditions: { $is: 'a' } } } }, 'filters[metadata.\udc00][conditions][$is]'],
])('half of a surrogate pair has no place in an address: %j', (query, name) => {
  expect(() => queryOf(query)).toThrow(
    `the parameter "${name}" is not valid Unicode: it holds half of a surrogate pair`,
  )
})

function pairsOf(query: string): string {
  return [...new URLSearchParams(query)].map(([name, value]) => `${name}=${value}`).join('&')
}

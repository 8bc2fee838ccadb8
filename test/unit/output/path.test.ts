import { describe, expect, test } from 'vitest'
import { leafPaths, valueAt } from '../../../src/output/path.ts'

describe('dotted paths', () => {
  test.each([
    ['code', 'A'],
    ['redemption.quantity', 0],
    ['metadata.shop.eu', 'dotted'],
    ['metadata.a.b', 'nested'],
    ['metadata.shop.eu.west.id', 'deeper'],
    ['holder.name', undefined],
    ['code.length', undefined],
    ['constructor', undefined],
    ['__proto__.x', undefined],
    ['', undefined],
  ])('%s leads to %j', (path, expected) => {
    const object = {
      code: 'A',
      redemption: { quantity: 0 },
      metadata: { shop: {}, 'shop.eu': 'dotted', 'shop.eu.west': { id: 'deeper' }, a: { b: 'nested' } },
      holder: null,
    }

    expect(valueAt(object, path)).toBe(expected)
  })

  test('the leaves of an object are listed in its own order', () => {
    const object = { b: { y: 1, x: { z: 2 } }, a: [1], none: null, empty: {} }

    expect(leafPaths(object, () => false)).toEqual(['b.y', 'b.x.z', 'a', 'none', 'empty'])
  })
})

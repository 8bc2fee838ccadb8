import { expect, test } from 'vitest'
import { secureRandom, timeOrderedIds } from '../../../src/sandbox/id.ts'

test('ids increase also within a millisecond, and one does not tell the next', () => {
  const id = timeOrderedIds(() => 1_700_000_000_000, secureRandom)

  const ids = Array.from({ length: 2_000 }, () => id('v_'))

  const distances = ids
    .slice(1)
    .map((later, at) => parseInt(later.slice(-9), 16) - parseInt(ids[at]?.slice(-9) ?? '', 16))
  expect(ids.toSorted()).toEqual(ids)
  expect(Math.min(...distances)).toBeGreaterThan(0)
  expect(new Set(distances).size).toBeGreaterThan(500)
})

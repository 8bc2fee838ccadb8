// Whole numbers as users read them.
import { expect, test } from 'vitest'
import { formatNumber } from '../../../src/base/numbers.ts'

test.each([
  [0, '0'],
  [999, '999'],
  [1000, '1,000'],
  [12_345, '12,345'],
  [1_234_567, '1,234,567'],
  [-1000, '-1,000'],
])('%d is shown as %s', (count, text) => {
  expect(formatNumber(count)).toBe(text)
})

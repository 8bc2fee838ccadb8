import { expect, test } from 'vitest'
import { refuseWrites } from '../../../../src/api/request/read-only.ts'

test.each([
  ['profile "support"', 'promo profiles update support --no-read-only'],
  ['PROMO_READ_ONLY', 'unset PROMO_READ_ONLY'],
  ['promo mcp', 'promo mcp --allow-writes'],
])('what %s forbids is refused with the way out', (readOnly, hint) => {
  expect(() => refuseWrites(readOnly, 'support')).toThrow(
    expect.objectContaining({ exitCode: 4, facts: { hint }, message: expect.stringContaining(readOnly) }),
  )
})

test('what nothing forbids is let through', () => {
  expect(refuseWrites(undefined, 'support')).toBeUndefined()
})

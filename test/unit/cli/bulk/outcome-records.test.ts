import { expect, test } from 'vitest'
import { nextStep } from '../../../../src/cli/bulk/outcome-records.ts'

const none = {
  pending: 0,
  ok: 0,
  ok_inferred: 0,
  conflict: 0,
  failed: 0,
  exhausted: 0,
  unknown: 0,
  duplicate: 0,
  skipped: 0,
}
const stepAfter = (counts: Partial<typeof none>) =>
  nextStep({ counts: { ...none, ...counts } } as unknown as Parameters<typeof nextStep>[0], 'J')

test.each([
  [{ ok: 1 }, undefined],
  [{ pending: 1, unknown: 1 }, 'stopped; resume with: promo jobs resume J'],
  [{ unknown: 1, exhausted: 1 }, 'see which rows: promo jobs report J --only unknown'],
  [{ exhausted: 1, failed: 1 }, 'try them again: promo jobs retry J --only temporary'],
  [{ failed: 1 }, 'all outcomes: promo jobs report J --csv'],
  [{ conflict: 1 }, 'all outcomes: promo jobs report J --csv'],
  [{ skipped: 1 }, 'the skipped rows: promo jobs report J --only skipped --csv'],
])('one row decides about the next step: %j', (counts, step) => {
  expect(stepAfter(counts)).toBe(step)
})

test('rows that may have been applied are sent again where that has no effect a second time', () => {
  const summary = { counts: { ...none, unknown: 1, exhausted: 1 } } as unknown as Parameters<typeof nextStep>[0]

  expect(nextStep(summary, 'J', undefined, 'idempotent')).toBe(
    'resume with: promo jobs resume J; what was applied is not applied twice',
  )
})

import { expect, test } from 'vitest'
import { untilReset, waitOf } from '../../../../src/api/pacing/retry-after.ts'

const wall = Date.UTC(2026, 0, 2, 12, 0, 0)
const date = 'Fri, 02 Jan 2026 06:00:00 GMT'

test.each([
  [{ 'retry-after': '2' }, 2000],
  [{ 'retry-after': '0' }, 0],
  [{ 'retry-after': '1.5' }, 1500],
  [{ 'retry-after': '999999' }, 999_999_000],
  [{ 'retry-after': 'Fri, 02 Jan 2026 12:00:30 GMT' }, 30_000],
  // The service's clock is six hours behind ours; its own date is what counts.
  [{ 'retry-after': 'Fri, 02 Jan 2026 06:00:30 GMT', date }, 30_000],
  [{ 'retry-after': '-5' }, undefined],
  [{ 'retry-after': 'soon' }, undefined],
  [{ 'retry-after': 'soon 5' }, undefined],
  [{ 'retry-after': '' }, undefined],
  [{ 'retry-after': 'Fri, 01 Jan 1999 00:00:00 GMT' }, undefined],
  [{}, undefined],
])('%j asks to wait %s ms', (headers, waitMs) => {
  expect(waitOf({ status: 503, headers }, false, wall)).toBe(waitMs)
})

test('after a limit was hit, the instant of the rate-limit header is used where Retry-After is of no use', () => {
  const headers = { 'x-rate-limit-retry': String(wall / 1000 + 7) }

  expect(waitOf({ status: 429, headers }, true, wall)).toBe(7000)
  expect(waitOf({ status: 503, headers }, false, wall)).toBeUndefined()
  expect(waitOf({ status: 429, headers: { ...headers, 'retry-after': '3' } }, true, wall)).toBe(3000)
})

test.each([200, 404, 500, 502])('a wait in an answer with status %s is ignored', (status) => {
  expect(waitOf({ status, headers: { 'retry-after': '2' } }, false, wall)).toBeUndefined()
})

test.each([
  [String(wall / 1000 + 60), 60_000],
  [String(wall / 1000 - 60), undefined],
  ['tomorrow', undefined],
])('a reset at %s is in %s ms', (reset, waitMs) => {
  expect(untilReset({ 'x-rate-limit-retry': reset }, wall)).toBe(waitMs)
})

import { expect, test } from 'vitest'
import { addDuration, type Duration } from '../../../../../src/base/time/calendar-duration.ts'
import { isTimeZone, timeZoneOf } from '../../../../../src/base/time/time-zone.ts'
import { parseDuration } from '../../../../../src/sandbox/rules/calendar/duration.ts'

test.each([
  ['P1Y', { months: 12, days: 0, clockMs: 0 }],
  ['P1M', { months: 1, days: 0, clockMs: 0 }],
  ['P2W', { months: 0, days: 14, clockMs: 0 }],
  ['P1DT12H', { months: 0, days: 1, clockMs: 43_200_000 }],
  ['PT1M', { months: 0, days: 0, clockMs: 60_000 }],
  ['P0.5D', { months: 0, days: 0, clockMs: 43_200_000 }],
  ['P1,5W', { months: 0, days: 10, clockMs: 43_200_000 }],
  ['PT1.5H', { months: 0, days: 0, clockMs: 5_400_000 }],
  ['P1DT0.001S', { months: 0, days: 1, clockMs: 1 }],
  ['P1.5Y', { months: 18, days: 0, clockMs: 0 }],
  ['P1.5M', { months: 1, days: 15, clockMs: 0 }],
  ['P0.1Y', { months: 1, days: 6, clockMs: 0 }],
  ['P1Y2M3W4DT5H6M7S', { months: 14, days: 25, clockMs: 18_367_000 }],
])('%s is parsed to months, days and clock time', (text, expected) => {
  expect(parseDuration(text)).toEqual(expected)
})

test.each([
  '',
  'P',
  'PT',
  'P1',
  '1D',
  'P1H',
  'PT1D',
  'P-1D',
  'P0.5DT1H',
  'P1.5M1D',
  'P.5D',
  'P1.D',
  'P1.5.5D',
  'P0.0D',
  'P1D ',
  'P0D',
  'PT0S',
  'P9999999Y',
])('"%s" is not a duration', (text) => {
  expect(parseDuration(text)).toBeUndefined()
})

test.each([
  ['2026-01-31T10:00:00.000Z', 'P1M', 1, 'UTC', '2026-02-28T10:00:00.000Z'],
  ['2026-01-31T10:00:00.000Z', 'P1M', 2, 'UTC', '2026-03-31T10:00:00.000Z'],
  ['2024-02-29T00:00:00.000Z', 'P1Y', 1, 'UTC', '2025-02-28T00:00:00.000Z'],
  ['2026-03-28T08:00:00.000Z', 'P1D', 1, 'Europe/Warsaw', '2026-03-29T07:00:00.000Z'],
  ['2026-03-28T08:00:00.000Z', 'PT24H', 1, 'Europe/Warsaw', '2026-03-29T08:00:00.000Z'],
  ['2026-10-24T07:00:00.000Z', 'P1D', 1, 'Europe/Warsaw', '2026-10-25T08:00:00.000Z'],
])('%s plus %s, %i times, in zone %s, is %s', (start, text, times, timeZone, expected) => {
  const duration = parseDuration(text) as Duration

  const sum = addDuration(Date.parse(start), duration, timeZoneOf(timeZone), times)

  expect(new Date(sum).toISOString()).toBe(expected)
})

test.each([
  ['2026-01-02T23:59:59.987Z', '2026-01-03T00:59:59.987Z'],
  ['1969-12-31T23:59:59.987Z', '1970-01-01T00:59:59.987Z'],
])('the wall clock shows milliseconds as well, after 1970 and before: %s', (instant, expected) => {
  const warsaw = timeZoneOf('Europe/Warsaw')

  const shown = warsaw.wallAt(Date.parse(instant))

  expect(new Date(shown).toISOString()).toBe(expected)
  expect(new Date(warsaw.instantAt(shown)).toISOString()).toBe(instant)
})

test('a wall time that the clock skips is read as the time shifted forward', () => {
  const warsaw = timeZoneOf('Europe/Warsaw')

  const instant = warsaw.instantAt(Date.parse('2026-03-29T02:30:00.000Z'))

  expect(new Date(instant).toISOString()).toBe('2026-03-29T01:30:00.000Z')
  expect(new Date(warsaw.wallAt(instant)).toISOString()).toBe('2026-03-29T03:30:00.000Z')
})

test('a wall time that the clock shows twice is read as the first one', () => {
  const instant = timeZoneOf('Europe/Warsaw').instantAt(Date.parse('2026-10-25T02:30:00.000Z'))

  expect(new Date(instant).toISOString()).toBe('2026-10-25T00:30:00.000Z')
})

test('the clock of a zone is set up once, not for every voucher and tier of an evaluation', () => {
  expect(timeZoneOf('Europe/Warsaw')).toBe(timeZoneOf('Europe/Warsaw'))
})

test('an unknown time zone is distinguished from a known one', () => {
  expect(isTimeZone('Asia/Kolkata')).toBe(true)
  expect(isTimeZone('UTC')).toBe(true)
  expect(isTimeZone('Mars/Olympus')).toBe(false)
})

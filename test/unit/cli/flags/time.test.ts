import { describe, expect, test } from 'vitest'
import { timeRangeFrom } from '../../../../src/cli/flags/time.ts'

const nowMs = Date.parse('2026-03-01T12:00:00.000Z')
const now = { nowMs, timeZone: 'UTC' }
const between = (text: string, timeZone = 'UTC') => {
  const { fromMs, untilMs } = timeRangeFrom(text, { nowMs, timeZone })
  return [new Date(fromMs).toISOString(), new Date(untilMs).toISOString()]
}

describe('a time', () => {
  test.each([
    ['2026-01-05', '2026-01-05T00:00:00.000Z', '2026-01-05T23:59:59.999Z'],
    ['2026-01-05T10:30:00Z', '2026-01-05T10:30:00.000Z', '2026-01-05T10:30:00.000Z'],
    ['2026-01-05T10:30:00.250+02:00', '2026-01-05T08:30:00.250Z', '2026-01-05T08:30:00.250Z'],
    ['today', '2026-03-01T00:00:00.000Z', '2026-03-01T23:59:59.999Z'],
    ['yesterday', '2026-02-28T00:00:00.000Z', '2026-02-28T23:59:59.999Z'],
    ['7d', '2026-02-22T12:00:00.000Z', '2026-02-22T12:00:00.000Z'],
    ['2w', '2026-02-15T12:00:00.000Z', '2026-02-15T12:00:00.000Z'],
    ['36h', '2026-02-28T00:00:00.000Z', '2026-02-28T00:00:00.000Z'],
    ['90m', '2026-03-01T10:30:00.000Z', '2026-03-01T10:30:00.000Z'],
  ])('%s lasts from %s to %s', (text, from, until) => {
    expect(between(text)).toEqual([from, until])
  })

  test('a day is that of the project: 23 hours long where its clocks are put forward', () => {
    const ofMarch = between('2026-03-29', 'Europe/Warsaw')
    const instant = between('2026-03-29T12:00:00Z', 'Europe/Warsaw')

    expect(ofMarch).toEqual(['2026-03-28T23:00:00.000Z', '2026-03-29T21:59:59.999Z'])
    expect(instant).toEqual(Array(2).fill('2026-03-29T12:00:00.000Z'))
  })

  test('today is the day of the project, which begins at another instant than that of UTC', () => {
    expect(between('today', 'Pacific/Auckland')).toEqual(['2026-03-01T11:00:00.000Z', '2026-03-02T10:59:59.999Z'])
    expect(between('yesterday', 'America/Los_Angeles')[0]).toBe('2026-02-28T08:00:00.000Z')
  })

  test.each([
    '',
    'tomorrow',
    'toString',
    '2026',
    '2026-13-01',
    '2026-02-30',
    '2026-02-30T00:00:00Z',
    '2026-01-05T10:30',
    '7',
    '7y',
    '-7d',
    '2026-01-05T25:00:00Z',
    '9999999d',
  ])('%j is refused', (text) => {
    expect(() => timeRangeFrom(text, now)).toThrow(`"${text}" is not a time`)
  })
})

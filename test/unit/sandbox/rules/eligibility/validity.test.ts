import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  type ValidityLimits,
  validityProblem,
  validityState,
} from '../../../../../src/sandbox/rules/eligibility/validity.ts'

describe('dates', () => {
  const limits = { start_date: '2026-01-10T00:00:00.000Z', expiration_date: '2026-01-20T00:00:00.000Z' }

  test.each([
    ['2026-01-09T23:59:59.999Z', 'not_started'],
    ['2026-01-10T00:00:00.000Z', 'open'],
    ['2026-01-20T00:00:00.000Z', 'open'],
    ['2026-01-20T00:00:00.001Z', 'expired'],
  ])('at %s the state is %s: both end instants are inside', (now, expected) => {
    expect(validityState(limits, now, 'UTC')).toBe(expected)
  })

  test.each([{}, { start_date: null, expiration_date: null, validity_day_of_week: null, validity_hours: null }])(
    'an object without limits is always open',
    (none) => {
      expect(validityState(none, '2026-01-10T00:00:00.000Z', 'UTC')).toBe('open')
    },
  )
})

describe('recurring windows', () => {
  const everyMonth = { start_date: '2026-01-31T00:00:00Z', validity_timeframe: { duration: 'P1D', interval: 'P1M' } }

  test.each([
    ['2026-01-31T00:00:00.000Z', 'open'],
    ['2026-01-31T23:59:59.999Z', 'open'],
    ['2026-02-01T00:00:00.000Z', 'outside'],
    ['2026-02-28T12:00:00.000Z', 'open'],
    ['2026-03-28T12:00:00.000Z', 'outside'],
    ['2026-03-31T12:00:00.000Z', 'open'],
  ])('a day every month from 31 January is at %s %s: months follow the calendar', (now, expected) => {
    expect(validityState(everyMonth, now, 'UTC')).toBe(expected)
  })

  test('a window keeps its hour in the zone when the clocks change', () => {
    const limits = { start_date: '2026-03-27T08:00:00Z', validity_timeframe: { duration: 'PT1H', interval: 'P1D' } }

    expect(validityState(limits, '2026-03-28T08:30:00.000Z', 'Europe/Warsaw')).toBe('open')
    expect(validityState(limits, '2026-03-29T07:30:00.000Z', 'Europe/Warsaw')).toBe('open')
    expect(validityState(limits, '2026-03-29T08:30:00.000Z', 'Europe/Warsaw')).toBe('outside')
  })

  test('days of the week are those of the zone', () => {
    const saturdays = { validity_day_of_week: [6] }

    expect(validityState(saturdays, '2026-01-02T23:30:00.000Z', 'UTC')).toBe('outside')
    expect(validityState(saturdays, '2026-01-02T23:30:00.000Z', 'Europe/Warsaw')).toBe('open')
  })

  test('a time frame and days of the week must both hold', () => {
    const limits = {
      start_date: '2026-01-01T00:00:00Z',
      validity_timeframe: { duration: 'P1D', interval: 'P2D' },
      validity_day_of_week: [6],
    }

    expect(validityState(limits, '2026-01-03T12:00:00.000Z', 'UTC')).toBe('open')
    expect(validityState(limits, '2026-01-10T12:00:00.000Z', 'UTC')).toBe('outside')
    expect(validityState(limits, '2026-01-05T12:00:00.000Z', 'UTC')).toBe('outside')
  })

  const hours = {
    validity_hours: {
      daily: [
        { start_time: '12:00', expiration_time: '14:00', days_of_week: [1, 5] },
        { start_time: '18:00', expiration_time: '', days_of_week: [5] },
      ],
    },
  }

  test.each([
    ['2026-01-02T11:59:59.999Z', 'outside'],
    ['2026-01-02T12:00:00.000Z', 'open'],
    ['2026-01-02T13:59:59.999Z', 'open'],
    ['2026-01-02T14:00:00.000Z', 'outside'],
    ['2026-01-02T23:59:59.999Z', 'open'],
    ['2026-01-05T12:30:00.000Z', 'open'],
    ['2026-01-05T18:30:00.000Z', 'outside'],
    ['2026-01-06T12:30:00.000Z', 'outside'],
  ])('with hours on Monday and Friday the state at %s is %s', (now, expected) => {
    expect(validityState(hours, now, 'UTC')).toBe(expected)
  })
})

describe('limits that cannot be stored', () => {
  const start_date = '2026-01-01T00:00:00Z'
  const noon = { start_time: '12:00', expiration_time: '14:00', days_of_week: [1, 2] }
  const late = { start_time: '13:59', expiration_time: '', days_of_week: [2, 3] }
  const frame = { validity_timeframe: { duration: 'PT1H', interval: 'P1D' } }
  const never = { validity_timeframe: { duration: 'P0D', interval: 'P1D' } }
  const hours = (...daily: object[]) => ({ validity_hours: { daily } }) as ValidityLimits

  test.each<[string, ValidityLimits, string]>([
    ['a time frame without a start date', frame, 'start_date'],
    ['a time frame without a duration', { start_date, ...never }, '.duration must be an ISO 8601 duration'],
    ['hours with a time frame', { start_date, ...frame, ...hours(noon) }, 'cannot be combined'],
    ['hours with days of the week', { validity_day_of_week: [1], ...hours(noon) }, 'cannot be combined'],
    [
      'hours that end when they start',
      hours({ ...noon, expiration_time: '12:00' }),
      '.daily[0].expiration_time must be after start_time',
    ],
    ['hours without days', hours({ ...noon, days_of_week: [] }), '.daily[0].days_of_week'],
    ['hours that overlap on a day', hours(noon, late), 'daily[1] overlaps with daily[0]'],
  ])('%s are refused', (_name, limits, expected) => {
    expect(validityProblem(limits)).toContain(expected)
  })

  test.each<[string, ValidityLimits]>([
    ['no limits', {}],
    ['a time frame with days', { start_date: '2026-01-01', ...frame, validity_day_of_week: [1] }],
    ['hours that touch', hours(noon, { ...noon, start_time: '14:00', expiration_time: '' })],
    ['hours that would overlap on other days', hours(noon, { ...noon, days_of_week: [3] })],
    ['hours with an empty list of days', { validity_day_of_week: [], ...hours(noon) }],
  ])('%s are accepted', (_name, limits) => {
    expect(validityProblem(limits)).toBeUndefined()
  })
})

test('the state agrees with walking through every window one by one', () => {
  const minute = 60_000
  const day = 24 * 60 * minute
  const start = Date.parse('2026-01-01T06:00:00.000Z')

  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 3000 }),
      fc.integer({ min: 1, max: 3000 }),
      fc.uniqueArray(fc.integer({ min: 0, max: 6 }), { minLength: 1 }),
      fc.integer({ min: -day, max: 40 * day }),
      (durationMinutes, intervalMinutes, days, offset) => {
        const now = start + offset
        const limits = {
          start_date: '2026-01-01T06:00:00.000Z',
          expiration_date: '2026-02-01T06:00:00.000Z',
          validity_timeframe: { duration: `PT${durationMinutes}M`, interval: `PT${intervalMinutes}M` },
          validity_day_of_week: days,
        }

        let inWindow = false
        for (let from = start; from <= now; from += intervalMinutes * minute) {
          if (now < from + durationMinutes * minute) inWindow = true
        }
        const onDay = days.includes(new Date(now).getUTCDay())
        const recurring = inWindow && onDay ? 'open' : 'outside'
        const expected = offset < 0 ? 'not_started' : offset > 31 * day ? 'expired' : recurring

        expect(validityState(limits, new Date(now).toISOString(), 'UTC')).toBe(expected)
      },
    ),
  )
})

test('the hours of a zone agree with its wall clock, across clock changes', () => {
  const zones = ['UTC', 'Europe/Warsaw', 'America/New_York', 'Asia/Kolkata', 'Australia/Lord_Howe']
  const limits = {
    validity_hours: { daily: [{ start_time: '01:30', expiration_time: '03:15', days_of_week: [0, 1] }] },
  }

  fc.assert(
    fc.property(
      fc.constantFrom(...zones),
      fc.date({ min: new Date('2026-01-01'), max: new Date('2027-01-01'), noInvalidDate: true }),
      (timeZone, date) => {
        const shown = new Intl.DateTimeFormat('en-GB', {
          timeZone,
          weekday: 'short',
          hour: '2-digit',
          minute: '2-digit',
        })
        const [weekday = '', time = ''] = shown.format(date).replace(',', '').split(' ')
        const expected = ['Sun', 'Mon'].includes(weekday) && time >= '01:30' && time < '03:15' ? 'open' : 'outside'

        expect(validityState(limits, date.toISOString(), timeZone)).toBe(expected)
      },
    ),
    { numRuns: 300 },
  )
})

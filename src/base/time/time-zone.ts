// Wall time in a time zone. The project's zone determines what a day, a month or nine o'clock is
// (docs/service/validations.md#time-zone).
import { dayMs } from '../duration.ts'
import { memoize } from '../memoized.ts'

/**
 * Converts between instants and the wall clock of one zone.
 *
 * A wall time is represented as the milliseconds of a UTC clock that shows the same date and time, so the UTC getters
 * of `Date` return its fields.
 */
export interface TimeZone {
  /** Returns the wall time at an instant. */
  wallAt: (instantMs: number) => number
  /** Returns the instant of a wall time: the first if the clock shows it twice, shifted forward if the clock skips it. */
  instantAt: (wallMs: number) => number
}

const utc: TimeZone = { wallAt: (instantMs) => instantMs, instantAt: (wallMs) => wallMs }

/**
 * Returns the conversion for an IANA zone name. Throws a RangeError for a name unknown to the runtime.
 *
 * The only thing that rules remember: a formatter takes 50 µs, and an evaluation asks for it with every voucher and tier.
 */
export const timeZoneOf: (timeZone: string) => TimeZone = memoize((timeZone) => {
  if (timeZone === 'UTC') return utc
  const wallAt = wallClockOf(timeZone)
  return {
    wallAt,
    instantAt(wallMs) {
      // No zone changes its clock twice in two days, so one of these two offsets applies.
      const before = wallAt(wallMs - dayMs) - (wallMs - dayMs)
      const after = wallAt(wallMs + dayMs) - (wallMs + dayMs)
      const candidates = [wallMs - before, wallMs - after].filter((instant) => wallAt(instant) === wallMs)
      return candidates.length === 0 ? wallMs - before : Math.min(...candidates)
    },
  }
})

/** Returns whether the runtime knows a time zone by this name. */
export function isTimeZone(name: unknown): boolean {
  try {
    return typeof name === 'string' && timeZoneOf(name) !== undefined
  } catch {
    return false
  }
}

function wallClockOf(timeZone: string): (instantMs: number) => number {
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone,
    calendar: 'iso8601',
    numberingSystem: 'latn',
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  })
  return (instantMs) => {
    const shown: Record<string, number> = {}
    for (const part of format.formatToParts(instantMs)) shown[part.type] = Number(part.value)
    const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = shown
    // Intl has a resolution of seconds; all offsets in use are whole seconds, so the milliseconds are the instant's.
    return Date.UTC(year, month - 1, day, hour, minute, second) + (((instantMs % 1000) + 1000) % 1000)
  }
}

// Wall time in a time zone. The project's zone decides what a day, a month or nine o'clock is (docs/service/validations.md#time-zone).

/**
 * Translates between instants and the wall clock of one zone.
 *
 * A wall time is written as the milliseconds that a UTC clock showing the same date and time would have, so that the
 * UTC getters of `Date` read its fields.
 */
export interface TimeZone {
  /** What the wall clock shows at an instant. */
  wallAt: (instantMs: number) => number
  /** When the wall clock shows a time: the first time if it shows it twice, and shifted forward if it skips it. */
  instantAt: (wallMs: number) => number
}

const dayMs = 86_400_000

const utc: TimeZone = { wallAt: (instantMs) => instantMs, instantAt: (wallMs) => wallMs }

/** Makes the translation for an IANA zone name. Throws a RangeError for a name that the runtime does not know. */
export function timeZoneOf(timeZone: string): TimeZone {
  if (timeZone === 'UTC') return utc
  const wallAt = wallClockOf(timeZone)
  return {
    wallAt,
    instantAt(wallMs) {
      // No zone changes its clock twice in two days, so the offset is the one before or the one after.
      const before = wallAt(wallMs - dayMs) - (wallMs - dayMs)
      const after = wallAt(wallMs + dayMs) - (wallMs + dayMs)
      const candidates = [wallMs - before, wallMs - after].filter((instant) => wallAt(instant) === wallMs)
      return candidates.length === 0 ? wallMs - before : Math.min(...candidates)
    },
  }
}

/** Says whether the runtime knows a time zone by this name. */
export function isTimeZone(timeZone: string): boolean {
  try {
    return timeZoneOf(timeZone) !== undefined
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
    // Intl stops at seconds; every offset in use is whole seconds, so the milliseconds are those of the instant.
    return Date.UTC(year, month - 1, day, hour, minute, second) + (((instantMs % 1000) + 1000) % 1000)
  }
}

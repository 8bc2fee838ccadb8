// Points in time on the command line: a day, an instant, or an age.
import { Flags } from '@oclif/core'
import { dayMs } from '../../base/duration.ts'
import { ownValue } from '../../base/record.ts'
import { edgeOfDay, isDay } from '../../base/time/day.ts'
import { timeZoneOf } from '../../base/time/time-zone.ts'
import { isInstant } from '../../contract/fields.ts'
import { usageError } from '../../errors.ts'

const unitMs: Record<string, number> = { m: 60_000, h: 3_600_000, d: 86_400_000, w: 7 * 86_400_000 }

/** Days by what people call them, and how many days they are from this one. */
const calledDays: Record<string, number> = { today: 0, yesterday: -1 }

/** When and where a command runs. */
export interface Clock {
  nowMs: number
  /** The time zone of the project, where days begin and end. */
  timeZone: string
}

/** A period of time: from its first to its last millisecond, in Unix time. */
export interface TimeRange {
  fromMs: number
  untilMs: number
}

/**
 * Reads `2026-01-05`, `today` or `yesterday` (an entire day), `2026-01-05T12:00:00Z` (an instant) or `7d` (an age, counted back
 * from now).
 *
 * ASSUMED A801: a day without a time is a day in the time zone of the project, which is UTC unless the profile names another.
 * Throws `usage`.
 */
export function timeRangeFrom(said: string, { nowMs, timeZone }: Clock): TimeRange {
  const days = ownValue(calledDays, said)
  const text = days === undefined ? said : dayOf(nowMs, days, timeZone)
  const ago = /^([0-9]{1,6})(m|h|d|w)$/.exec(text)
  if (ago) {
    const atMs = nowMs - Number(ago[1]) * (ownValue(unitMs, ago[2] ?? '') ?? 0)
    return { fromMs: atMs, untilMs: atMs }
  }
  const isInstant = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:?\d\d)$/.test(text)
  // A day that does not exist has no edge: Date rolls 30 February over into March.
  const fromMs = isDay(text) || isInstant ? edgeOfDay(text.slice(0, 10), 'start', timeZone) : Number.NaN
  const range = isInstant
    ? { fromMs: Date.parse(text), untilMs: Date.parse(text) }
    : { fromMs, untilMs: edgeOfDay(text, 'end', timeZone) }
  if (Number.isNaN(fromMs) || Number.isNaN(range.fromMs)) {
    throw usageError(`"${text}" is not a time; write it like 2026-01-05, 2026-01-05T12:00:00Z, 7d or today`)
  }
  return range
}

/** Returns the day that the clocks of a zone show, some days on: `2026-01-05`. */
function dayOf(nowMs: number, days: number, timeZone: string): string {
  return new Date(timeZoneOf(timeZone).wallAt(nowMs) + days * dayMs).toISOString().slice(0, 10)
}

/** Checks a day or an instant such as `2026-12-24T18:00:00Z`, given to a flag or an argument, and returns it. Throws `usage`. */
export function instantFrom(text: string, flag?: string): string {
  if (isInstant(text)) return text
  const meant = flag && dayMeant(text)
  throw usageError(
    `"${text}" is not a time; write it like 2026-12-31 or 2026-12-31T23:59:00Z`,
    meant && `--${flag} ${meant}`,
  )
}

/**
 * Returns the day that a text means in another form: `2026-12-31` for `31.12.2026`. With dots the day is first; with slashes it may
 * be the month, so only what begins with the year is plain. Undefined where nothing is.
 */
export function dayMeant(text: string): string | undefined {
  const [, day = '', month = '', year] = /^(\d\d?)\.\s*(\d\d?)\.\s*(\d{4})$/.exec(text) ?? []
  const yearFirst = year === undefined ? text : `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`
  const meant = yearFirst.replace(/^(\d{4})[./ -]?(\d\d)[./ -]?(\d\d)$/, '$1-$2-$3')
  return meant === text || Number.isNaN(edgeOfDay(meant, 'start', 'UTC')) ? undefined : meant
}

/** A flag that takes a day, an instant or an age as `timeRangeFrom` reads it; its value is the text, which needs the time zone of the project. */
export const time = Flags.custom<string>({
  helpValue: 'TIME',
  parse: async (text) => {
    timeRangeFrom(text, { nowMs: 0, timeZone: 'UTC' })
    return text
  },
})

/** A flag that takes a day or an age: its value is the text. */
export const day = Flags.custom<string>({
  helpValue: 'DAY',
  parse: async (text) => {
    if (text.includes('T')) throw usageError(`"${text}" is not a day; write it like 2026-01-05 or 30d`)
    timeRangeFrom(text, { nowMs: 0, timeZone: 'UTC' })
    return text
  },
})

/** A flag that takes a day or an instant as `instantFrom` reads it. */
export const instant = Flags.custom<string>({ helpValue: 'TIME', parse: async (text) => instantFrom(text) })

/** The ends of a period as two flags give them. */
export interface PeriodFlags {
  from?: string | undefined
  until?: string | undefined
}

/**
 * Returns a period as the service takes it: instants that are themselves not in it. A day counts as a whole on both ends.
 *
 * Undefined without flags; throws `usage` for no time, and for a beginning after the end. Source: docs/service/lists.md#filter-operators.
 */
export function periodFrom(
  { from, until }: PeriodFlags,
  clock: Clock,
): { after?: string; before?: string } | undefined {
  if (from === undefined && until === undefined) return undefined
  const fromMs = from === undefined ? undefined : timeRangeFrom(from, clock).fromMs
  const untilMs = until === undefined ? undefined : timeRangeFrom(until, clock).untilMs
  if (fromMs !== undefined && untilMs !== undefined && fromMs > untilMs) {
    throw usageError(`"${from}" is after "${until}", so nothing can match`)
  }
  return {
    ...(fromMs !== undefined && { after: new Date(fromMs - 1).toISOString() }),
    ...(untilMs !== undefined && { before: new Date(untilMs + 1).toISOString() }),
  }
}

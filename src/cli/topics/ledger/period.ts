// The period of a report, and the months in it, in the time zone of the project.
import { Flags } from '@oclif/core'
import { timeZoneOf } from '../../../base/time/time-zone.ts'
import { usageError } from '../../../errors.ts'
import { type Clock, time, timeRangeFrom } from '../../flags/time.ts'

/** The flags of a period. */
export const periodFlags = {
  month: Flags.custom<string>({ parse: async (text) => monthFrom(text) })({
    description: 'the month of the report (default: the last complete one)',
    helpValue: 'YYYY-MM',
    exclusive: ['since', 'until'],
  }),
  since: time({ description: 'only from this time on, like 2026-01-05, today or 7d' }),
  until: time({ description: 'only up to this time; a day counts to its end', dependsOn: ['since'] }),
}

/** A period, cut where its months begin. */
export interface Period {
  /** The first instant of each part, and the one after the last; ISO 8601 in UTC with milliseconds. */
  bounds: string[]
  /** The month of each part: `2026-09`. */
  months: string[]
  /** `2026-09`, or `2026-01-01 to 2026-03-31`, in the time zone. */
  words: string
}

function monthFrom(text: string): string {
  if (!/^\d{4}-(0[1-9]|1[0-2])$/.test(text)) throw usageError(`"${text}" is not a month; write it like 2026-09`)
  return text
}

interface PeriodFlags {
  month?: string | undefined
  since?: string | undefined
  until?: string | undefined
}

/** Returns the period that the flags name. Throws `usage` for what is no time, and for an end before the beginning. */
export function periodOf({ month, since, until }: PeriodFlags, clock: Clock): Period {
  const { wallAt, instantAt } = timeZoneOf(clock.timeZone)
  const wallMonth = (instantMs: number) => new Date(wallAt(instantMs)).toISOString().slice(0, 7)
  const startOf = (one: string) => instantAt(Date.parse(`${one}-01`))
  const day = (instantMs: number) => new Date(wallAt(instantMs)).toISOString().slice(0, 10)
  const named = month ?? (since === undefined ? monthAfter(wallMonth(clock.nowMs), -1) : undefined)
  const fromMs = since === undefined ? startOf(named ?? '') : timeRangeFrom(since, clock).fromMs
  const untilMs =
    named === undefined ? timeRangeFrom(until ?? 'today', clock).untilMs : startOf(monthAfter(named, 1)) - 1
  if (untilMs < fromMs) throw usageError(`"${since}" is after "${until ?? 'today'}", so the report would be empty`)
  const bounds = [fromMs]
  const months: string[] = []
  for (let one = wallMonth(fromMs); (bounds.at(-1) ?? 0) <= untilMs; one = monthAfter(one, 1)) {
    months.push(one)
    bounds.push(Math.min(startOf(monthAfter(one, 1)), untilMs + 1))
  }
  return {
    bounds: bounds.map((at) => new Date(at).toISOString()),
    months,
    words: named ?? `${day(fromMs)} to ${day(untilMs)}`,
  }
}

function monthAfter(month: string, count: number): string {
  const [year = 0, number = 1] = month.split('-').map(Number)
  return new Date(Date.UTC(year, number - 1 + count, 1)).toISOString().slice(0, 7)
}

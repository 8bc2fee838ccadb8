// A day without a time, `2026-12-31`, as the instants at which it begins and ends in a time zone.
import { dayMs } from '../duration.ts'
import { timeZoneOf } from './time-zone.ts'

/** Says whether a text is a day without a time; whether it exists is for the contract to say. */
export function isDay(text: string): boolean {
  return /^\d{4}-\d\d-\d\d$/.test(text)
}

/** Returns the first or the last millisecond of a day in a time zone, in Unix time; NaN for a day that does not exist. */
export function edgeOfDay(day: string, edge: 'start' | 'end', timeZone: string): number {
  const wallMs = Date.parse(day)
  // Date rolls 30 February over into March.
  if (Number.isNaN(wallMs) || new Date(wallMs).toISOString().slice(0, 10) !== day) return Number.NaN
  const { instantAt } = timeZoneOf(timeZone)
  return edge === 'start' ? instantAt(wallMs) : instantAt(wallMs + dayMs) - 1
}

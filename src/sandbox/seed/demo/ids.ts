// Ids of the demo project are fixed, so that documents can name them and they are the same on every computer.
import { dayMs } from '../../../base/duration.ts'

/** The day the demo shop opened; everything in it was created on that day or later. */
export const openingDay = '2026-01-05T09:00:00.000Z'

/** Returns the n-th demo id with a prefix, in the form of every id of the sandbox. */
export function demoId(prefix: string, n: number): string {
  return prefix + Date.parse(openingDay).toString(16).padStart(11, '0') + n.toString(16).padStart(7, '0')
}

/** Returns noon of a day some days after the opening. */
export function daysOpen(days: number): string {
  return new Date(Date.parse('2026-01-05T12:00:00.000Z') + days * dayMs).toISOString()
}

// Ids of the demo are fixed, so that documents can name them and two computers show the same.

/** The day the demo shop opened; everything in it was created then or later. */
export const openingDay = '2026-01-05T09:00:00.000Z'

/** Makes the n-th id of the demo under a prefix, in the form of every id of the sandbox. */
export function demoId(prefix: string, n: number): string {
  return prefix + Date.parse(openingDay).toString(16).padStart(11, '0') + n.toString(16).padStart(7, '0')
}

/** An instant some days after the opening, at noon. */
export function daysOpen(days: number): string {
  return new Date(Date.parse('2026-01-05T12:00:00.000Z') + days * 86_400_000).toISOString()
}

// What --explain shows: the reasons of each object, with times as tables write them.
import { shownIn } from '../../output/form/table.ts'

/** Returns the function that writes an instant as `2026-01-02 03:04:05 UTC`. */
export function timesIn({ timeZone }: { timeZone: string }): (instant: unknown) => string {
  const shown = shownIn({ timeZone })
  return (instant) => `${shown(instant, { name: '', kind: 'time' })} ${timeZone}`
}

/** Explains what was found as `reasons` says; what was not has no more to say. */
export function explained(
  reasons: (object: object) => Promise<readonly string[]>,
): (object: { asked?: string; lookup?: string }) => Promise<readonly string[]> {
  return async (object) =>
    object.lookup === undefined || object.lookup === 'found'
      ? await reasons(object)
      : [`${object.asked}: ${object.lookup}`]
}

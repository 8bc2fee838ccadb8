// Durations: a day, and how others are written on command lines and to the control server of the embedded service.
import { ownValue } from './record.ts'

/** The milliseconds of a day by UTC. */
export const dayMs = 86_400_000

const unitMs: Record<string, number> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: dayMs }

/** Reads `500ms`, `30s`, `2m`, `1h` or `30d` into milliseconds; undefined for anything else, zero included. */
export function durationFrom(text: string): number | undefined {
  const parts = /^([0-9]{1,9})(ms|s|m|h|d)$/.exec(text)
  return Number(parts?.[1] ?? 0) * (ownValue(unitMs, parts?.[2] ?? '') ?? 0) || undefined
}

/** Reads `200ms`, or `200ms..2s`, into the least and the most milliseconds; undefined for anything else. */
export function durationsFrom(text: string): readonly [number, number] | undefined {
  const [least = '', most = least, ...rest] = text.split('..')
  const [from, to] = [durationFrom(least), durationFrom(most)]
  return rest.length > 0 || from === undefined || to === undefined || from > to ? undefined : [from, to]
}

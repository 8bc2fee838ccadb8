// Durations: a day, and how others are written on command lines and to the control door of the embedded service.
import { ownValue } from './record.ts'

/** The milliseconds of a day by UTC. */
export const dayMs = 86_400_000

const unitMs: Record<string, number> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: dayMs }

/** Reads `500ms`, `30s`, `2m`, `1h` or `30d` into milliseconds; undefined for anything else, zero included. */
export function durationFrom(text: string): number | undefined {
  const parts = /^([0-9]{1,9})(ms|s|m|h|d)$/.exec(text)
  return Number(parts?.[1] ?? 0) * (ownValue(unitMs, parts?.[2] ?? '') ?? 0) || undefined
}

// Points in time on the command line: a day, an instant, or an age.
import { ownValue } from '../../base/record.ts'
import { isInstant } from '../../contract/fields.ts'
import { usageError } from '../../errors.ts'

const unitMs: Record<string, number> = { m: 60_000, h: 3_600_000, d: 86_400_000, w: 7 * 86_400_000 }
const dayMs = 86_400_000

/** A period of time: from its first to its last millisecond, in Unix time. */
export interface TimeRange {
  fromMs: number
  untilMs: number
}

/**
 * Reads `2026-01-05` (an entire day), `2026-01-05T12:00:00Z` (an instant) or `7d` (an age, counted back from now).
 *
 * ASSUMED A801: a day without a time is a day in UTC, as the service's own dates are. Throws `usage`.
 */
export function timeRangeFrom(text: string, nowMs: number): TimeRange {
  const ago = /^([0-9]{1,6})(m|h|d|w)$/.exec(text)
  if (ago) {
    const atMs = nowMs - Number(ago[1]) * (ownValue(unitMs, ago[2] ?? '') ?? 0)
    return { fromMs: atMs, untilMs: atMs }
  }
  const isDay = /^\d{4}-\d\d-\d\d$/.test(text)
  const isInstant = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:?\d\d)$/.test(text)
  const fromMs = isDay || isInstant ? Date.parse(text) : Number.NaN
  // Date rolls 30 February over into March.
  const exists =
    !Number.isNaN(fromMs) && new Date(Date.parse(text.slice(0, 10))).toISOString().startsWith(text.slice(0, 10))
  if (!exists) {
    throw usageError(`"${text}" is not a time; write it like 2026-01-05, 2026-01-05T12:00:00Z or 7d`)
  }
  return { fromMs, untilMs: isDay ? fromMs + dayMs - 1 : fromMs }
}

/** Checks a day or an instant such as `2026-12-24T18:00:00Z`, and returns it. Throws `usage`. */
export function instantFrom(text: string): string {
  if (isInstant(text)) return text
  throw usageError(`"${text}" is not a time; write it like 2026-12-31 or 2026-12-31T23:59:00Z`)
}

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
  nowMs: number,
): { after?: string; before?: string } | undefined {
  if (from === undefined && until === undefined) return undefined
  const fromMs = from === undefined ? undefined : timeRangeFrom(from, nowMs).fromMs
  const untilMs = until === undefined ? undefined : timeRangeFrom(until, nowMs).untilMs
  if (fromMs !== undefined && untilMs !== undefined && fromMs > untilMs) {
    throw usageError(`"${from}" is after "${until}", so nothing can match`)
  }
  return {
    ...(fromMs !== undefined && { after: new Date(fromMs - 1).toISOString() }),
    ...(untilMs !== undefined && { before: new Date(untilMs + 1).toISOString() }),
  }
}

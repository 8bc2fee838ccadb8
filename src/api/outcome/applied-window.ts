// When a service can have applied a call: what a timestamp in its answer proves, and what it leaves in doubt.

/**
 * The time of a call by the clock of the service, Unix ms. A timestamp from `fromMs` to `toMs` is of this call; one before
 * `surelyBeforeMs` is older than the call; everything else is in doubt.
 */
export interface AppliedWindow {
  fromMs: number
  toMs: number
  surelyBeforeMs: number
  /** The service runs in this process, so that a time it does not give is one that never was. */
  isOwn?: true
}

/** What is known about the times of an attempt. */
export interface AttemptTimes {
  /** Whose clock the service has: `ours`: it runs in this process; `near`: on this computer; `other`: anywhere else. */
  clock: 'ours' | 'near' | 'other'
  /** This computer's clock when the request left and when its answer had arrived, Unix ms. */
  sentWallMs: number
  answeredWallMs: number
  /** From the departure of the request to the end of its answer, by a clock that never jumps. */
  elapsedMs: number
  /** From the departure of the first attempt to that of this one, by the same clock. */
  sinceFirstMs: number
  /** The answer's `Date` header. */
  date: unknown
  /** Whether an attempt of an earlier process may have been applied. */
  lostBefore: boolean
  /** When that attempt may have left at the earliest, Unix ms by this computer's clock. */
  begunAtMs: number | undefined
}

// ASSUMED A541: the clock that stamps vouchers and the one in `Date` differ by less than a minute; what lies between is in doubt.
const doubtMs = 60_000

/**
 * Returns the time of a call; undefined when it cannot be known.
 *
 * The service's own `Date` tells it, to the second, whatever this computer's clock shows. On this computer both clocks must
 * agree. What an earlier process lost may have been applied at any time before.
 */
export function appliedWindow(times: AttemptTimes): AppliedWindow | undefined {
  const { clock, sentWallMs, answeredWallMs, elapsedMs, sinceFirstMs, date, lostBefore, begunAtMs } = times
  // Rounded up: a clock of whole milliseconds may have shown the very one in which the first attempt was applied.
  const wallFromMs = sentWallMs - Math.ceil(sinceFirstMs)
  if (clock === 'ours') {
    const fromMs = Math.min(wallFromMs, lostBefore ? (begunAtMs ?? Number.NEGATIVE_INFINITY) : wallFromMs)
    return { fromMs, toMs: answeredWallMs, surelyBeforeMs: fromMs, isOwn: true }
  }
  const dateMs = typeof date === 'string' ? Date.parse(date) : Number.NaN
  if (Number.isNaN(dateMs)) return undefined
  const dated = { fromMs: dateMs - Math.ceil(elapsedMs + sinceFirstMs), toMs: dateMs + 999 }
  const isNear = clock === 'near'
  const earliestMs = isNear ? Math.min(dated.fromMs, wallFromMs) : dated.fromMs
  return {
    fromMs: isNear ? Math.max(dated.fromMs, wallFromMs) : dated.fromMs,
    toMs: isNear ? Math.min(dated.toMs, answeredWallMs) : dated.toMs,
    surelyBeforeMs: lostBefore ? Number.NEGATIVE_INFINITY : earliestMs - doubtMs,
  }
}

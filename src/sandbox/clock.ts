// The service's time: the computer's, some time ahead of it, or stopped. It belongs to the data file, so that every process
// that has the file open has the same (docs/adr/0027-the-service-has-a-clock-of-its-own.md).
import type { Store } from './storage/store.ts'

/** How the clock goes: on from the computer's time, or not at all. */
export type ClockState =
  | { runs: true; ahead_ms: number }
  /** `goes_on`: a server advances it, and lets it run afterwards. */
  | { runs: false; at_ms: number; goes_on?: true }

/** The clock of a data file. */
export type ServiceClock = ReturnType<typeof clockOf>

const factName = 'clock'
const computersOwn: ClockState = { runs: true, ahead_ms: 0 }

/** Returns the clock of a data file. `computerMs` is the computer's time in milliseconds since 1970. */
export function clockOf(store: Pick<Store, 'fact' | 'setFact' | 'transaction' | 'db'>, computerMs: () => number) {
  let known: ClockState | undefined
  const state = () => {
    known = store.db.cached(factName, () => store.fact<ClockState>(factName) ?? computersOwn)
    return known
  }
  const msOf = (current: ClockState) => (current.runs ? computerMs() + current.ahead_ms : current.at_ms)
  const nowMs = () => msOf(state())
  // Requests come several to a millisecond, and each asks more than once.
  let last = { ms: Number.NaN, text: '' }
  const textOf = (ms: number) => {
    if (ms !== last.ms) last = { ms, text: new Date(ms).toISOString() }
    return last.text
  }
  return {
    /** Milliseconds since 1970. */
    nowMs,
    /** ISO 8601 UTC with milliseconds. */
    now: () => textOf(nowMs()),
    /**
     * Like `now`, by the state that was read last: that another process has moved the clock since then is noticed by the next request.
     * Between transactions, where the log asks, everything else would be a query.
     */
    lastKnown: () => textOf(msOf(known ?? state())),
    state,
    /**
     * Lets the clock go on from an instant, or stops it there; `later`: until it was advanced. Inside a transaction of the caller, or
     * in one of its own.
     */
    set: (atMs: number, runs: boolean | 'later') => {
      const next: ClockState =
        runs === true
          ? { runs, ahead_ms: atMs - computerMs() }
          : { runs: false, at_ms: atMs, ...(runs === 'later' && { goes_on: true }) }
      store.transaction(() => {
        store.setFact(factName, next)
        known = next
        // Inside this transaction, and in the requests after it, the time is the new one.
        store.db.uncache()
      })
    },
  }
}

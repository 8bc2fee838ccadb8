// Moves the service's clock ahead, and does on the way what was due, in order.
import type { ServiceClock } from '../clock.ts'
import type { Store } from '../storage/store.ts'
import type { Runner } from './runner.ts'

export interface AdvanceParts {
  clock: ServiceClock
  store: Pick<Store, 'jobs' | 'transaction'>
  runner: Pick<Runner, 'settled' | 'othersEnded' | 'wake'>
  kinds: readonly string[]
  /** Ends the advance early, at the instant that it has reached. */
  stop: AbortSignal
}

/**
 * Advances the clock to an instant (milliseconds since 1970). It stops at each instant at which a job is due until everything
 * that is due then is done, deliveries in flight included. Afterwards it runs if it ran before.
 *
 * Does nothing but work off what is due when the clock is there already.
 */
export async function advance({ clock, store, runner, kinds, stop }: AdvanceParts, untilMs: number): Promise<void> {
  const { runs } = clock.state()
  // Another process may be advancing the same clock: it never goes back here.
  const moveTo = (atMs: number, goesOn = false) =>
    store.transaction(() => clock.set(Math.max(atMs, clock.nowMs()), goesOn))
  moveTo(clock.nowMs())
  try {
    while (!stop.aborted) {
      await runner.settled()
      await runner.othersEnded(stop)
      const dueMs = store.jobs.nextDue(kinds)
      if (dueMs === undefined || dueMs > untilMs) break
      moveTo(dueMs)
    }
    if (stop.aborted) return
    moveTo(untilMs)
    await runner.settled()
  } finally {
    if (runs) moveTo(clock.nowMs(), true)
    runner.wake()
  }
}

// A clock that jumps to the next sleeper as soon as nothing else is going on, and remembers every sleep.
import type { Clock } from '../../../../src/api/connection.ts'

export interface FakeClock extends Clock {
  slept: number[]
}

/** Starts at 1,000 ms after 2026-01-02T00:00:00Z; `random` always returns 0.5 by default. */
export function fakeClock(random = 0.5): FakeClock {
  const startedAt = Date.UTC(2026, 0, 2)
  const sleepers: { at: number; wake: () => void }[] = []
  const slept: number[] = []
  let now = 1000
  let isDriving = false

  function drive(): void {
    const next = sleepers.sort((a, b) => a.at - b.at).shift()
    isDriving = sleepers.length > 0
    if (next === undefined) return
    now = Math.max(now, next.at)
    next.wake()
    if (isDriving) setImmediate(drive)
  }

  return {
    slept,
    now: () => now,
    wall: () => startedAt + now,
    random: () => random,
    sleep(ms, signal) {
      slept.push(ms)
      return new Promise((resolve, reject) => {
        if (signal?.aborted) return reject(signal.reason)
        const sleeper = { at: now + ms, wake: resolve }
        sleepers.push(sleeper)
        const stop = () => {
          sleepers.splice(sleepers.indexOf(sleeper), 1)
          reject(signal?.reason)
        }
        sleeper.wake = () => {
          signal?.removeEventListener('abort', stop)
          resolve()
        }
        signal?.addEventListener('abort', stop, { once: true })
        if (!isDriving) setImmediate(drive)
        isDriving = true
      })
    },
  }
}

// A timer for the time limits of requests whose time passes only when a test says so.
import type { Timer } from '../../src/api/connection.ts'

/** `runOut` lets the time pass until the end of every limit that runs now. */
export function timerByHand(): { timer: Timer; runOut: () => void } {
  let nowMs = 0
  const waiting = new Map<() => void, number>()
  return {
    timer: {
      now: () => nowMs,
      after(ms, call) {
        waiting.set(call, nowMs + ms)
        return () => waiting.delete(call)
      },
    },
    runOut() {
      const due = [...waiting]
      waiting.clear()
      for (const [call, atMs] of due) {
        nowMs = Math.max(nowMs, atMs)
        call()
      }
    },
  }
}

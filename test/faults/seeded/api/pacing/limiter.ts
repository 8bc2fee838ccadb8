// Seam: how many requests a second may have. With PACED_DEPARTURES the limiter has a clock of its own, which stands still
// while a request that has its turn is on its way, and otherwise jumps to the next turn; when each left is added to that file.
import { appendFileSync } from 'node:fs'
import { setImmediate as nextTurn } from 'node:timers/promises'
import * as sound from '../../../../../src/api/pacing/limiter.ts'
import { fakeClock } from '../../../../unit/api/pacing/fake-clock.ts'
import { has } from '../../../seeded-bug.ts'

export * from '../../../../../src/api/pacing/limiter.ts'

export const createLimiter: typeof sound.createLimiter = (rate, clock, ...rest) => {
  const isRaised = rate !== undefined && has('one request a second too many')
  const kept = isRaised ? { ...rate, requests: rate.requests + rate.perMs / 1000 } : rate
  const file = process.env.PACED_DEPARTURES
  return file === undefined ? sound.createLimiter(kept, clock, ...rest) : pacedLimiter(file, kept, ...rest)
}

function pacedLimiter(file: string, rate: Parameters<typeof createLimiter>[0], ...rest: [AbortSignal?, sound.Gate?]) {
  const clock = fakeClock()
  let onTheWay = 0
  const sleep = async (ms: number, signal?: AbortSignal) => {
    do await nextTurn()
    while (onTheWay > 0)
    await clock.sleep(ms, signal)
  }
  const limiter = sound.createLimiter(rate, { ...clock, sleep }, ...rest)
  const granted = (turn: sound.Turn) => {
    onTheWay += 1
    return turn
  }
  const over = () => {
    onTheWay -= 1
  }
  const watched: sound.Limiter = {
    ...limiter,
    turn() {
      const turn = limiter.turn()
      if (turn === undefined) onTheWay += 1
      return turn?.then(granted)
    },
    slot() {
      const wait = limiter.slot()
      if (wait === undefined) return undefined
      // It waits for its clock, not the clock for it.
      onTheWay -= 1
      return wait.finally(() => (onTheWay += 1))
    },
    left() {
      limiter.left()
      over()
      appendFileSync(file, `${clock.wall()}\n`)
    },
    lost(hasLeft) {
      limiter.lost(hasLeft)
      if (!hasLeft) over()
    },
  }
  return watched
}

// Lets requests go one after another at the pace the user, the service's budget and its refusals allow.
import type { Clock } from '../connection.ts'
import { longestWaitMs } from '../outcome/retry.ts'
import type { Reply } from '../request/transport.ts'
import { createPace } from './adaptive.ts'
import type { Health } from './availability.ts'
import { createBudget } from './budget.ts'
import type { LimitsAhead } from './limits-ahead.ts'
import type { Rate } from './rate.ts'
import { waitOf } from './retry-after.ts'

/** Thrown by `turn` when the next request may only go after more than five minutes. */
export class LongWait extends Error {
  readonly waitMs: number

  constructor(waitMs: number) {
    super('the service asked for a long pause')
    this.waitMs = waitMs
  }
}

export type Limiter = ReturnType<typeof createLimiter>

export type Turn = 'ordinary' | 'probe'

/** What the limiter needs to know about the service's health. */
export type Gate = Pick<Health, 'obstacle' | 'leave' | 'isOpen'>

// After a pause many requests wait. They leave one by one, or the pause would end in a burst.
const calmIntervalMs = 100
const calmRequests = 10

// What left within a second may reach the service in a little less.
const jitterMs = 40
const jitterShare = 0.04

// Shards that take turns need more: one can leave at the end of its turn, and the one that closes a second at its beginning.
const slotShare = 0.1
const shortestSlotMs = 60

// Timers fire late, and later on a busy computer. Such a delay does not postpone the requests after it, or 100/s would
// become 90/s. A longer delay is never made up for, or a quiet time would end in a burst.
const latenessMs = 50

/** A limiter for one host, shared by all calls of a client. */
export function createLimiter(rate: Rate | undefined, clock: Clock, signal?: AbortSignal, gate: Gate = alwaysOpen) {
  const intervalMs = rate === undefined ? 0 : rate.perMs / rate.requests
  const pace = createPace()
  const waiting: { go: (turn: Turn) => void; refuse: (reason: unknown) => void }[] = []
  let isPumping = false
  let onAnswer = () => {}
  let nextAt = Number.NEGATIVE_INFINITY
  let pausedUntil = Number.NEGATIVE_INFINITY
  let calmLeft = 0
  let underWay = 0
  const budget = createBudget()
  const slots = rate?.slot && createSlots(intervalMs, rate.slot, clock)
  const ceiling = rate === undefined ? undefined : createCeiling(intervalMs)

  function pause(until: number): void {
    if (until <= pausedUntil) return
    pausedUntil = until
    calmLeft = calmRequests
  }

  /** Milliseconds to wait, or `answer` when only the next answer can tell. */
  function obstacle(now: number): number | 'answer' {
    const untilFits = budget.obstacle(now, underWay)
    if (untilFits !== 'answer' && untilFits > 0) pause(now + untilFits)
    const waitMs = Math.max(Math.max(nextAt, pausedUntil, ceiling?.nextAt() ?? 0) - now, slots?.wait() ?? 0)
    return waitMs <= 0 && (untilFits === 'answer' || ceiling?.isFull()) ? 'answer' : waitMs
  }

  function leave(now: number): void {
    const calmMs = calmLeft > 0 ? calmIntervalMs : 0
    calmLeft = Math.max(0, calmLeft - 1)
    const from = now - nextAt <= latenessMs ? nextAt : now
    nextAt = from + Math.max(intervalMs - (slots?.openMs ?? 0), pace.intervalMs(), budget.gapMs(), calmMs)
    underWay += 1
    ceiling?.granted()
    pace.sent(now)
    budget.sent(now)
  }

  async function pump(): Promise<void> {
    isPumping = true
    for (let first = waiting[0]; first !== undefined; first = waiting[0]) {
      try {
        await passObstacles()
        leave(clock.now())
        first.go(gate.leave() ? 'probe' : 'ordinary')
      } catch (reason) {
        first.refuse(reason)
      }
      waiting.shift()
    }
    isPumping = false
  }

  async function passObstacles(): Promise<void> {
    // Checked again after every wait: a pause may have begun meanwhile.
    for (;;) {
      signal?.throwIfAborted()
      const now = clock.now()
      const outage = gate.obstacle(now)
      if (outage !== 0) calmLeft = calmRequests
      const wait = outage === 0 ? obstacle(now) : outage
      if (pausedUntil - now > longestWaitMs) throw new LongWait(pausedUntil - now)
      if (wait === 'answer') await new Promise<void>((resolve) => (onAnswer = resolve))
      else if (outage !== 0) await sleepUnlessAnswered(wait)
      else if (wait > 0) await clock.sleep(wait, signal)
      else return
    }
  }

  // Any answer may end an outage, including one to a request that left before it began.
  async function sleepUnlessAnswered(ms: number): Promise<void> {
    const wake = new AbortController()
    onAnswer = () => wake.abort()
    await clock.sleep(ms, wake.signal).catch(() => {})
  }

  function onArrival(): void {
    underWay -= 1
    onAnswer()
  }

  async function untilSlot(wait: () => number): Promise<void> {
    // Timers fire late, and a slot is short.
    for (let ms = wait(); ms > 0; ms = wait()) await clock.sleep(ms, signal)
  }

  signal?.addEventListener('abort', () => onAnswer(), { once: true })

  return {
    /**
     * Resolves when the next request may go, in the order of asking; undefined when it may go at once.
     *
     * Returns whether the request is a probe of an unavailable service. Throws `LongWait`, `ServiceUnavailable`, or the
     * reason of a stop.
     */
    turn(): Promise<Turn> | undefined {
      const now = clock.now()
      const wait = isPumping || gate.isOpen() ? 1 : obstacle(now)
      if (wait !== 'answer' && wait <= 0) {
        leave(now)
        return undefined
      }
      return new Promise((go, refuse) => {
        waiting.push({ go, refuse })
        if (!isPumping) void pump()
      })
    },
    /**
     * Updates the pace from an answer; `sentAt` is when its request left. Returns the milliseconds for which the service
     * accepts no requests, and holds back every request for that time.
     */
    learn(
      { status, headers }: Pick<Reply, 'status' | 'headers'>,
      wasThrottled: boolean,
      sentAt: number,
    ): number | undefined {
      const now = clock.now()
      if (wasThrottled) pace.throttled(now, sentAt)
      else pace.answered(now)
      const wallMs = clock.wall()
      budget.answered(headers, wasThrottled, sentAt, now, wallMs)
      const waitMs = waitOf({ status, headers }, wasThrottled, wallMs)
      if (waitMs !== undefined) {
        if (wasThrottled) budget.refused(sentAt, waitMs, now)
        pause(now + waitMs)
      }
      onArrival()
      return waitMs
    },
    /**
     * Resolves when a request that has its turn may be written now; undefined when it may. Only shards that take turns by the
     * clock have to ask: while a request waited for the disk or for its connection, their turn can have passed. Throws the
     * reason of a stop.
     */
    slot: () => (slots === undefined || slots.wait() === 0 ? undefined : untilSlot(slots.wait)),
    /** Records that a request which had its turn is on the wire: it may have waited for a connection, or for the disk. */
    left: (): void => {
      if (ceiling === undefined) return
      ceiling.left(clock.now())
      onAnswer()
    },
    /** Records that a request ended without an answer; `hasLeft`: it had been on the wire. */
    lost(hasLeft: boolean): void {
      if (!hasLeft) ceiling?.withdrawn()
      onArrival()
    },
    /** Returns what limits the pace from now on. */
    limitsAhead(): LimitsAhead {
      const now = clock.now()
      const window = budget.window(now)
      const pausedForMs = pausedUntil - now
      const perSecond = 1000 / Math.max(intervalMs, pace.intervalMs())
      return {
        ...(pausedForMs > 0 && { pausedForMs }),
        ...(perSecond < Number.POSITIVE_INFINITY && { perSecond }),
        ...(window && { window }),
      }
    },
  }
}

/**
 * Keeps a ceiling by when requests really left, not by when they were allowed to: as many as fit into a second (or one) in that time. Then no
 * second has more, wherever it begins.
 */
function createCeiling(intervalMs: number) {
  const most = Math.max(1, Math.floor(1000 / intervalMs + 1e-9))
  const spanMs = most * intervalMs
  const withinMs = spanMs + Math.min(jitterMs, spanMs * jitterShare)
  /** When the last of them left, the newest overwriting the oldest. */
  const departures: number[] = []
  let count = 0
  let onTheWay = 0
  return {
    /** The earliest time for the next request, as far as those on the wire decide; the past when they do not. */
    nextAt(): number {
      const before = count - (most - onTheWay)
      return onTheWay >= most || before < 0 ? 0 : (departures[before % most] as number) + withinMs
    },
    /** Whether requests that have their turn and are not on the wire yet use up the ceiling. */
    isFull: () => onTheWay >= most,
    granted(): void {
      onTheWay += 1
    },
    left(now: number): void {
      onTheWay -= 1
      departures[count % most] = now
      count += 1
    },
    /** Records that a request that had its turn will not leave. */
    withdrawn(): void {
      onTheWay -= 1
    },
  }
}

/**
 * Tells when one of several shards may send, by the clock that they share. One more request than a second may have takes longer than a
 * second, from the end of one slot to the beginning of another.
 */
function createSlots(intervalMs: number, { index, of }: { index: number; of: number }, clock: Clock) {
  const everyMs = (intervalMs / of) * (1 + slotShare)
  const most = Math.max(1, Math.ceil(1000 / (intervalMs / of) - 1e-9))
  const openMs = Math.min(Math.max(everyMs / 2, shortestSlotMs), most * everyMs - 1000 - jitterMs)
  return {
    /** Milliseconds until its slot; 0 while it is open. */
    wait: (): number => {
      const sinceMs = (clock.wall() - index * everyMs) % (of * everyMs)
      return sinceMs < openMs ? 0 : of * everyMs - sinceMs
    },
    /** How long a slot is open, for timers that fire late. */
    openMs,
  }
}

const alwaysOpen: Gate = { obstacle: () => 0, leave: () => false, isOpen: () => false }

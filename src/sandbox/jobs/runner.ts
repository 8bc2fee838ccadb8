// Processes the queue inside the serving process: at once when a request queues work, later by a timer, and between
// requests, so that no request waits for it.

import type { ReadingContext, RemoteJob } from '../http/route.ts'
import type { QueuedJob } from '../storage/job-queue.ts'
import { openServerNumbers } from '../storage/open-servers.ts'
import { giveUpIfExhausted, type JobParts, jobContext, runLocalJob, settleRemoteJob } from './run-job.ts'

export interface RunnerParts extends Omit<JobParts, 'kinds'> {
  /** This process's number among those that have the file open (storage/open-servers.ts). */
  holder: number
  /** Polls for work of other processes; false for a file that no other process can open. */
  isShared: boolean
}

export interface Runner {
  /** Starts due jobs as soon as the event loop is free. To be called after a commit. */
  wake: () => void
  /** Works until nothing is due and nothing is in flight, or until it is closed. */
  settled: () => Promise<void>
  /** Waits until no other process has a delivery in flight, as long as one may take. */
  othersEnded: (stop: AbortSignal) => Promise<void>
  /** Works on due jobs for `boundMs` at most, aborts those still in flight and stops. */
  close: (boundMs: number) => Promise<void>
}

// Longer than the 15 s of `act`; an older claim belongs to a process that hangs.
const claimMs = 30_000
const actMs = 15_000
const abortMs = 500
const turnMs = 12
const atOnce = 8
/** For work of other processes; also the delay after a failed commit. */
const pollMs = 1_000
/** Between two looks at the deliveries of other processes. */
const lookMs = 20
/** Computers are suspended and clocks are adjusted. */
const longestSleepMs = 60_000

/** Returns the runner of a process. It does nothing before `wake` is called. */
export function runnerOf(given: RunnerParts): Runner {
  const { store, jobs, holder } = given
  const kinds = Object.keys(jobs)
  const parts = { ...given, kinds: new Set(kinds) }
  const hereKinds = kinds.filter((kind) => jobs[kind]?.where === 'here')
  const inFlight = new Map<Promise<void>, AbortController>()
  let timer: NodeJS.Timeout | undefined
  let soon: NodeJS.Immediate | undefined
  let isClosed = false

  const nowMs = () => Date.parse(parts.now())
  const nextDue = () => store.jobs.nextDue(inFlight.size < atOnce ? kinds : hereKinds)
  const isDue = () => (nextDue() ?? Number.POSITIVE_INFINITY) <= nowMs()

  /**
   * Runs some due jobs in one transaction, and claims those that call the network; these start after the commit.
   * When the store failed (disk full, file locked too long), nothing was done and nothing may be started.
   */
  const turn = (): 'idle' | 'worked' | 'failed' => {
    const began = performance.now()
    const claimed: QueuedJob[] = []
    try {
      takeOver()
      if (!isDue()) return 'idle'
      store.transaction(() => {
        // At least one job: on a busy computer the time may be over before the first.
        do {
          const room = inFlight.size + claimed.length < atOnce
          const queued = store.jobs.due(room ? kinds : hereKinds, nowMs())
          const declared = queued && jobs[queued.kind]
          if (!queued || !declared) return
          if (declared.where === 'here') {
            // A slice with more to follow ends the turn: requests that arrived meanwhile are next.
            if (runLocalJob(parts, declared, queued)) return
          } else if (!giveUpIfExhausted(parts, declared, queued)) {
            store.jobs.claim(queued.n, holder, nowMs() + claimMs)
            claimed.push(queued)
          }
        } while (performance.now() - began < turnMs)
      })
    } catch (error) {
      parts.report(error, '-')
      return 'failed'
    }
    for (const queued of claimed) begin(jobs[queued.kind] as RemoteJob, queued)
    return 'worked'
  }

  const begin = (declared: RemoteJob, queued: QueuedJob) => {
    const attempt = queued.attempts + 1
    const stop = new AbortController()
    const act = async () => {
      const context = jobContext(parts, queued, attempt)
      return context && (await declared.act(queued.payload, context satisfies ReadingContext, stop.signal))
    }
    const tooLong = setTimeout(() => stop.abort(new Error(`job ${queued.kind} took too long`)), actMs)
    tooLong.unref()
    const whole = act()
      .then(
        (value) => ({ value }),
        (reason: unknown) => ({ reason }),
      )
      .then((result) => {
        if (isClosed) return
        store.transaction(() => {
          // When this process was too slow, another one has taken the job over, and the other's result counts.
          if (store.jobs.isHeld(queued.n, holder)) settleRemoteJob(parts, declared, queued, attempt, result)
        })
      })
      .catch((error: unknown) => parts.report(error, queued.request_id))
      .finally(() => {
        clearTimeout(tooLong)
        inFlight.delete(whole)
        schedule(0)
      })
    inFlight.set(whole, stop)
  }

  const schedule = (atLeastMs: number) => {
    clearTimeout(timer)
    if (isClosed || soon) return
    const waitMs = Math.max(atLeastMs, Math.min(untilDueMs(), parts.isShared ? pollMs : longestSleepMs))
    if (waitMs <= 0) return wake()
    timer = setTimeout(wake, waitMs)
    timer.unref()
  }

  const untilDueMs = () => {
    try {
      return (nextDue() ?? Number.POSITIVE_INFINITY) - nowMs()
    } catch (error) {
      parts.report(error, '-')
      return pollMs
    }
  }

  const wake = () => {
    if (isClosed || soon) return
    soon = setImmediate(() => {
      soon = undefined
      schedule(turn() === 'failed' ? pollMs : 0)
    })
    // Not unref'd: the event loop would not wake for such an immediate until another event, which may never come.
  }

  /** Makes the claimed jobs of processes that no longer exist due at once. */
  const takeOver = () => {
    const gone = store.jobs.claimers().filter((claimer) => claimer !== holder)
    if (gone.length === 0) return
    const alive = openServerNumbers(store.db)
    for (const claimer of gone) if (!alive.includes(claimer)) store.jobs.release(claimer, nowMs(), 'died')
  }

  const workUntil = async (untilMs: number) => {
    while (!isClosed && performance.now() < untilMs) {
      const outcome = turn()
      if (outcome === 'failed') return
      if (outcome === 'idle') {
        if (inFlight.size === 0) return
        await firstOf([...inFlight.keys()], untilMs - performance.now())
      }
      await new Promise((resolve) => setImmediate(resolve))
    }
  }

  const othersEnded = async (stop: AbortSignal) => {
    const untilMs = performance.now() + claimMs
    while (!isClosed && !stop.aborted && performance.now() < untilMs) {
      takeOver()
      if (store.jobs.claimers().every((claimer) => claimer === holder)) return
      await new Promise((resolve) => setTimeout(resolve, lookMs))
    }
  }

  // An earlier process may have had the same number; its claims are void.
  store.jobs.release(holder, nowMs(), 'died')
  return {
    wake,
    settled: () => workUntil(Number.POSITIVE_INFINITY),
    othersEnded,
    close: async (boundMs) => {
      if (isClosed) return
      await workUntil(performance.now() + boundMs)
      isClosed = true
      clearTimeout(timer)
      if (soon) clearImmediate(soon)
      for (const stop of inFlight.values()) stop.abort(new Error('the sandbox stops'))
      await firstOf([Promise.all(inFlight.keys())], abortMs)
      // Claims that cannot be released expire, or are taken over by a process that sees that this one has ended.
      try {
        store.jobs.release(holder, nowMs(), 'aborted')
      } catch (error) {
        parts.report(error, '-')
      }
    },
  }
}

/** Waits for the first of some promises, for `atMostMs` at most. */
async function firstOf(promises: readonly Promise<unknown>[], atMostMs: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const elapsed = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, Math.max(0, Math.min(atMostMs, longestSleepMs)))
  })
  await Promise.race([...promises, elapsed])
  clearTimeout(timer)
}

// The calls that show and move the service's clock. On the way ahead what is due is done, in order.

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { durationFrom } from '../../base/duration.ts'
import { isRecord } from '../../base/record.ts'
import type { Endpoint } from '../../contract/endpoint.ts'
import type { ServiceClock } from '../clock.ts'
import type { Time } from '../in-code-types.ts'
import type { Runner } from '../jobs/runner.ts'
import { nextSteps, SandboxError } from '../sandbox-error.ts'
import type { Database } from '../storage/database.ts'
import { beginningOf, listSnapshots, loadSnapshot, saveSnapshot } from '../storage/snapshot.ts'
import type { Store } from '../storage/store.ts'
import { callTest } from './call-pattern.ts'
import type { ControlBodies, FaultRule } from './calls.ts'
import type { Faults } from './faults.ts'
import type { requestLogOf } from './request-log.ts'
import { checkInput } from './server.ts'

interface AdvanceParts {
  clock: ServiceClock
  store: Pick<Store, 'jobs' | 'transaction'>
  runner: Pick<Runner, 'settled' | 'othersEnded' | 'wake'>
  kinds: readonly string[]
  /** Ends the advance early, at the instant that it has reached. */
  stop: AbortSignal
}

/** The last instant that every part of the service can write. */
const lastMs = Date.parse('9999-12-31T23:59:59.999Z')

/** Returns the calls of the clock. Those that move it take turns. `computerMs` is the computer's time. */
export function clockCalls(parts: AdvanceParts, computerMs: () => number) {
  let last: Promise<unknown> = Promise.resolve()
  const inTurn = <Result>(act: () => Promise<Result>): Promise<Result> => {
    const done = last.then(act)
    last = done.catch(() => {})
    return done
  }

  const { clock, store, kinds } = parts
  const show = (): Time => {
    const dueMs = store.jobs.nextDue(kinds)
    return {
      now: clock.now(),
      runs: clock.state().runs,
      computer_time: new Date(computerMs()).toISOString(),
      next_due_at: dueMs === undefined ? null : new Date(dueMs).toISOString(),
    }
  }
  /** `fromMs` was read before `ms`: a clock that runs shows more a moment later, and 1 ms ahead would be back in time. */
  const goTo = async (ms: number, fromMs: number, isBackAllowed = false) => {
    if (ms > lastMs) throw new SandboxError('bad-control', `the clock ends at ${new Date(lastMs).toISOString()}`)
    if (ms >= fromMs) return await advance(parts, ms)
    if (!isBackAllowed) throw goesBack(fromMs, ms)
    store.transaction(() => clock.set(ms, clock.state().runs))
    parts.runner.wake()
  }
  const moveClock = (act: () => Promise<void>) => inTurn(() => act().then(show))
  const stopClock = () => store.transaction(() => clock.set(clock.nowMs(), false))
  const resumeClock = () => store.transaction(() => clock.set(clock.nowMs(), true))
  return {
    'clock.show': async () => show(),
    'clock.set': ({ time, allow_back }: ControlBodies['clock.set']) =>
      moveClock(async () => {
        await goTo(Date.parse(time), clock.nowMs(), allow_back)
        stopClock()
      }),
    'clock.advance': ({ by }: ControlBodies['clock.advance']) =>
      moveClock(() => {
        const fromMs = clock.nowMs()
        return goTo(fromMs + (durationFrom(by) as number), fromMs)
      }),
    'clock.resume': ({ real_time, allow_back }: ControlBodies['clock.resume']) =>
      moveClock(async () => {
        const fromMs = clock.nowMs()
        if (real_time) await goTo(computerMs(), fromMs, allow_back)
        if (real_time) store.transaction(() => clock.set(computerMs(), true))
        else resumeClock()
        parts.runner.wake()
      }),
    /** Runs one call after the other. */
    inTurn,
    /** Resolves when no call moves the clock. */
    idle: () => last,
  }
}

function goesBack(fromMs: number, ms: number): SandboxError {
  const message = `the service's clock shows ${new Date(fromMs).toISOString()}: ${new Date(ms).toISOString()} would be back in time`
  return new SandboxError('bad-control', message, { hint: nextSteps.allowBack })
}

/**
 * Advances the clock to an instant (milliseconds since 1970). It stops at each instant at which a job is due until everything
 * that is due then is done, deliveries in flight included. Afterwards it runs if it ran before.
 *
 * Does nothing but work off what is due when the clock is there already.
 */
async function advance({ clock, store, runner, kinds, stop }: AdvanceParts, untilMs: number): Promise<void> {
  const before = clock.state()
  // A server that was killed while it advanced leaves a clock that is to run.
  const runs = before.runs || before.goes_on === true
  // Another process may be advancing the same clock: it never goes back here.
  const moveTo = (atMs: number, goesOn: boolean | 'later' = runs && 'later') =>
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

// The calls about faults, the log of requests and snapshots.

/**
 * Reads faults from a file: rules, or faults as they are listed. Throws SandboxError `bad-control`, which names the first
 * that is none.
 */
export function givenFaults(given: unknown): FaultRule[] {
  if (!Array.isArray(given)) throw new SandboxError('bad-control', 'the faults must be a JSON array')
  return given.map((rule: unknown, at) => {
    const { id: _i, does: _d, when: _w, matched: _m, struck: _s, ...asked } = isRecord(rule) ? rule : { call: rule }
    try {
      return checkInput('faults.add', asked)
    } catch (error) {
      throw error instanceof SandboxError ? new SandboxError('bad-control', `fault ${at + 1}: ${error.message}`) : error
    }
  })
}

/** Returns the calls about faults. */
export function faultCalls(faults: Faults) {
  return {
    'faults.list': async () => ({ faults: faults.list() }),
    'faults.add': async (rule: ControlBodies['faults.add']) => faults.add(rule),
    'faults.clear': async ({ id }: ControlBodies['faults.clear']) => ({ removed: faults.clear(id) }),
  }
}

/** Returns the calls about the log. */
export function requestCalls(
  log: Pick<ReturnType<typeof requestLogOf>, 'list' | 'clear'>,
  served: readonly Endpoint[],
  now: () => string,
) {
  // An age is one by the service's clock, as the time of each request is.
  const from = (since: string) => {
    const ageMs = durationFrom(since)
    return new Date(ageMs === undefined ? since : Math.max(0, Date.parse(now()) - ageMs)).toISOString()
  }
  return {
    'requests.list': async ({ call, since, ...filter }: ControlBodies['requests.list']) =>
      log.list({
        ...filter,
        ...(since !== undefined && { since: from(since) }),
        ...(call !== undefined && { matches: callTest(call, served) }),
      }),
    'requests.clear': async () => log.clear(),
  }
}

export interface SnapshotParts {
  db: Database
  /** The data file, or `:memory:`. */
  file: string
  /** Returns what makes the beginning: the project with its keys, and what a new file is filled with. */
  fill: () => Promise<() => void>
  /** Runs one call after the other, those of the clock included. */
  inTurn: <Result>(act: () => Promise<Result>) => Promise<Result>
  /** Called after everything was replaced. */
  wake: () => void
}

/** Returns the calls; `close` removes what was kept of a sandbox in memory. */
export function snapshotCalls({ db, file, fill, inTurn, wake }: SnapshotParts) {
  let temporary: string | undefined
  const folder = () => {
    if (file !== ':memory:') return `${file}.snapshots`
    temporary ??= mkdtempSync(join(tmpdir(), 'promo-snapshots-'))
    return temporary
  }
  const reset = beginningOf(db, fill)
  return {
    'snapshot.save': ({ name }: ControlBodies['snapshot.save']) => inTurn(() => saveSnapshot(db, folder(), name)),
    'snapshot.load': ({ name }: ControlBodies['snapshot.load']) =>
      inTurn(async () => {
        const loaded = loadSnapshot(db, folder(), name)
        wake()
        return loaded
      }),
    'snapshot.list': async () => ({ snapshots: listSnapshots(folder()) }),
    reset: () =>
      inTurn(async () => {
        await reset()
        wake()
        return {}
      }),
    close: () => {
      if (temporary !== undefined) rmSync(temporary, { recursive: true, force: true })
    },
  }
}

// The calls about faults, the log of requests and snapshots.

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { durationFrom } from '../../base/duration.ts'
import { isRecord } from '../../base/record.ts'
import type { Endpoint } from '../../contract/endpoint.ts'
import { SandboxError } from '../sandbox-error.ts'
import type { Database } from '../storage/database.ts'
import { beginningOf, listSnapshots, loadSnapshot, saveSnapshot } from '../storage/snapshot.ts'
import { callTest } from './call-pattern.ts'
import type { ControlBodies, FaultRule } from './calls.ts'
import type { Faults } from './faults.ts'
import type { requestLogOf } from './request-log.ts'
import { checkInput } from './server.ts'

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

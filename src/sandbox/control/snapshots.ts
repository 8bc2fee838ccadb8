// The calls that save, load and list snapshots, and bring the data back to its beginning.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Database } from '../storage/database.ts'
import { beginningOf, listSnapshots, loadSnapshot, saveSnapshot } from '../storage/snapshot.ts'
import type { ControlBodies } from './calls.ts'

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

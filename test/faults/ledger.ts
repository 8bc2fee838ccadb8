// What the service really did, one line per effect, written before the answer and never read by the client: the oracle's truth.
import { closeSync, openSync, readFileSync, writeSync } from 'node:fs'
import type { FaultName } from './fault-kinds.ts'
import type { Effect } from './witnessed-service.ts'

export interface Entry {
  /** The operation, as the client's input names it. */
  key: string
  /** The number of the request that had the effect, by arrival, from 1. */
  request: number
  effect: Effect
  /** What happened to the answer. */
  fault?: FaultName
}

export interface Ledger {
  /** Records entries; the operating system has them when it returns. */
  write: (entries: readonly Entry[]) => void
  close: () => void
}

/** Makes an empty ledger. Throws when the file exists. */
export function openLedger(path: string): Ledger {
  const file = openSync(path, 'ax', 0o600)
  return {
    write(entries) {
      const bytes = Buffer.from(entries.map((entry) => `${JSON.stringify(entry)}\n`).join(''))
      for (let written = 0; written < bytes.length; ) written += writeSync(file, bytes, written)
    },
    close: () => closeSync(file),
  }
}

/** Reads a ledger, oldest entry first. */
export function entriesOf(path: string): Entry[] {
  const lines = readFileSync(path, 'utf8').split('\n').slice(0, -1)
  return lines.map((line) => JSON.parse(line) as Entry)
}

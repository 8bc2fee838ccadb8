// The fingerprint of an input, which tells whether it is still the same.
import { createHash } from 'node:crypto'
import { readSource } from './source.ts'

/** Computes the fingerprint of an input while it is read. */
export interface InputChecksum {
  add: (piece: Buffer | string) => void
  /** Returns the SHA-256 in hex of all pieces so far. */
  sha256: () => string
}

/** Begins a fingerprint. */
export function inputChecksum(): InputChecksum {
  const hash = createHash('sha256')
  return { add: (piece) => void hash.update(piece), sha256: () => hash.copy().digest('hex') }
}

/** Returns the fingerprint of a file as it is now. Throws what `readSource` throws. */
export async function fileChecksum(from: string, stdin: Parameters<typeof readSource>[0]['stdin']): Promise<string> {
  const sum = inputChecksum()
  for await (const piece of readSource({ from, stdin })) sum.add(piece)
  return sum.sha256()
}

/** Returns the SHA-256 in hex of a value's JSON. */
export function jsonChecksum(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('hex')
}

// The sum over the bytes of an input, which tells whether it is still the same.
import { createHash } from 'node:crypto'
import { readSource } from '../input/source.ts'

/** Adds up an input while it is read. */
export interface InputChecksum {
  heard: (piece: Buffer) => void
  /** SHA-256 in hex over all that was heard. */
  sha256: () => string
}

/** Begins a sum. */
export function inputChecksum(): InputChecksum {
  const hash = createHash('sha256')
  return { heard: (piece) => void hash.update(piece), sha256: () => hash.copy().digest('hex') }
}

/** Gives the sum of a file as it is now. Throws what `readSource` throws. */
export async function fileChecksum(from: string, stdin: Parameters<typeof readSource>[0]['stdin']): Promise<string> {
  const sum = inputChecksum()
  for await (const piece of readSource({ from, stdin })) sum.heard(piece)
  return sum.sha256()
}

/** Gives the SHA-256 in hex of a value's JSON. */
export function jsonChecksum(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('hex')
}

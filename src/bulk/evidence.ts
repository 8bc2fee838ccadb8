// Which evidence several rows of an input share: what would prove one of them could have been made by another.
import { hashOf } from './shard.ts'

/** Hashes of the evidence that several rows share; `all` where these are too many to keep. */
export type SharedEvidence = readonly number[] | 'all'

/** Keeps the evidence of rows, 8 bytes a row, as hashes: two that are equal by chance leave a row unknown, never wrong. */
export interface EvidenceCount {
  add(evidence: string): void
  /** Returns what occurred more than once. */
  shared(): SharedEvidence
}

/** More would make the header of a job large; then nothing that is found proves a row. */
const mostShared = 1000

/** Returns an empty count. */
export function countEvidence(): EvidenceCount {
  let hashes = new Float64Array(1024)
  let size = 0
  return {
    add(evidence) {
      if (size === hashes.length) {
        const larger = new Float64Array(2 * size)
        larger.set(hashes)
        hashes = larger
      }
      hashes[size++] = hashOf(evidence)
    },
    shared() {
      const sorted = hashes.subarray(0, size).sort()
      const found: number[] = []
      for (let at = 1; at < size; at += 1) {
        const hash = sorted[at] as number
        if (hash !== sorted[at - 1] || hash === found.at(-1)) continue
        if (found.length === mostShared) return 'all'
        found.push(hash)
      }
      return found
    },
  }
}

/** Returns whether several rows have this evidence. */
export function isShared(evidence: string, shared: SharedEvidence): boolean {
  return shared === 'all' || (shared.length > 0 && shared.includes(hashOf(evidence)))
}

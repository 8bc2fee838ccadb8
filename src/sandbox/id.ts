// Time-ordered ids: a listing by id is a listing by age, and a cursor is an index lookup.
import { randomInt } from 'node:crypto'

/** Returns a new id with a prefix such as `v_`. Tests pass a counter. */
export type IdSource = (prefix: string) => string

const sequenceDigits = 7
const sequenceLimit = 16 ** sequenceDigits

// Leaves room for thirty thousand ids a millisecond, which no disk writes.
const longestStep = 2 ** 12

/** A number in [0, 1) that no one can predict. */
export function secureRandom(): number {
  return randomInt(2 ** 47) / 2 ** 47
}

/**
 * Returns an id source: prefix and 18 hex digits, of which 11 are milliseconds and 7 a sequence with a random start and
 * random steps, so that one id does not tell the next.
 *
 * Ids of one source increase strictly, also within a millisecond and when the clock steps back.
 */
export function timeOrderedIds(clockMs: () => number, random: () => number): IdSource {
  let lastMs = -1
  let sequence = 0
  return (prefix) => {
    const now = clockMs()
    if (now > lastMs) {
      lastMs = now
      // The random start stays in the lower half, which leaves room to count within a millisecond.
      sequence = Math.floor((random() * sequenceLimit) / 2)
    } else {
      sequence += 1 + Math.floor(random() * longestStep)
      if (sequence >= sequenceLimit) {
        lastMs += 1
        sequence = 0
      }
    }
    return prefix + lastMs.toString(16).padStart(11, '0') + sequence.toString(16).padStart(sequenceDigits, '0')
  }
}

/** Returns what draws numbers from 0 to 1 (without 1) that are the same for the same seed (mulberry32); Math.random cannot be seeded. */
export function randomFrom(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

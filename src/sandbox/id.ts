// Time-ordered ids: a listing by id is a listing by age, and a cursor is an index lookup.

/** Returns a new id with a prefix such as `v_`. Tests pass a counter. */
export type IdSource = (prefix: string) => string

const sequenceDigits = 7
const sequenceLimit = 16 ** sequenceDigits

/**
 * Returns an id source: prefix and 18 hex digits, of which 11 are milliseconds and 7 a sequence from a random start.
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
      sequence += 1
      if (sequence === sequenceLimit) {
        lastMs += 1
        sequence = 0
      }
    }
    return prefix + lastMs.toString(16).padStart(11, '0') + sequence.toString(16).padStart(sequenceDigits, '0')
  }
}

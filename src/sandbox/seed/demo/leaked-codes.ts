// A thousand codes of a mailing that leaked: examples/leaked-codes.csv contains the same codes.

/** Letters and digits that are not easily confused. */
const alphabet = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789'

/** The number of leaked codes. */
const leakedCount = 1000

/** Returns the leaked codes, distinct and the same on every computer: `SPRING-` and eight characters. */
export function leakedCodes(): string[] {
  const next = numbers(20_260_317)
  const codes = new Set<string>()
  while (codes.size < leakedCount) {
    let code = 'SPRING-'
    for (let place = 0; place < 8; place += 1) code += alphabet[Math.floor(next() * alphabet.length)]
    codes.add(code)
  }
  return [...codes]
}

/** A small seeded generator of numbers in [0, 1) (mulberry32); Math.random cannot be seeded. */
function numbers(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

// A thousand codes of a mailing that leaked: examples/leaked-codes.csv holds the same ones.

/** Letters and digits that are not mistaken for one another. */
const alphabet = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789'

/** How many codes the leak has. */
const leakedCount = 1000

/** Makes the leaked codes, the same on every computer, each once: `SPRING-` and eight characters. */
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

/** A small generator of numbers in [0, 1) that a seed decides (mulberry32); Math.random cannot be seeded. */
function numbers(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

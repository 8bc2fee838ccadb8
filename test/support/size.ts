// How much a test does: enough for a proof, or the size at which a rare fault shows.
const size = process.env.TEST_SIZE

/**
 * Chooses the size of a run: `quick` for `npm test`, `slow` for `npm run test:slow`, `full` for `npm run faults`, which takes
 * minutes on every core. One that is not given is that before it.
 */
export function sized<Size>({ quick, slow = quick, full = slow }: { quick: Size; slow?: Size; full?: Size }): Size {
  return size === 'full' ? full : size === 'slow' ? slow : quick
}

/**
 * Takes one of so many rows of a walk in `npm test`, the others in `npm run test:slow`, and all of them otherwise. `first` is where it
 * begins: walks over the same rows that begin at different ones meet all of them between them.
 */
export function sampled<Row>(rows: readonly Row[], oneOf: number, first = 0): Row[] {
  const isSample = (at: number) => at % oneOf === first % oneOf
  const takes = sized({ quick: isSample, slow: (at: number) => oneOf === 1 || !isSample(at), full: () => true })
  return rows.filter((_, at) => takes(at))
}

// How often a property is tried: briefly in `npm test`, twice as long in `npm run test:slow`, at length in `npm run fuzz`.
import fc from 'fast-check'
import { sized } from './size.ts'

const factor = Number(process.env.FUZZ_FACTOR ?? sized({ quick: 0.5, slow: 1 }))
const { FUZZ_SEED: seed, FUZZ_PATH: path } = process.env

/**
 * Tries a property `runs` times, multiplied by FUZZ_FACTOR. A failure prints its seed, which FUZZ_SEED repeats, and the path of its
 * case, which FUZZ_PATH begins with: the case of a seed that was 125th has the path 124.
 *
 * `examples` are always tried first: put there what once failed.
 */
export function holds<Values>(property: fc.IProperty<Values>, runs: number, examples: Values[] = []): void {
  fc.assert(property, parametersOf(runs, examples))
}

/** The same for a property whose cases take place one after the other in time. */
export async function holdsInTime<Values>(
  property: fc.IAsyncProperty<Values>,
  runs: number,
  examples: Values[] = [],
): Promise<void> {
  await fc.assert(property, parametersOf(runs, examples))
}

function parametersOf<Values>(runs: number, examples: Values[]): fc.Parameters<Values> {
  return {
    numRuns: path === undefined ? Math.ceil(runs * factor) : 1,
    examples,
    ...(seed !== undefined && { seed: Number(seed) }),
    // One case is looked at as it is.
    ...(path !== undefined && { path, endOnFailure: true }),
  }
}

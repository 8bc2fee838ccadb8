// "Did you mean": the nearest known word, when it is near enough to be a slip of the fingers.
import { distance } from 'fastest-levenshtein'

/** Gives the known word that is at most a third of its letters away, or undefined when nothing is near. */
export function nearest(word: string, known: readonly string[]): string | undefined {
  const [best] = known
    .map((candidate) => ({ candidate, away: distance(word.toLowerCase(), candidate.toLowerCase()) }))
    .filter(({ candidate, away }) => away <= Math.max(2, Math.floor(candidate.length / 3)))
    .toSorted((a, b) => a.away - b.away)
  return best?.candidate
}

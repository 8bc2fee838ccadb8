// "Did you mean": the nearest known word, if it is near enough to be a typing error.
import { distance } from 'fastest-levenshtein'

/** Returns the known word that differs in at most a third of its letters, or undefined if none is near. */
export function nearest(word: string, known: readonly string[]): string | undefined {
  const [best] = known
    .map((candidate) => ({ candidate, edits: distance(word.toLowerCase(), candidate.toLowerCase()) }))
    .filter(({ candidate, edits }) => edits <= Math.max(2, Math.floor(candidate.length / 3)))
    .toSorted((a, b) => a.edits - b.edits)
  return best?.candidate
}

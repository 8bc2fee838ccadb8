// "Did you mean": the nearest known word, if it is near enough to be a typing error.
import { distance } from 'fastest-levenshtein'

/** Returns the known word that a typing error may have changed: in a third of its letters, or only in their order. */
export function nearest(word: string, known: readonly string[]): string | undefined {
  const typed = plain(word)
  const [best] = known
    .map((candidate) => ({ candidate, edits: distance(typed, plain(candidate)) }))
    .filter(({ candidate, edits }) => isNear(typed, plain(candidate), edits))
    .toSorted((a, b) => a.edits - b.edits)
  return best?.candidate
}

function isNear(typed: string, candidate: string, edits: number): boolean {
  if (edits > Math.max(2, Math.floor(candidate.length / 3))) return false
  return edits * 2 < Math.max(typed.length, candidate.length) || sorted(typed) === sorted(candidate)
}

function plain(word: string): string {
  return word.trim().toLowerCase()
}

function sorted(word: string): string {
  return Array.from(word).toSorted().join('')
}

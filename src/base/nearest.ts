// "Did you mean": the nearest known word, if it is near enough to be a typing error.
import { distance } from 'fastest-levenshtein'

/** Returns the known word that a typing error may have changed: in one letter, in a third of many, or only in their order. */
export function nearest(word: string, known: readonly string[]): string | undefined {
  const typed = plain(word)
  const letters = sortLetters(typed)
  const [best] = known
    .map((candidate) => {
      const near = plain(candidate)
      const isTurned = near.length === typed.length && sortLetters(near) === letters
      return { candidate, near, isTurned, edits: distance(typed, near) }
    })
    .filter(({ near, isTurned, edits }) => isNear(typed, near, edits, isTurned))
    // The same letters in another order are one slip, though they count as two edits: `form` is `from`, not `format`.
    .toSorted((a, b) => a.edits - b.edits || Number(b.isTurned) - Number(a.isTurned))
  return best?.candidate
}

function isNear(typed: string, candidate: string, edits: number, isTurned: boolean): boolean {
  if (edits > Math.max(isTurned ? 2 : 1, Math.floor(candidate.length / 3))) return false
  return edits * 2 < Math.max(typed.length, candidate.length) || isTurned
}

function plain(word: string): string {
  return word.trim().toLowerCase()
}

function sortLetters(word: string): string {
  return Array.from(word).toSorted().join('')
}

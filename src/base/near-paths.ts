// "Did you mean", for dotted paths: also where only the end of one was typed.
import { nearest } from './nearest.ts'

/**
 * Returns `; did you mean "gift.balance"?` with at most three known paths or headings that may be meant, the shortest first;
 * otherwise an empty text.
 */
export function didYouMean(typed: string, columns: readonly { name: string; label?: string }[]): string {
  const known = columns.flatMap(({ name, label }) => [name, label ?? []].flat())
  const ending = (end: string | undefined) => known.filter((path) => endOf(path) === end)
  const top = typed.split('.', 1)[0]
  const near = nearest(typed, known)
  const groups = [
    // `percent_off` is in the voucher, and the same is meant by `voucher.percent_off`.
    known.filter((path) => path.endsWith(`.${typed}`)),
    ending(endOf(typed)).filter((path) => path.startsWith(`${top}.`)),
    known.filter((path) => typed.length > 2 && path.startsWith(typed)),
    near === undefined ? [] : [near],
    ending(nearest(endOf(typed), known.map(endOf))),
  ]
  const group = groups.find(({ length }) => length > 0) ?? []
  const meant = group.toSorted((a, b) => a.length - b.length).slice(0, 3)
  return meant.length === 0 ? '' : `; did you mean ${meant.map((path) => `"${path}"`).join(' or ')}?`
}

function endOf(path: string): string {
  return path.slice(path.lastIndexOf('.') + 1)
}

// From when until when the cards and movements of a copy are complete.
import type { Copy } from './copy.ts'

/** Instants; `from` is undefined where a copy has everything from the beginning, `until` where it was never complete. */
export interface Completeness {
  from: string | undefined
  until: string | undefined
}

const needed = ['vouchers', 'transactions']

/** Returns the period for which balances can be told. */
export function completenessOf(copy: Copy): Completeness {
  const sources = copy
    .all<{ name: string; complete_from: string | null; complete_until: string | null }>('SELECT * FROM sources')
    .filter(({ name }) => needed.includes(name))
  const untils = sources.map(({ complete_until }) => complete_until).filter((until) => until !== null)
  const froms = sources.map(({ complete_from }) => complete_from).filter((from) => from !== null)
  return {
    from: froms.toSorted().at(-1),
    until: untils.length < needed.length ? undefined : untils.toSorted()[0],
  }
}

/** Returns what a reader must know of a result about a period that a copy does not have as a whole; undefined otherwise. */
export function gapIn({ from, until }: Completeness, first: string | undefined, last: string): string | undefined {
  if (until === undefined) return 'the copy was never complete'
  if (until < last) return `the copy is complete until ${until}, and not until ${last}`
  if (from !== undefined && (first ?? last) < from)
    return `the copy is complete from ${from} on, and has nothing before`
  return undefined
}

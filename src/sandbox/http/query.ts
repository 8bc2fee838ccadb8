// The query string, in the nested form the service takes: `filters[code][conditions][$in][0]=a`.
// Source: docs/service/lists.md#filters.
//
// Not by the library qs: it is as fast, but mixes what contradicts itself (`a=1&a[b]=2`) instead of refusing it, drops
// `__proto__`, and adds 54 kB and 21 packages to the bundle.
import { invalidQuery, refused } from './refusal.ts'

/** A decoded query: texts, arrays of them, and records without prototype. */
export type Query = { [name: string]: string | Query | Array<string | Query> }

const parametersLimit = 1000
const depthLimit = 8

/**
 * Decodes a query string (without `?`). Repeated names and `name[]` make arrays, `name[0]` too, in the order of the numbers.
 *
 * A name may begin with a bracket, as older documentation writes it. Throws the 400 for names that contradict each
 * other or are nested too deep.
 */
export function parseQuery(text: string): Query {
  const query = record()
  if (text === '') return query
  const entries = [...new URLSearchParams(text)]
  if (entries.length > parametersLimit)
    throw refused('query_too_large', 'Query too large', `No more than ${parametersLimit} parameters are accepted`)
  for (const [name, value] of entries) place(query, segments(name), value, name)
  return Object.fromEntries(Object.entries(query).map(([name, value]) => [name, settled(value)]))
}

/** `a[b][c]` and `[a][b][c]` are both a, b, c. Dots stay inside a segment. */
function segments(name: string): string[] {
  const head = /^[^[]*/.exec(name)?.[0] ?? ''
  const rest = [...name.slice(head.length).matchAll(/\[([^\]]*)\]/g)].map((match) => match[1] ?? '')
  const all = head === '' ? rest : [head, ...rest]
  if (all.length > depthLimit) throw invalidQuery(`Property .${all[0]} is nested too deep`)
  return all.length === 0 ? [name] : all
}

function place(target: Query, path: string[], value: string, name: string): void {
  let at = target
  for (const [index, given] of path.entries()) {
    const segment = given === '' && index > 0 ? String(Object.keys(at).length) : given
    const present = at[segment]
    if (index === path.length - 1) {
      if (present === undefined) at[segment] = value
      else if (typeof present === 'object' && !Array.isArray(present)) throw contradiction(name)
      else at[segment] = [present, value].flat()
      return
    }
    if (present === undefined) at[segment] = record()
    else if (typeof present === 'string' || Array.isArray(present)) throw contradiction(name)
    at = at[segment] as Query
  }
}

/** Turns records whose names are all numbers into arrays. */
function settled(value: Query[string]): Query[string] {
  if (typeof value === 'string' || Array.isArray(value)) return value
  const entries = Object.entries(value)
  if (entries.length > 0 && entries.every(([name]) => /^\d{1,4}$/.test(name)))
    // An object lists such names in the order of the numbers, whatever order they came in.
    return entries.flatMap(([, item]): Array<string | Query> => [settled(item)].flat())
  const result = record()
  for (const [name, item] of entries) result[name] = settled(item)
  return result
}

function contradiction(name: string): Error {
  return invalidQuery(`Property ${name} is given both as a value and as an object`)
}

function record(): Query {
  // No prototype: a parameter called __proto__ is a name like any other.
  return Object.create(null) as Query
}

// Parses the query string in the nested form of the service: `filters[code][conditions][$in][0]=a`.
// Source: docs/service/lists.md#filters.
//
// Without the library qs: it is as fast, but merges contradictions (`a=1&a[b]=2`) instead of refusing them, drops
// `__proto__`, and adds 54 kB and 21 packages to the bundle.
import { invalidQuery, refused } from './refusal.ts'

/** A decoded query: texts, arrays, and records without a prototype. */
export type Query = { [name: string]: string | Query | Array<string | Query> }

const parametersLimit = 1000
const depthLimit = 8

/**
 * Decodes a query string (without `?`). Repeated names, `name[]` and `name[0]` become arrays, the last in numeric order.
 *
 * A name may begin with a bracket, as in older documentation. Throws 400 for names that contradict each other or are
 * nested too deeply.
 */
export function parseQuery(text: string): Query {
  const query = record()
  if (text === '') return query
  const entries = [...new URLSearchParams(text)]
  if (entries.length > parametersLimit)
    throw refused('query_too_large', `No more than ${parametersLimit} parameters are accepted`)
  for (const [name, value] of entries) place(query, segments(name), value, name)
  return Object.fromEntries(Object.entries(query).map(([name, value]) => [name, arraysFromRecords(value)]))
}

/** Splits a name: `a[b][c]` and `[a][b][c]` are both a, b, c. Dots stay inside a segment. */
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

/** Converts records whose names are all numbers to arrays. */
function arraysFromRecords(value: Query[string]): Query[string] {
  if (typeof value === 'string' || Array.isArray(value)) return value
  const entries = Object.entries(value)
  if (entries.length > 0 && entries.every(([name]) => /^\d{1,4}$/.test(name)))
    // JavaScript objects list such names in numeric order, whatever their order in the query.
    return entries.flatMap(([, item]): Array<string | Query> => [arraysFromRecords(item)].flat())
  const result = record()
  for (const [name, item] of entries) result[name] = arraysFromRecords(item)
  return result
}

function contradiction(name: string): Error {
  return invalidQuery(`Property ${name} is given both as a value and as an object`)
}

function record(): Query {
  // No prototype: a parameter called __proto__ is a name like any other.
  return Object.create(null) as Query
}

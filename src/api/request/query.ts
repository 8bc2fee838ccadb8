// How nested filters, periods and arrays are written in a query string. Source: docs/service/lists.md#filters.
//
// Not with the library qs: it writes arrays in one way at all depths, and omits empty objects.

type Pair = [name: string, value: string]

/**
 * Writes a query string, without the question mark, percent-encoded; empty when there are no parameters.
 *
 * Objects nest in brackets (`filters[code][conditions][$is]=x`, `created_at[before]=…`), a field name with a dot remains
 * one key, an array inside an object numbers its items (`[$in][0]=a`), and members that are undefined are omitted.
 */
export function queryOf(query: Readonly<Record<string, unknown>>): string {
  const pairs = Object.entries(query).flatMap(([name, value]) =>
    // ASSUMED A40: an array that is a parameter by itself is `ids[]=a&ids[]=b`, the name the listing's documentation uses.
    Array.isArray(value) ? value.flatMap((item) => pairsOf(`${name}[]`, item)) : pairsOf(name, value),
  )
  return pairs.map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`).join('&')
}

function pairsOf(name: string, value: unknown): Pair[] {
  if (value === undefined) return []
  if (value === null) return [[name, '']]
  if (typeof value !== 'object') return [[name, String(value as string | number | boolean)]]
  const members = Object.entries(value)
  // ASSUMED A41: a state condition takes an empty object or `true`; a query string can only express the second.
  if (members.length === 0 && !Array.isArray(value)) return [[name, 'true']]
  return members.flatMap(([key, member]) => pairsOf(`${name}[${key}]`, member))
}

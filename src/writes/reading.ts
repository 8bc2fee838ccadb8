// What an endpoint declares about its proof, as calls and values.
import type { LooseRequest } from '../api/request/request.ts'
import type { Reading, ValuePath } from '../contract/endpoint.ts'

/** Returns the call and the request of a reading about a request. */
export function readingOf({ call, path = {}, query }: Reading, about: LooseRequest) {
  const endpoint = call()
  const ids = [...endpoint.path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => {
    return [name, String(valueIn(about, path[name] ?? `path.${name}`))] as const
  })
  const asked = Object.entries(query ?? {}).map(([name, value]) => {
    return [name, typeof value === 'string' ? valueIn(about, value) : value.is] as const
  })
  const request: LooseRequest = {
    ...(ids.length > 0 && { path: Object.fromEntries(ids) }),
    ...(query && { query: Object.fromEntries(asked) }),
  }
  return { call: endpoint, request }
}

/** Returns the value at a path; undefined where there is none. */
export function valueIn(value: unknown, path: ValuePath): unknown {
  let place = value
  for (const name of path.split('.')) {
    if (typeof place !== 'object' || place === null || !Object.hasOwn(place, name)) return undefined
    place = (place as Record<string, unknown>)[name]
  }
  return place
}

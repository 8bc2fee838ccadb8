// Checks a request against the contract and encodes it for the wire.
import type { z } from 'zod'
import { deepestNesting, isDeeperThan } from '../../base/nesting.ts'
import { withoutUnasked } from '../../base/schema.ts'
import type { Endpoint } from '../../contract/endpoint.ts'
import { usageError } from '../../errors.ts'
import { issueInWords } from './issue-words.ts'
import { pathOf } from './path.ts'

/** What a caller may pass, without the endpoint's types. */
export interface LooseRequest {
  path?: Readonly<Record<string, string>>
  query?: unknown
  body?: unknown
}

export interface CheckedRequest {
  /** Path and query. */
  target: string
  body: string | Uint8Array | null
  contentType?: string | undefined
}

const bodyLimitBytes = 1024 * 1024
/** What the service accepts. Source: docs/service/limits.md#volume-limits. */
const fileLimitBytes = 10_485_760
const targetLimit = 8192

/**
 * Checks path, query and body and encodes them; sends nothing.
 *
 * A body of bytes is checked like any other and then sent unchanged: no number in it is rewritten.
 * Throws `usage`, naming the field and the reason.
 */
export function checkRequest(endpoint: Endpoint, { path, query, body }: LooseRequest): CheckedRequest {
  const filled = pathOf(endpoint.path, path)
  if (!isPlain(filled) && new URL(filled, 'https://service.invalid').pathname !== filled) {
    throw usageError(
      `the path "${filled}" is not a valid address`,
      'encode special characters, and leave out "." and ".."',
    )
  }
  const asked = query === undefined ? undefined : checkPart(endpoint, 'query', endpoint.query, query)
  const search = asked === undefined ? '' : queryOf(asked as Record<string, unknown>)
  const target = search === '' ? filled : `${filled}?${search}`
  if (target.length > targetLimit) throw usageError(`${endpoint.id}: the address is longer than 8 KiB`)
  const sent = bodyOf(endpoint, body)
  return { target, body: sent.body, contentType: sent.contentType }
}

// Segments of letters, digits, `_` and `-` need no further check; most paths have only these, and a URL is slow to build.
function isPlain(path: string): boolean {
  return /^(?:\/[\w-]+)+$/.test(path)
}

function bodyOf(endpoint: Endpoint, given: unknown): Omit<CheckedRequest, 'target'> {
  if (endpoint.body === undefined && given === undefined) return { body: null }
  const value = given instanceof Uint8Array ? parseBody(endpoint, given) : given
  if (isDeeperThan(value, deepestNesting)) throw usageError(`${endpoint.id}: the body nests deeper than 64 levels`)
  if (hasPrototypeKey(value)) throw usageError(`${endpoint.id}: the body has a member named "__proto__"`)
  const sent = checkPart(endpoint, 'body', endpoint.body, value)
  if (sent === undefined) return { body: null }
  if (endpoint.encoding === 'form') {
    const form = new URLSearchParams(sent as Record<string, string>)
    return { body: form.toString(), contentType: 'application/x-www-form-urlencoded' }
  }
  if (endpoint.encoding === 'multipart') return multipartOf(endpoint, sent as Record<string, unknown>)
  const body = given instanceof Uint8Array ? given : JSON.stringify(sent)
  if (Buffer.byteLength(body) > bodyLimitBytes) throw usageError(`${endpoint.id}: the body is larger than 1 MiB`)
  return { body, contentType: 'application/json' }
}

/** Writes a form whose parts are the members of the body; `file` is sent as a CSV file. */
function multipartOf(endpoint: Endpoint, members: Record<string, unknown>): Omit<CheckedRequest, 'target'> {
  const parts = Object.entries(members).map(([name, value]) => {
    const about = name === 'file' ? '; filename="rows.csv"\r\nContent-Type: text/csv' : ''
    return `Content-Disposition: form-data; name="${name}"${about}\r\n\r\n${String(value)}\r\n`
  })
  const text = parts.join('')
  let boundary = '--------promo'
  // A line of a file must not look like the end of its part.
  while (text.includes(boundary)) boundary += '-'
  const body = `${parts.map((part) => `--${boundary}\r\n${part}`).join('')}--${boundary}--\r\n`
  if (Buffer.byteLength(body) > fileLimitBytes) throw usageError(`${endpoint.id}: the file is larger than 10 MB`)
  return { body, contentType: `multipart/form-data; boundary=${boundary}` }
}

function parseBody(endpoint: Endpoint, bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes))
  } catch {
    throw usageError(`${endpoint.id}: the body is not JSON in UTF-8`)
  }
}

function checkPart(endpoint: Endpoint, part: 'query' | 'body', schema: z.ZodType | undefined, value: unknown): unknown {
  if (schema === undefined) throw usageError(`${endpoint.id} takes no ${part}`)
  const result = schema.safeParse(value)
  if (result.success) return result.data
  // As the service reads it: null is not given, except in an update, where it clears (docs/service/addresses.md#null-in-requests).
  const given =
    part === 'body' && endpoint.method !== 'PUT' ? withoutUnasked(schema, value, { nulls: 'refused' }) : value
  const reduced = given === value ? result : schema.safeParse(given)
  if (reduced.success) return reduced.data
  const reasons = result.error.issues.map((issue) => issueInWords(issue, value, schema))
  const more = reasons.length > 5 ? `; and ${reasons.length - 5} more` : ''
  throw usageError(`${endpoint.id}: the ${part} is not valid: ${reasons.slice(0, 5).join('; ')}${more}`)
}

function hasPrototypeKey(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false
  return Object.hasOwn(value, '__proto__') || Object.values(value).some(hasPrototypeKey)
}

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
  // What a listing answered may be asked for next; UTF-8 has no such character.
  const broken = pairs.find((pair) => pair.some((text) => !text.isWellFormed()))
  if (broken !== undefined)
    throw usageError(`the parameter "${broken[0]}" is not valid Unicode: it holds half of a surrogate pair`)
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

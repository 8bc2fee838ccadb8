// The address of `promo api`, as the user types it, and what the contract knows about it.
import { shellWord } from '../../../base/shell-word.ts'
import { endpoints } from '../../../contract/catalogue.ts'
import type { Credential, Endpoint } from '../../../contract/endpoint.ts'
import { usageError } from '../../../errors.ts'

/** The parts of an address. */
export interface Address {
  path: string
  /** Members as they are sent; an array is a member that was given several times as `name[]`. */
  query: Record<string, unknown>
}

/**
 * Parses an address and adds the parameters given in addition.
 *
 * Throws `usage` for an address with a host, one that does not begin with a slash, braces that were not filled in, a step without
 * a character, a parameter without `=`, and one given twice.
 */
export function addressFrom(given: string, parameters: readonly string[] = []): Address {
  if (/^[a-z][a-z0-9+.-]*:/i.test(given)) {
    throw usageError('pass only the path: the profile says where calls go', 'promo api GET /v1/vouchers')
  }
  if (!given.startsWith('/'))
    throw usageError(`"${given}" does not begin with a slash`, `promo api GET ${shellWord(`/${given}`)}`)
  const [path = '', search = ''] = given.split(/\?(.*)/s)
  const brace = /\{[^}]*\}?/.exec(path)?.[0]
  if (brace !== undefined) throw usageError(`the path contains ${brace}`, 'replace it with the value, percent-encoded')
  // `/v1/vouchers/$CODE` without a CODE names the list of all vouchers.
  const empty = path.indexOf('/', 1) === -1 ? -1 : `${path.slice(1)}/`.indexOf('//')
  if (empty !== -1)
    throw usageError(
      `the path has an empty step after "${path.slice(0, empty + 1)}": is it a variable that is not set?`,
      'promo api --help',
    )
  const inPath = [...new URLSearchParams(search)]
  return { path, query: queryFrom([...inPath, ...parameters.map(pairFrom)]) }
}

function pairFrom(parameter: string): [string, string] {
  const equals = parameter.indexOf('=')
  if (equals < 1) throw usageError(`the parameter "${parameter}" does not have the form name=value`, '-q limit=10')
  return [parameter.slice(0, equals), parameter.slice(equals + 1)]
}

function queryFrom(pairs: readonly (readonly [string, string])[]): Record<string, unknown> {
  const query = new Map<string, unknown>()
  for (const [name, value] of pairs) {
    // The client adds the brackets of every array (api/request/request.ts), so they are removed here.
    if (name.endsWith('[]')) {
      const bare = name.slice(0, -2)
      query.set(bare, [...((query.get(bare) as string[] | undefined) ?? []), value])
    } else if (query.has(name))
      throw usageError(`the parameter "${name}" is given twice`, `-q '${name}[]=…' for a list`)
    else query.set(name, isCount(name, value) ? Number(value) : value)
  }
  return Object.fromEntries(query)
}

// The paging loop reads and changes these two; every other value is sent as text, unchanged.
function isCount(name: string, value: string): boolean {
  return (name === 'limit' || name === 'page') && /^\d{1,9}$/.test(value)
}

/**
 * Returns whether a call only reads: with GET, but for the two published ones that change something. One hands out a code, and
 * the older validation locks what applies where its query names a session.
 *
 * Source: docs/service/publications.md#calls; docs/service/validations.md#older-validation-calls.
 */
export function isRead(method: string, { path, query }: Address): boolean {
  const isLock = Object.keys(query).some((name) => name.startsWith('session'))
  return method === 'GET' && path !== '/v1/publications/create' && !isLock
}

/** Returns the declared call with this method and path, whatever its parameters; undefined when none is declared. */
export function declaredAt(method: string, path: string): Endpoint | undefined {
  const segments = path.split('/')
  return endpoints.find((endpoint) => endpoint.method === method && fits(endpoint.path.split('/'), segments))
}

function fits(template: readonly string[], segments: readonly string[]): boolean {
  const isFilled = (part: string, at: number) => (part.startsWith('{') ? segments[at] !== '' : part === segments[at])
  return template.length === segments.length && template.every(isFilled)
}

/** Says which credentials a call carries: those of its declaration, or those that its part of the service accepts. */
export function credentialAt(path: string, declared: Endpoint | undefined): Credential {
  if (declared) return declared.credential
  if (path.startsWith('/management/')) return 'management'
  if (path.startsWith('/client/')) return 'client'
  return path.startsWith('/v1/oauth/') ? 'application-pair' : 'application'
}

// Identifies the caller: by application pair, bearer token, management pair or client pair.
// Source: docs/service/authentication.md#application-key-pair.
import { timingSafeEqual } from 'node:crypto'
import type { Endpoint } from '../../contract/endpoint.ts'
import { is } from '../storage/conditions.ts'
import type { Store } from '../storage/store.ts'
import {
  installation,
  lacksFeature,
  type ManagementKeys,
  type Project,
  projects,
  settingsOf,
} from '../stores/projects.ts'
import { loopbackNames } from './loopback.ts'
import { forbidden, paymentRequired, Refusal, unauthorized } from './refusal.ts'

/** Who made a request, according to its credentials. */
export interface Caller {
  project: Project
  channel: 'API' | 'MANAGEMENT_API' | 'CLIENT_API'
}

/** Headers by lower-case name. */
export type Headers = Readonly<Record<string, string | undefined>>

/**
 * Returns the project a bearer token was issued for, and refuses (403) an endpoint outside its scopes.
 *
 * Returns undefined for an unknown or expired token. `now` is an ISO instant.
 */
export type BearerCheck = (token: string, endpoint: Endpoint, store: Store, now: string) => Project | undefined

/**
 * Checks the credentials of a request for an endpoint. Throws 401, and for a management call 404 on an unknown project.
 *
 * A management call acts on the project named in its path, any other call on the project of its credential.
 */
export function callerOf(
  endpoint: Endpoint,
  path: Readonly<Record<string, string>>,
  headers: Headers,
  store: Store,
  bearer: BearerCheck | undefined,
  now: string,
): Caller {
  if (endpoint.credential === 'management') return managementCaller(path, headers, store)
  const token = /^Bearer +(\S+)$/i.exec(headers.authorization ?? '')?.[1]
  // ASSUMED A104: a key pair takes precedence over a bearer token when a request carries both.
  const byPair = headers['x-app-id'] !== undefined || headers['x-app-token'] !== undefined
  // ASSUMED A206: a token with a client-side scope needs no Origin; it is a secret, unlike the keys of a page. A page that has
  // one names its own origin, which must be allowed.
  const isClient = endpoint.credential === 'client'
  if (!byPair && token !== undefined && (isClient || endpoint.credential === 'application')) {
    const project = bearer?.(token, endpoint, store, now)
    if (!project) throw unauthorized()
    if (isClient && headers.origin !== undefined) mustBeAllowed(headers.origin, project)
    return { project, channel: isClient ? 'CLIENT_API' : 'API' }
  }
  if (isClient) return clientCaller(headers, store)
  const project = pairHolder('app_id', headers['x-app-id'], store)
  if (!isSame(headers['x-app-token'], project?.app_token) || !project) throw unauthorized()
  return { project, channel: 'API' }
}

function pairHolder(name: 'app_id' | 'client_app_id', appId: string | undefined, store: Store): Project | undefined {
  if (appId === undefined) return undefined
  return store.db.cached(`${name} ${appId}`, () => store.in(projects, installation).all([is(projects, name, appId)])[0])
}

/**
 * The pair that pages and apps carry is no secret to their users, so the origin counts too
 * (docs/service/authentication.md#client-side-key-pair).
 */
function clientCaller(headers: Headers, store: Store): Caller {
  const project = pairHolder('client_app_id', headers['x-client-application-id'], store)
  if (!isSame(headers['x-client-token'], project?.client_token) || !project) throw unauthorized()
  // ASSUMED A203: a call without an Origin is refused like one from a foreign Origin; documented is only that it must match.
  mustBeAllowed(headers.origin, project)
  return { project, channel: 'CLIENT_API' }
}

function mustBeAllowed(origin: string | undefined, project: Project): void {
  if (!isAllowedOrigin(origin, project)) throw forbidden('Requests with this Origin are not allowed')
}

function managementCaller(path: Readonly<Record<string, string>>, headers: Headers, store: Store): Caller {
  // ASSUMED A129: one management pair works for every project of a file; the service has up to five for an organisation.
  const keys = store.fact<ManagementKeys>('management_keys')
  const isId = isSame(headers['x-management-id'], keys?.management_id)
  const isToken = isSame(headers['x-management-token'], keys?.management_token)
  if (!isId || !isToken) throw unauthorized()
  const asked = path.projectId ?? store.fact<string>('main_project') ?? ''
  const project = store.in(projects, installation).get(asked)
  // The management API's 404 has no key and no resource (docs/service/errors.md#bodies-without-a-key).
  if (!project)
    throw new Refusal({ code: 404, message: 'Resource not found', details: `Cannot find project with id ${asked}` })
  if (lacksFeature(project, 'management_api')) throw paymentRequired()
  return { project, channel: 'MANAGEMENT_API' }
}

/**
 * Compares two secrets in a time that does not depend on where they differ; their lengths are known to everybody. No secret is empty.
 */
export function isSame(given: string | undefined, expected: string | undefined): boolean {
  if (!given || typeof expected !== 'string') return false
  const [one, other] = [Buffer.from(given), Buffer.from(expected)]
  return one.length === other.length && timingSafeEqual(one, other)
}

/**
 * Returns whether a page of the request's origin may read the answer, whatever its status: by the project whose keys it
 * names; by any project for a request without such keys, like a preflight request.
 */
export function isReadable(headers: Headers, store: Store): boolean {
  const named = pairHolder('client_app_id', headers['x-client-application-id'], store)
  const possible = named === undefined ? store.in(projects, installation).all() : [named]
  return possible.some((project) => isAllowedOrigin(headers.origin, project))
}

/**
 * Returns whether a page of this origin may use a project's client-side keys.
 *
 * ASSUMED A202: an entry of `client_trusted_domains` is an origin, a host, or `*` for any; pages on this computer may
 * always call.
 */
function isAllowedOrigin(origin: string | undefined, project: Project): boolean {
  if (origin === undefined) return false
  const { client_trusted_domains: trusted } = settingsOf(project)
  if (trusted.includes('*') || trusted.includes(origin)) return true
  if (!URL.canParse(origin)) return false
  const { hostname, host } = new URL(origin)
  return [hostname, host].some((name) => trusted.includes(name)) || loopbackNames.includes(hostname)
}

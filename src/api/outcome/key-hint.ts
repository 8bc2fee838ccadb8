// What to do when the service refuses a key: which one was sent, where it comes from, where it was sent, what it lacks.
import type { Endpoint } from '../../contract/endpoint.ts'
import type { Failure } from '../../contract/failure.ts'
import { scopeOf } from '../../contract/scopes.ts'
import type { Connection } from '../connection.ts'
import { type SentKey, sentKey } from '../request/credentials.ts'

/** Returns the hint for a refusal that is about the key. Contains no part of a secret. */
export function keyHint(
  connection: Connection,
  endpoint: Pick<Endpoint, 'credential' | 'path'>,
  status: number | undefined,
  failure: Failure | undefined,
): string {
  const key = sentKey(endpoint.credential, connection)
  const sent = `${nameOfKey(key, connection)} was sent to ${placeOf(connection)}`
  if (isAboutRegion(failure)) return `${sent}, and its project is elsewhere${elsewhere(connection)}`
  if (key === 'accessToken') {
    if (status === 401) return `${sent}, and it is wrong or older than 15 minutes: ${replacing(key, connection)}`
    const scope = scopeOf(endpoint.path)
    return scope === undefined
      ? `${sent}, and no access token will do here; use the key pair itself`
      : `${sent} without the scope it needs, "${scope}": promo token create --scope ${scope} --raw`
  }
  if (status === 403) {
    return `${sent}; its role or its list of allowed addresses, both in the settings of the project, does not allow this`
  }
  return `${sent}; check the key${orRegion(connection)}: ${replacing(key, connection)}`
}

// ASSUMED A494: a refusal that mentions a region or a cluster is about the wrong one; the specification calls it "an
// error", and only the one of project creation is published (docs/service/addresses.md#wrong-region).
function isAboutRegion(failure: Failure | undefined): boolean {
  return /\b(?:region|cluster)\b/i.test(`${failure?.message ?? ''} ${failure?.details ?? ''}`)
}

const names: Record<SentKey, string> = {
  application: 'application key',
  management: 'management key',
  client: 'client-side key',
  accessToken: 'access token',
}

function nameOfKey(key: SentKey, { describe }: Connection): string {
  const source = describe?.keysFrom?.[key] ?? (describe?.profile && `profile "${describe.profile}"`)
  return `the ${names[key]} from ${source ?? 'the environment'}`
}

function placeOf({ origin, describe }: Connection): string {
  const { host } = new URL(origin)
  return describe?.region === undefined ? host : `region ${describe.region} (${host})`
}

/** The command that replaces the key in its profile; for one of the environment, what makes or shows its value. */
function replacing(key: SentKey, { describe }: Connection): string {
  const isFromProfile = !(describe?.keysFrom?.[key] ?? '').startsWith('PROMO_')
  if (describe?.profile !== undefined && isFromProfile) return `promo profiles update ${describe.profile} --keys`
  return key === 'accessToken' ? 'promo token create --scope api --raw' : 'promo whoami'
}

function elsewhere({ describe }: Connection): string {
  const [first, ...rest] = describe?.otherRegions ?? []
  if (first === undefined) return ''
  return ` (${[first, ...rest].join(', ')}, or a cluster of its own): promo profiles add NAME --region ${first}`
}

function orRegion({ describe }: Connection): string {
  const others = describe?.otherRegions ?? []
  return others.length === 0 ? '' : `, and whether its project is in another region (${others.join(', ')})`
}

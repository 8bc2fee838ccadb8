// Chooses the headers that identify the caller, and refuses to send values that cannot be intended.
import type { Credential } from '../../contract/endpoint.ts'
import { PromoError } from '../../errors.ts'
import type { Connection, KeyPair } from '../connection.ts'

/**
 * The headers of each pair, the flag that adds it to a profile, and the beginning of the names of its two variables.
 * Source: docs/service/authentication.md#application-key-pair.
 */
const pairs = {
  application: { id: 'X-App-Id', token: 'X-App-Token', flag: '--app-id', variables: 'PROMO_APP' },
  management: {
    id: 'X-Management-Id',
    token: 'X-Management-Token',
    flag: '--management-id',
    variables: 'PROMO_MANAGEMENT',
  },
  client: { id: 'X-Client-Application-Id', token: 'X-Client-Token', flag: undefined, variables: 'PROMO_CLIENT' },
} as const

/**
 * Returns the headers that a call is signed with.
 *
 * A bearer token takes precedence over the application pair where either is accepted, but not over the client-side pair,
 * which has no other use. Throws `config` when the profile lacks what the call needs, or when a value cannot be a header;
 * the value is never part of the message.
 */
export function credentialHeaders(kind: Credential, connection: Connection): Record<string, string> {
  const { id, token } = pairs[pairOf(kind)]
  const name = kind === 'client' ? 'client-side' : pairOf(kind)
  const { pair, bearer } = chooseCredential(kind, connection)
  if (bearer !== undefined) {
    return { Authorization: `Bearer ${headerValue('access token', bearer)}`, ...originFor(kind, connection) }
  }
  if (pair === undefined) {
    const profile = connection.describe?.profile
    const reason = `this call needs ${name === 'application' ? 'an' : 'a'} ${name} key pair, and ${whose(profile)} has none`
    throw new PromoError('config', reason, { hint: addingPair(kind, profile) })
  }
  return {
    [id]: headerValue(`${name} id`, pair.id),
    [token]: headerValue(`${name} token`, pair.token),
    ...originFor(kind, connection),
  }
}

/** Returns the same headers for a plan, where nothing is sent: a missing pair does not matter. */
export function plannedCredentialHeaders(kind: Credential, connection: Connection): Record<string, string> {
  const { pair, bearer } = chooseCredential(kind, connection)
  if (pair !== undefined || bearer !== undefined) return credentialHeaders(kind, connection)
  const { id, token } = pairs[pairOf(kind)]
  return { [id]: '', [token]: '', ...originFor(kind, connection) }
}

/** The credentials that may sign a call. */
export type SentKey = keyof typeof pairs | 'accessToken'

/** Returns which key signs a call. */
export function sentKey(kind: Credential, connection: Connection): SentKey {
  return chooseCredential(kind, connection).bearer === undefined ? pairOf(kind) : 'accessToken'
}

function pairOf(kind: Credential): keyof typeof pairs {
  return kind === 'application-pair' ? 'application' : kind
}

function chooseCredential(kind: Credential, { credentials }: Connection): { pair?: KeyPair; bearer?: string } {
  const pair = credentials[pairOf(kind)]
  const { accessToken } = credentials
  const takesBearer = kind === 'application' || (kind === 'client' && pair === undefined)
  if (takesBearer && accessToken !== undefined) return { bearer: accessToken }
  return pair === undefined ? {} : { pair }
}

// ASSUMED A48: a client-side call that names no page of its own comes from the service's own address; only that the
// Origin must be one the project allows is documented (docs/service/authentication.md#client-side-key-pair).
function originFor(kind: Credential, { clientOrigin, origin }: Connection): Record<string, string> {
  return kind === 'client' ? { Origin: clientOrigin ?? origin } : {}
}

function headerValue(name: string, value: string): string {
  // Checked here because Node's own error for a bad header repeats the whole value.
  if (/^[\x21-\x7e]+$/.test(value)) return value
  const reason = value === '' ? 'is empty' : 'has a blank, a line break or another character that cannot be sent'
  throw new PromoError('config', `the ${name} ${reason}`, { hint: 'copy it again, without anything around it' })
}

/** What completes the keys. A profile has no flag for a client-side pair, which its environment may complete as well. */
function addingPair(kind: Credential, profile: string | undefined): string {
  const { flag, variables } = pairs[pairOf(kind)]
  return flag === undefined || isOfEnvironment(profile)
    ? `set ${variables}_ID and ${variables}_TOKEN`
    : `promo profiles update ${profile} ${flag} ID`
}

function isOfEnvironment(profile: string | undefined): boolean {
  return profile === undefined || profile === 'environment'
}

function whose(profile: string | undefined): string {
  return isOfEnvironment(profile) ? 'the environment' : `profile "${profile}"`
}

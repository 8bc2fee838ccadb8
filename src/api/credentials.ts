// Chooses the headers that say who is asking, and refuses to send what could not have been meant.
import type { Credential } from '../contract/endpoint.ts'
import { EXIT, PromoError } from '../errors.ts'
import type { Connection } from './connection.ts'

/**
 * The headers a call is signed with.
 *
 * A bearer token goes before the application pair where either will do. Throws `config` when the profile lacks what
 * the call needs, or when a value could not be a header; the value is never part of the message.
 */
export function credentialHeaders(kind: Credential, { credentials, describe }: Connection): Record<string, string> {
  const { application, management, accessToken } = credentials
  if (kind === 'application' && accessToken !== undefined) {
    return { Authorization: `Bearer ${sendable('access token', accessToken)}` }
  }
  const pair = kind === 'management' ? management : application
  if (pair === undefined) {
    const what = kind === 'management' ? 'a management key pair' : 'an application key pair'
    throw new PromoError('config', EXIT.auth, `this call needs ${what}, and ${whose(describe?.profile)} has none`, {
      hint: describe?.profile === undefined ? 'promo profiles add' : `promo profiles add ${describe.profile}`,
    })
  }
  const prefix = kind === 'management' ? 'X-Management' : 'X-App'
  const name = kind === 'management' ? 'management' : 'application'
  return {
    [`${prefix}-Id`]: sendable(`${name} id`, pair.id),
    [`${prefix}-Token`]: sendable(`${name} token`, pair.token),
  }
}

/** The same headers for a plan, where nothing is sent: a pair that is not there does not matter. */
export function plannedCredentialHeaders(kind: Credential, connection: Connection): Record<string, string> {
  const { application, management, accessToken } = connection.credentials
  const isThere =
    kind === 'management' ? management : (application ?? (kind === 'application' ? accessToken : undefined))
  if (isThere !== undefined) return credentialHeaders(kind, connection)
  const prefix = kind === 'management' ? 'X-Management' : 'X-App'
  return { [`${prefix}-Id`]: '', [`${prefix}-Token`]: '' }
}

/** What a person calls the key that a call was signed with. */
export function credentialName(kind: Credential, { credentials }: Connection): string {
  if (kind === 'management') return 'management key'
  return kind === 'application' && credentials.accessToken !== undefined ? 'access token' : 'application key'
}

function sendable(name: string, value: string): string {
  // Checked here because Node's own error for a bad header repeats the whole value.
  if (/^[\x21-\x7e]+$/.test(value)) return value
  const reason = value === '' ? 'is empty' : 'has a blank, a line break or another character that cannot be sent'
  throw new PromoError('config', EXIT.auth, `the ${name} ${reason}`, {
    hint: 'copy it again, without anything around it',
  })
}

function whose(profile: string | undefined): string {
  return profile === undefined ? 'the environment' : `profile "${profile}"`
}

// The secrets of a profile: their names, which of them belong together, and the interface of a store for them.
import { isRecord } from '../base/record.ts'
import { usageError } from '../errors.ts'
import type { SecretsKind } from './profile.ts'
import { faultOf } from './secret-value.ts'

/** The names of all secrets that promo can hold. A group is replaced as a unit. */
export const secretGroups = {
  application: ['app_id', 'app_token', 'access_token'],
  management: ['management_id', 'management_token'],
  client: ['client_id', 'client_token'],
  webhook: ['webhook_secret'],
} as const

export type SecretName = (typeof secretGroups)[keyof typeof secretGroups][number]

/** The secrets of one profile. Ids and tokens come in pairs. */
export type Secrets = { [Name in SecretName]?: string }

/** All names, in display order. */
export const secretNames: readonly SecretName[] = Object.values(secretGroups).flat()

/** Pairs of which one half is useless without the other. */
export const secretPairs: readonly (readonly [id: SecretName, token: SecretName])[] = [
  ['app_id', 'app_token'],
  ['management_id', 'management_token'],
  ['client_id', 'client_token'],
]

/** The secrets of all profiles in one place. A profile's secrets are found only with the origin they were stored for. */
export interface SecretStore {
  kind: SecretsKind
  /** Where the secrets are, for messages: the keyring, or the path of the file. */
  place: string
  /** Stores, reads back and removes a test value. Throws `config` (exit 4) when secrets cannot be stored here. */
  probe: () => Promise<void>
  /** Throws `config` (exit 4) when the store cannot be read. */
  get: (profile: string, origin: string) => Promise<Secrets | undefined>
  /** Replaces all secrets of the profile. Throws `usage` for a value that cannot be a secret, without showing it. */
  set: (profile: string, origin: string, secrets: Secrets) => Promise<void>
  /** Returns whether there was anything to remove, after checking that nothing is left. */
  remove: (profile: string, origin: string) => Promise<boolean>
}

/**
 * Returns the key under which a profile's secrets are stored.
 *
 * The origin is part of it: a profile that is pointed elsewhere finds no secrets to send there. Throws `usage` when there
 * is no host, which would match any.
 */
export function secretKey(profile: string, origin: string): string {
  if (!URL.canParse(origin) || new URL(origin).host === '') {
    throw usageError('secrets are stored for an origin, and none is given')
  }
  return `${profile}@${new URL(origin).origin}`
}

/** Checks secrets that the user entered. Throws `usage` naming the invalid one, or the missing half of a pair. */
export function checkSecrets(secrets: Secrets): void {
  for (const name of secretNames) {
    const fault = secrets[name] === undefined ? undefined : faultOf(secrets[name])
    if (fault !== undefined) throw usageError(`"${name}" ${fault}`)
  }
  for (const [id, token] of secretPairs) {
    if (secrets[id] !== undefined && secrets[token] === undefined) throw usageError(`"${id}" needs "${token}"`)
    if (secrets[token] !== undefined && secrets[id] === undefined) throw usageError(`"${token}" needs "${id}"`)
  }
}

/** Returns the secrets in a parsed JSON value, or undefined when it is anything else. */
export function secretsFrom(value: unknown): Secrets | undefined {
  if (!isRecord(value)) return undefined
  const isSound = Object.entries(value).every(
    ([name, secret]) => secretNames.some((known) => known === name) && typeof secret === 'string' && secret !== '',
  )
  return isSound ? value : undefined
}

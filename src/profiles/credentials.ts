// The secrets of one run: those in the environment, completed with those stored for the profile.
import { PromoError } from '../errors.ts'
import type { Environment, Sourced } from './environment.ts'
import type { Profile } from './profile.ts'
import { type SecretName, type SecretStore, type Secrets, secretGroups, secretNames } from './secret-set.ts'

/** One line of `promo whoami`. A secret is only ever `set` or `not set`. */
export interface SettingValue {
  setting: string
  value: string
  source: string
}

export interface CredentialReader {
  /**
   * Returns the secrets, reading the keyring on the first call.
   *
   * Throws `auth` (exit 4) when none are stored for this profile and origin, and `config` when they cannot be read.
   */
  credentials: () => Promise<Secrets>
  /** Returns for each secret whether it is set and where; never the secret. Throws as `credentials` does. */
  credentialValues: () => Promise<SettingValue[]>
}

type Found = { [Name in SecretName]?: Sourced }

/**
 * Returns a reader for the secrets that may be sent to the origin.
 *
 * A group of secrets comes entirely from the environment or entirely from the store. Application keys of the environment may be
 * those of another project, so no stored keys are used beside them; nor are those that were stored for another origin.
 */
export function credentialsFor(
  origin: string,
  profile: Profile | undefined,
  environment: Environment,
  openSecrets: (profile: Profile) => Promise<SecretStore>,
): CredentialReader {
  const read = async (): Promise<Found> => {
    const given = secretsOf(environment)
    const groups = ownKeys(environment) === undefined ? Object.values(secretGroups) : [secretGroups.webhook]
    const missing = groups.filter((group) => group.every((name) => given[name] === undefined))
    if (profile === undefined || profile.origin !== origin || missing.length === 0) return given
    const stored = await storedSecrets(profile, environment, openSecrets)
    for (const name of missing.flat()) {
      const value = stored?.secrets[name]
      if (value !== undefined) given[name] = { value, source: stored?.place ?? '' }
    }
    return given
  }
  let found: Promise<Found> | undefined
  const all = () => {
    found ??= read()
    return found
  }
  return {
    async credentials() {
      const secrets: Secrets = {}
      for (const [name, { value }] of Object.entries(await all())) secrets[name as SecretName] = value
      return secrets
    },
    async credentialValues() {
      const secrets = await all()
      return secretNames.map((setting) => {
        const source = secrets[setting]?.source
        return { setting, value: source === undefined ? 'not set' : 'set', source: source ?? '' }
      })
    },
  }
}

/** Says whether the environment holds credentials for calls. A webhook secret alone is not enough for a call. */
export function holdsCredentials({ app_token, access_token, management_token }: Environment): boolean {
  return [app_token, access_token, management_token].some((secret) => secret !== undefined)
}

/** Returns the variable of the environment's application keys: with them it names a project of its own. */
export function ownKeys({ app_id, access_token }: Environment): string | undefined {
  return (app_id ?? access_token)?.source
}

async function storedSecrets(
  profile: Profile,
  environment: Environment,
  openSecrets: (profile: Profile) => Promise<SecretStore>,
): Promise<{ secrets: Secrets; place: string } | undefined> {
  // A run with its own application credentials must not fail because this computer has no keyring.
  const isOptional = ownKeys(environment) !== undefined
  try {
    const store = await openSecrets(profile)
    const secrets = await store.get(profile.name, profile.origin)
    if (secrets === undefined) throw noSecrets(profile, store.place)
    return { secrets, place: store.place }
  } catch (error) {
    if (isOptional && error instanceof PromoError) return undefined
    throw error
  }
}

function secretsOf(environment: Environment): Found {
  const secrets: Found = {}
  for (const name of secretNames) {
    if (environment[name] !== undefined) secrets[name] = environment[name]
  }
  return secrets
}

function noSecrets({ name, origin }: Profile, place: string): PromoError {
  return new PromoError('auth', `there are no secrets for profile "${name}" at ${origin} in ${place}`, {
    hint: `promo profiles update ${name} --keys`,
  })
}

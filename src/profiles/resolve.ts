// The profile a run uses, and the source of each of its values: flag, environment, profile, default.
import { listNames } from '../base/name-list.ts'
import { PromoError } from '../errors.ts'
import { refuseUncheckedTls } from './certificates.ts'
import { type CredentialReader, credentialsFor, holdsCredentials, ownKeys, type SettingValue } from './credentials.ts'
import { type Environment, readEnvironment, type Sourced, strayVariables } from './environment.ts'
import type { Env } from './folders.ts'
import { environmentName, type Profile, type SecretsKind, sandboxName, unknownProfile } from './profile.ts'
import { downloadOriginOf, type Region, regionOf, regions } from './regions.ts'
import type { SecretStore } from './secret-set.ts'
import { secretStore } from './secrets.ts'
import type { ProfileStore } from './store.ts'

/** What chose the profile. */
export type ProfileSource = '--profile' | 'PROMO_PROFILE' | 'profiles use' | 'environment' | `job ${string}`

export interface Resolved extends CredentialReader {
  name: string
  source: ProfileSource
  /** Scheme, host and port that requests go to; empty for the sandbox, whose port is chosen when it starts. */
  origin: string
  /** The other origin from which exports may be downloaded; empty for the sandbox. */
  downloadOrigin: string
  /** The shared cluster at that origin; absent for a dedicated one and for the sandbox. */
  region?: Region
  projectId?: string
  protected: boolean
  /** Where it says that nothing may be changed; absent: writes are sent. */
  readOnly?: string
  apiVersion?: string
  /** Where a day begins and ends; absent: UTC. */
  timeZone?: string
  /** As `20/s`, `600/m` or `5000/h`. */
  rate?: string
  /** The built-in profile: its service and its credentials come from cli/. */
  isSandbox: boolean
  /** The variable whose keys are used in place of the profile's; the profile's project is then not that of the calls. */
  keysOf?: string
  /** Variables that are set and not used, as sentences. */
  unused: readonly string[]
  /** Where the stored secrets are; absent when nothing is stored. */
  secretsIn?: SecretsKind
  /** All settings but the secrets, in display order. */
  values: SettingValue[]
}

export interface ResolveOptions {
  /** The value of --profile. */
  flag?: string | undefined
  /** Its secret variables are removed from it. */
  env: Env
  store: Pick<ProfileStore, 'get' | 'list' | 'current'>
  /** The settings folder. */
  dir: string
  /** Ends the wait for a secret from a pipe. */
  signal?: AbortSignal
  /** Opens the secret store, in place of the keyring or the file in `dir`. */
  openSecrets?: (kind: SecretsKind) => Promise<SecretStore>
}

/**
 * Decides which profile a run uses.
 *
 * Precedence is flag, environment, profile, default, value by value; but keys and project come from one source, and
 * stored secrets are sent only to the origin they were stored for. Throws `config` (exit 4) when there is no profile, when the
 * named one does not exist, when the environment or the settings are invalid, and when the environment disables TLS checks.
 */
export async function resolve(options: ResolveOptions): Promise<Resolved> {
  const environment = await readEnvironment(options.env, options.signal)
  const choice = await chooseProfile(options, environment)
  if (choice === undefined) throw noProfile(environment)
  if (choice.name === sandboxName) return sandbox(choice.source, environment, options.env)
  refuseUncheckedTls(options.env)
  if (choice.source === 'environment') return resolveChoice(choice, undefined, environment, options)
  const profile = await options.store.get(choice.name)
  if (profile === undefined) {
    const existing = await options.store.list()
    throw unknownProfile(
      choice.name,
      existing.map(({ name }) => name),
    )
  }
  return resolveChoice(choice, profile, environment, options)
}

interface Choice {
  name: string
  source: ProfileSource
}

async function chooseProfile({ flag, store }: ResolveOptions, environment: Environment): Promise<Choice | undefined> {
  if (flag !== undefined) return { name: flag, source: '--profile' }
  if (environment.profile !== undefined) return { name: environment.profile.value, source: 'PROMO_PROFILE' }
  const current = await store.current()
  // ASSUMED A-P6: credentials in the environment do not replace the current profile, they override its secrets; but they
  // do replace the sandbox, so that a CI job with credentials never works on demo data by accident.
  if (current !== undefined && !(current === sandboxName && holdsCredentials(environment))) {
    return { name: current, source: 'profiles use' }
  }
  return holdsCredentials(environment) ? { name: environmentName, source: 'environment' } : undefined
}

function resolveChoice(
  choice: Choice,
  profile: Profile | undefined,
  environment: Environment,
  options: ResolveOptions,
): Resolved {
  const { dir, env, openSecrets = (kind: SecretsKind) => secretStore(kind, dir, { env }) } = options
  const ofProfile = `profile "${choice.name}"`
  const from = (value: string | undefined): Sourced | undefined =>
    value === undefined ? undefined : { value, source: ofProfile }
  const origin = environment.origin ?? from(profile?.origin) ?? { value: regions.eu.api, source: 'default' }
  const keysOf = profile === undefined ? undefined : ownKeys(environment)
  const projectId = environment.project_id ?? (keysOf === undefined ? from(profile?.project_id) : undefined)
  const region = regionOf(origin.value)
  const timeZone = environment.timezone ?? from(profile?.timezone)
  const readOnly = environment.read_only ?? from(profile?.read_only && 'true')
  if (profile !== undefined && profile.origin !== origin.value && !holdsCredentials(environment)) {
    throw wrongOrigin(profile, origin)
  }
  return {
    ...choice,
    origin: origin.value,
    downloadOrigin: downloadOriginOf(origin.value),
    ...(region !== undefined && { region }),
    ...(projectId !== undefined && { projectId: projectId.value }),
    // ASSUMED A-P7: without a profile nothing is protected: there is no user to ask, and the job was written on purpose.
    protected: profile?.protected ?? false,
    ...(readOnly !== undefined && { readOnly: readOnly.source }),
    ...(profile?.api_version !== undefined && { apiVersion: profile.api_version }),
    ...(timeZone !== undefined && { timeZone: timeZone.value }),
    ...(profile?.rate !== undefined && { rate: profile.rate }),
    isSandbox: false,
    ...(keysOf !== undefined && { keysOf }),
    unused: strayVariables(env),
    ...(profile !== undefined && { secretsIn: profile.secrets_in }),
    values: [
      { setting: 'profile', value: choice.name, source: choice.source },
      ...row('base_url', origin),
      ...row('region', region && { value: region, source: origin.source }),
      ...row('project_id', projectId),
      ...row('protected', { value: String(profile?.protected ?? false), source: profile ? ofProfile : 'default' }),
      ...row('read_only', readOnly),
      ...row('api_version', from(profile?.api_version)),
      ...row('timezone', timeZone),
      ...row('rate', from(profile?.rate)),
      ...row('secrets_in', from(profile?.secrets_in)),
    ],
    ...credentialsFor(origin.value, profile, environment, ({ secrets_in }) => openSecrets(secrets_in)),
  }
}

function row(setting: string, sourced: Sourced | undefined): SettingValue[] {
  return sourced === undefined ? [] : [{ setting, ...sourced }]
}

function sandbox(source: ProfileSource, environment: Environment, env: Env): Resolved {
  const { profile: _, read_only, timezone, webhook_secret: __, ...others } = environment
  const ignored = Object.values(others).map((sourced) => sourced.source)
  const has = ignored.length === 1 ? 'is' : 'are'
  const notice = `${listNames(ignored)} ${has} set and not used: profile "${sandboxName}" is the built-in service`
  return {
    name: sandboxName,
    source,
    origin: '',
    downloadOrigin: '',
    protected: false,
    ...(read_only !== undefined && { readOnly: read_only.source }),
    ...(timezone !== undefined && { timeZone: timezone.value }),
    isSandbox: true,
    unused: [...(ignored.length > 0 ? [notice] : []), ...strayVariables(env)],
    values: [
      { setting: 'profile', value: sandboxName, source },
      { setting: 'base_url', value: 'chosen when it starts', source: 'built in' },
      { setting: 'protected', value: 'false', source: 'built in' },
      ...row('read_only', read_only),
      ...row('timezone', timezone),
    ],
    credentials: async () => ({}),
    credentialValues: async () => [],
  }
}

function noProfile(environment: Environment): PromoError {
  const sources = Object.values(environment).map(({ source }) => source)
  const set =
    sources.length === 0 ? '' : `; ${listNames(sources)} ${sources.length === 1 ? 'is' : 'are'} set, without keys`
  return new PromoError('config', `no profile is chosen, and nothing is assumed${set}`, {
    hint:
      sources.length > 0
        ? 'set PROMO_APP_ID and PROMO_APP_TOKEN too, or: promo profiles add live'
        : 'promo profiles add live, or the built-in service with demo data: --profile sandbox',
  })
}

function wrongOrigin(profile: Profile, origin: Sourced): PromoError {
  return new PromoError(
    'config',
    `the secrets of profile "${profile.name}" were stored for ${profile.origin} and are not sent to ${origin.value} (${origin.source})`,
    { hint: `unset ${origin.source}, or add a profile for that address: promo profiles add NAME` },
  )
}

// The environment: overrides of the profile, and credentials for runs without one.
import { nearest } from '../base/nearest.ts'
import { isTimeZone } from '../base/time/time-zone.ts'
import { PromoError } from '../errors.ts'
import type { Env } from './folders.ts'
import { isProfileName } from './profile.ts'
import { isRegion, originOf, regions } from './regions.ts'
import { secretFile } from './secret-file.ts'
import { type SecretName, secretPairs } from './secret-set.ts'
import { faultOf, withoutFinalNewline } from './secret-value.ts'

/** A value and its source. */
export interface Sourced {
  value: string
  source: string
}

export type EnvironmentSetting = 'profile' | 'origin' | 'project_id' | 'timezone' | 'read_only' | SecretName

export type Environment = { [Setting in EnvironmentSetting]?: Sourced }

// ASSUMED A-P5: PROMO_WEBHOOK_SECRET exists too, because verifying a delivery takes a secret and no flag may hold one.
const secretVariables: Record<string, SecretName> = {
  PROMO_APP_ID: 'app_id',
  PROMO_APP_TOKEN: 'app_token',
  PROMO_MANAGEMENT_ID: 'management_id',
  PROMO_MANAGEMENT_TOKEN: 'management_token',
  PROMO_ACCESS_TOKEN: 'access_token',
  PROMO_CLIENT_ID: 'client_id',
  PROMO_CLIENT_TOKEN: 'client_token',
  PROMO_WEBHOOK_SECRET: 'webhook_secret',
}

/**
 * Every variable that promo reads, with its meaning; `promo help environment` is generated from it.
 * Source: docs/command-line.md#environment.
 */
export const variables: readonly { name: string; meaning: string }[] = [
  { name: 'PROMO_PROFILE', meaning: 'the profile to use, unless --profile names one' },
  { name: 'PROMO_REGION', meaning: `${Object.keys(regions).join(', ')}: the shared cluster, instead of the profile's` },
  { name: 'PROMO_BASE_URL', meaning: "the address of a dedicated cluster, instead of the profile's" },
  { name: 'PROMO_PROJECT_ID', meaning: "the project for management calls, instead of the profile's" },
  { name: 'PROMO_TIMEZONE', meaning: "the time zone in which a day begins and ends, instead of the profile's" },
  { name: 'PROMO_READ_ONLY', meaning: '1: send nothing that may change a project, whatever the profile says' },
  { name: 'PROMO_APP_ID', meaning: 'the application id; with PROMO_APP_TOKEN no profile is needed' },
  { name: 'PROMO_APP_TOKEN', meaning: 'the application secret token' },
  { name: 'PROMO_MANAGEMENT_ID', meaning: 'the management id, for webhooks and for templates copy' },
  { name: 'PROMO_MANAGEMENT_TOKEN', meaning: 'the management secret token' },
  { name: 'PROMO_ACCESS_TOKEN', meaning: 'a bearer token from promo token create, instead of the application pair' },
  { name: 'PROMO_CLIENT_ID', meaning: 'the client application id, for promo api with /client/v1 paths' },
  { name: 'PROMO_CLIENT_TOKEN', meaning: 'the client token' },
  { name: 'PROMO_WEBHOOK_SECRET', meaning: 'the secret that webhook deliveries are signed with' },
  { name: 'PROMO_…_FILE', meaning: 'for each of the eight above: the path of a file with the value' },
  { name: 'PROMO_ACTOR', meaning: 'who makes the changes, for the history; by default the user of the computer' },
  { name: 'PROMO_REASON', meaning: 'why, for the history, where a change has no reason of its own' },
  { name: 'PROMO_CONFIG_DIR', meaning: 'the settings folder' },
  { name: 'PROMO_STATE_DIR', meaning: "the folder of bulk journals and of the sandbox's data" },
  { name: 'PROMO_SANDBOX_HOST', meaning: 'the address on which promo sandbox start listens, unless --host names one' },
  { name: 'PROMO_SANDBOX_PORT', meaning: 'the port on which it listens, unless --port names one' },
  { name: 'PROMO_SANDBOX_KEYS', meaning: 'its keys as a JSON object, unless --keys-from names a file' },
  { name: 'PROMO_SANDBOX_CONTROL_TOKEN', meaning: 'the control token of a sandbox that --url names' },
  {
    name: 'PROMO_ALLOW_INSECURE_CONFIG',
    meaning: '1: accept a file of secrets on a file system without owners or modes',
  },
  { name: 'XDG_CONFIG_HOME', meaning: 'the parent of the settings folder; ~/.config by default' },
  {
    name: 'XDG_STATE_HOME',
    meaning: 'the parent of the state folder: journals, data and compiled code; ~/.local/state by default',
  },
  {
    name: 'XDG_CACHE_HOME',
    meaning: 'the parent of a cache folder for compiled code; without it, the state folder keeps that',
  },
  { name: 'HTTPS_PROXY, NO_PROXY', meaning: 'the proxy for https, and the hosts that bypass it' },
  { name: 'NODE_EXTRA_CA_CERTS', meaning: 'a file of additional certificate authorities' },
  { name: 'NO_COLOR', meaning: 'no colours; TERM=dumb has the same effect' },
  { name: 'PAGER', meaning: 'the program that shows help longer than the screen; less by default, none when empty' },
  { name: 'CI', meaning: 'no questions are asked' },
]

/**
 * Reads the PROMO_ variables, and removes the secret ones from `env`, so that no child process inherits them.
 *
 * One line break at the end of a value is dropped. Throws `config` (exit 4) for a value that is empty or malformed,
 * without showing it; for a variable given both directly and as `_FILE`; and for half a pair, naming the other half. Throws the
 * reason of the signal when that ends the wait for a pipe.
 */
export async function readEnvironment(env: Env, signal?: AbortSignal): Promise<Environment> {
  // Before anything else, so that they are removed even when something else is wrong.
  const given = takeSecrets(env)
  const environment: Environment = settingsFrom(env)
  for (const [variable, name] of Object.entries(secretVariables)) {
    const found = await secretFrom(variable, given, signal)
    if (found !== undefined) environment[name] = found
  }
  for (const [id, token] of secretPairs) {
    if (environment[id] && !environment[token]) throw halfAPair(environment[id].source, token)
    if (environment[token] && !environment[id]) throw halfAPair(environment[token].source, id)
  }
  return environment
}

// A run may resolve its profile more than once; what the first call removed from the environment must still be found.
// Keyed by the environment object, so that two of them never mix.
const taken = new WeakMap<Env, Env>()

function takeSecrets(env: Env): Env {
  const values = taken.get(env) ?? {}
  taken.set(env, values)
  for (const variable of Object.keys(secretVariables).flatMap((name) => [name, `${name}_FILE`])) {
    if (env[variable] === undefined) continue
    values[variable] = env[variable]
    delete env[variable]
  }
  return values
}

/** Says which variables have promo's prefix and are none of promo's: a value that was meant to be used is not used. */
export function strayVariables(env: Env): string[] {
  const known = variables.map(({ name }) => name)
  // With the last one the launcher stays with the Node that it was started by.
  const all = [...known, 'PROMO_NO_REEXEC']
  const stray = Object.keys(env).filter((name) => name.startsWith('PROMO_') && !all.includes(name))
  return stray.toSorted().map((name) => {
    const meant = nearest(name, known)
    return `${name} is set and not used: there is no such variable${meant === undefined ? '' : `; did you mean ${meant}?`}`
  })
}

function settingsFrom(env: Env): Environment {
  const environment: Environment = {}
  const take = (setting: EnvironmentSetting, source: string, read: (text: string) => string) => {
    const text = env[source]
    if (text === '') throw wrong(source, 'is empty')
    if (text !== undefined) environment[setting] = { value: read(text), source }
  }
  const { PROMO_READ_ONLY, PROMO_REGION, PROMO_BASE_URL } = env
  if (PROMO_READ_ONLY !== undefined && PROMO_READ_ONLY !== '0') {
    // A typing error must not open what was meant to be closed.
    if (PROMO_READ_ONLY !== '1') throw wrong('PROMO_READ_ONLY', 'is neither 1 nor 0')
    environment.read_only = { value: 'true', source: 'PROMO_READ_ONLY' }
  }
  take('profile', 'PROMO_PROFILE', (name) => {
    if (isProfileName(name)) return name
    throw wrong('PROMO_PROFILE', 'is not a name')
  })
  if (PROMO_REGION !== undefined && PROMO_BASE_URL !== undefined) {
    throw wrong('PROMO_REGION', 'and PROMO_BASE_URL exclude each other')
  }
  take('origin', 'PROMO_REGION', (region) => {
    if (isRegion(region)) return regions[region].api
    throw wrong('PROMO_REGION', `is not one of ${Object.keys(regions).join(', ')}`)
  })
  take('origin', 'PROMO_BASE_URL', (address) => originOf(address, 'config'))
  take('project_id', 'PROMO_PROJECT_ID', (id) => sound('PROMO_PROJECT_ID', id))
  take('timezone', 'PROMO_TIMEZONE', checkedTimeZone)
  return environment
}

/** Returns the time zone that PROMO_TIMEZONE names. Throws `config` for a text that names none. */
export function checkedTimeZone(given: string): string {
  if (isTimeZone(given)) return given
  throw wrong('PROMO_TIMEZONE', given === '' ? 'is empty' : 'is not a time zone such as Europe/Warsaw')
}

async function secretFrom(variable: string, given: Env, signal?: AbortSignal): Promise<Sourced | undefined> {
  const [value, path] = [given[variable], given[`${variable}_FILE`]]
  if (value !== undefined && path !== undefined) throw wrong(variable, `and ${variable}_FILE exclude each other`)
  if (value !== undefined) return { value: sound(variable, value), source: variable }
  if (path === undefined) return undefined
  const source = `${variable}_FILE`
  if (path === '') throw wrong(source, 'is empty')
  const file = await secretFile(path, signal)
  if ('fault' in file) throw wrong(source, file.fault)
  return { value: sound(source, file.text), source }
}

function sound(source: string, text: string): string {
  const value = withoutFinalNewline(text)
  const fault = faultOf(value)
  if (fault !== undefined) throw wrong(source, fault)
  return value
}

function halfAPair(source: string, missing: SecretName): PromoError {
  const [variable] = Object.entries(secretVariables).find(([, name]) => name === missing) ?? [missing]
  return new PromoError('config', `${source} is set and ${variable} is not; one is useless without the other`, {
    hint: `set ${variable} (or ${variable}_FILE), or unset ${source}`,
  })
}

/** Says what is wrong with the value of a variable, without showing it: `config` (exit 4). */
export function wrong(variable: string, reason: string): PromoError {
  return new PromoError('config', `${variable} ${reason}`, { hint: `set ${variable} again, or unset it` })
}

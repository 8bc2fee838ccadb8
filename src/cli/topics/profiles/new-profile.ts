// Adding a profile: flags first, then the environment, then stdin or questions; secrets are stored before the profile.
import { text } from 'node:stream/consumers'
import { EXIT, PromoError, usageError } from '../../../errors.ts'
import { readEnvironment } from '../../../profiles/environment.ts'
import { checkNewName, type Profile, type ProfileSettings } from '../../../profiles/profile.ts'
import { isRegion, originOf, type Region, regions } from '../../../profiles/regions.ts'
import { checkSecrets, type SecretName, type Secrets, secretNames } from '../../../profiles/secret-set.ts'
import type { SecretStore } from '../../../profiles/secrets.ts'
import { askHidden, askOne, askText, askYesNo, canAsk } from '../../prompt/prompts.ts'
import type { Host } from '../../run/host.ts'
import { storedProfiles } from '../../session/profile-store.ts'

export interface NewProfileFlags {
  region?: Region | undefined
  'base-url'?: string | undefined
  'project-id'?: string | undefined
  'app-id'?: string | undefined
  'management-id'?: string | undefined
  protected?: boolean
  'api-version'?: string | undefined
  rate?: string | undefined
  'insecure-storage'?: boolean
  'no-input'?: boolean
}

/**
 * Stores a new profile and its secrets, and returns where the secrets are.
 *
 * Throws `usage` for an invalid value and for one that is missing where no terminal can ask; `config` when the
 * secrets cannot be stored and --insecure-storage was not given.
 */
export async function newProfile(
  name: string,
  flags: NewProfileFlags,
  host: Host,
): Promise<{ profile: Profile; place: string }> {
  const asks = canAsk(flags, host)
  checkNewName(name)
  const { store, dir } = await storedProfiles(host)
  if (await store.get(name)) {
    throw usageError(`there is already a profile "${name}"`, `promo profiles remove ${name}`)
  }
  const place = await placeOf(flags, asks, host)
  const secrets = asks ? await askedSecrets(flags, host) : await givenSecrets(flags, host)
  checkSecrets(secrets)
  if (secrets.app_token === undefined && secrets.access_token === undefined && secrets.management_token === undefined) {
    throw usageError(
      'no credentials given',
      'set PROMO_APP_ID and PROMO_APP_TOKEN, or pass the token on stdin with --app-id',
    )
  }
  const secretsStore = await openSecretStore(dir, flags, asks, host)
  const settings: ProfileSettings = {
    name,
    ...place,
    ...(flags['project-id'] !== undefined && { project_id: flags['project-id'] }),
    protected: flags.protected ?? false,
    ...(flags['api-version'] !== undefined && { api_version: flags['api-version'] }),
    ...(flags.rate !== undefined && { rate: flags.rate }),
    secrets_in: secretsStore.kind,
  }
  const origin = 'region' in place ? regions[place.region].api : place.base_url
  // Secrets first: a profile without its secrets would be found and fail; secrets without a profile are never read.
  await secretsStore.set(name, origin, secrets)
  try {
    return { profile: await store.add(settings), place: secretsStore.place }
  } catch (error) {
    if (!(await store.get(name))) await secretsStore.remove(name, origin)
    throw error
  }
}

type Place = { region: Region } | { base_url: string }

async function placeOf(flags: NewProfileFlags, asks: boolean, host: Host): Promise<Place> {
  if (flags['base-url'] !== undefined) return { base_url: originOf(flags['base-url']) }
  if (flags.region !== undefined) return { region: flags.region }
  const { PROMO_BASE_URL, PROMO_REGION } = host.env
  if (PROMO_BASE_URL !== undefined) return { base_url: originOf(PROMO_BASE_URL, 'config') }
  if (isRegion(PROMO_REGION)) return { region: PROMO_REGION }
  if (!asks) return { region: 'eu' }
  const answer = await askOne('where does the project live?', places, host)
  if (isRegion(answer)) return { region: answer }
  return { base_url: originOf(await askText('its address (https://…):', host, { check: originOf })) }
}

const places = [
  { value: 'eu', about: 'Europe' },
  { value: 'us', about: 'United States' },
  { value: 'as', about: 'Asia (Singapore)' },
  { value: 'dedicated', about: 'a cluster of its own' },
]

async function askedSecrets(flags: NewProfileFlags, host: Host): Promise<Secrets> {
  const found = fromEnvironment(flags, host)
  if (found.app_token === undefined && found.access_token === undefined) {
    found.app_id ??= await askText('the application id (X-App-Id):', host)
    found.app_token = await askHidden('the application secret token (X-App-Token):', host)
  }
  if (found.management_id !== undefined && found.management_token === undefined) {
    found.management_token = await askHidden('the management secret token:', host)
  }
  return found
}

async function givenSecrets(flags: NewProfileFlags, host: Host): Promise<Secrets> {
  const found = fromEnvironment(flags, host)
  const isEnough =
    (found.app_token !== undefined || found.access_token !== undefined || found.app_id === undefined) &&
    (found.management_token !== undefined || found.management_id === undefined) &&
    (found.app_token !== undefined || found.access_token !== undefined || found.management_token !== undefined)
  if (isEnough || host.stdin.isTTY) return found
  return { ...found, ...secretsFromText(await text(host.stdin)) }
}

function fromEnvironment(flags: NewProfileFlags, host: Host): Secrets {
  const environment = readEnvironment(host.env)
  const found: Secrets = {}
  for (const name of secretNames) {
    const value = environment[name]?.value
    if (value !== undefined) found[name] = value
  }
  if (flags['app-id'] !== undefined) found.app_id = flags['app-id']
  if (flags['management-id'] !== undefined) found.management_id = flags['management-id']
  return found
}

/** Reads secrets from stdin: one bare line is the application token, otherwise `name=value` lines. Never prints them. */
function secretsFromText(given: string): Secrets {
  const lines = given.split(/\r?\n/).filter((line) => line.trim() !== '')
  const [only] = lines
  if (lines.length === 1 && only !== undefined && !isAssignment(only)) return { app_token: only }
  const found: Secrets = {}
  for (const [at, line] of lines.entries()) {
    if (!isAssignment(line)) {
      throw usageError(
        `line ${at + 1} of stdin does not have the form app_token=…`,
        `the names are ${secretNames.join(', ')}`,
      )
    }
    const equals = line.indexOf('=')
    found[line.slice(0, equals).trim() as SecretName] = line.slice(equals + 1).trim()
  }
  return found
}

function isAssignment(line: string): boolean {
  return secretNames.some((name) => line.trimStart().startsWith(`${name}=`))
}

/** Opens the keyring after a test, or the file if the user has agreed to that. */
async function openSecretStore(dir: string, flags: NewProfileFlags, asks: boolean, host: Host): Promise<SecretStore> {
  const { secretStore } = await import('../../../profiles/secrets.ts')
  const file = () => secretStore('file', dir, { env: host.env })
  if (flags['insecure-storage']) return await file()
  const keyring = await secretStore('keyring', dir, { env: host.env })
  try {
    await keyring.probe()
    return keyring
  } catch (error) {
    if (!asks || !(error instanceof PromoError)) throw error
    const question = 'this computer has no keyring; keep the secrets in a file that only you can read?'
    if (await askYesNo(question, host)) return await file()
    throw new PromoError('confirmation', EXIT.unconfirmed, 'declined; nothing was stored')
  }
}

// Adding a profile: flags first, then the environment, then stdin or questions; secrets are stored before the profile.

import { PromoError, usageError } from '../../../errors.ts'
import { checkNewName, type Profile, type ProfileSettings } from '../../../profiles/profile.ts'
import { isRegion, originOf, type Region, regions } from '../../../profiles/regions.ts'
import type { SecretStore } from '../../../profiles/secrets.ts'
import type { globalFlags } from '../../flags/flags.ts'
import type { ValuesOf } from '../../flags/kinds.ts'
import { askOne, askText, askYesNo } from '../../prompt/prompts.ts'
import type { Asker, Home } from '../../run/host.ts'
import { storedProfiles } from '../../session/profile-store.ts'
import type { Run } from '../../session/run.ts'
import type { settingFlags } from './flags.ts'
import { keysFrom } from './keys.ts'

export type NewProfileFlags = ValuesOf<typeof settingFlags & typeof globalFlags> & {
  protected?: boolean
  'read-only'?: boolean
  'insecure-storage'?: boolean
}

/**
 * Stores a new profile and its secrets, and returns where the secrets are and whether management keys are among them.
 *
 * Throws `usage` for an invalid value and for one that is missing where no terminal can ask; `config` when the
 * secrets cannot be stored and --insecure-storage was not given.
 */
export async function newProfile(
  name: string,
  flags: NewProfileFlags,
  { host, canAsk }: Pick<Run, 'canAsk'> & { host: Asker & Home },
): Promise<{ profile: Profile; place: string; hasManagementKeys: boolean }> {
  const asks = canAsk()
  checkNewName(name)
  const { store, dir } = await storedProfiles(host)
  if (await store.get(name)) {
    throw usageError(`there is already a profile "${name}"`, `promo profiles update ${name}`)
  }
  const place = await placeOf(flags, asks, host)
  let printed: { url?: string; project_id?: string } = {}
  // On a terminal the question of where to keep the keys comes before they are typed, so that a no discards nothing.
  const openStore = () => openSecretStore(dir, flags, asks, host)
  const early = asks ? await openStore() : undefined
  const secrets = await keysFrom(flags, asks, host, {}, (of) => {
    printed = of
  })
  const secretsStore = early ?? (await openStore())
  const isPlaced = [flags['base-url'], flags.region, host.env.PROMO_BASE_URL, host.env.PROMO_REGION].some(Boolean)
  const reached = isPlaced || printed.url === undefined ? place : { base_url: originOf(printed.url) }
  const projectId = flags['project-id'] ?? printed.project_id
  const settings: ProfileSettings = {
    name,
    ...reached,
    ...(projectId !== undefined && { project_id: projectId }),
    protected: flags.protected ?? false,
    ...(flags['read-only'] && { read_only: true as const }),
    ...(flags['api-version'] !== undefined && { api_version: flags['api-version'] }),
    ...(flags.timezone !== undefined && { timezone: flags.timezone }),
    ...(flags.rate !== undefined && { rate: flags.rate }),
    secrets_in: secretsStore.kind,
  }
  const origin = 'region' in reached ? regions[reached.region].api : reached.base_url
  // Secrets first: a profile without its secrets would be found and fail; secrets without a profile are never read.
  await secretsStore.set(name, origin, secrets)
  try {
    const hasManagementKeys = secrets.management_token !== undefined
    return { profile: await store.add(settings), place: secretsStore.place, hasManagementKeys }
  } catch (error) {
    if (!(await store.get(name))) await secretsStore.remove(name, origin)
    throw error
  }
}

type Place = { region: Region } | { base_url: string }

async function placeOf(flags: NewProfileFlags, asks: boolean, host: Asker & Home): Promise<Place> {
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

/** Opens the keyring after a test, or the file if the user has agreed to that. */
async function openSecretStore(
  dir: string,
  flags: NewProfileFlags,
  asks: boolean,
  host: Asker & Home,
): Promise<SecretStore> {
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
    throw new PromoError('confirmation', 'declined; nothing was stored')
  }
}

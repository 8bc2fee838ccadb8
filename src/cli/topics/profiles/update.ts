// Changing a stored profile: what is not named stays, the keys included.

import { usageError } from '../../../errors.ts'
import { checkNewName, type Profile } from '../../../profiles/profile.ts'
import { originOf, regions } from '../../../profiles/regions.ts'
import type { Secrets } from '../../../profiles/secret-set.ts'
import type { ProfileChanges } from '../../../profiles/store.ts'
import type { globalFlags } from '../../flags/flags.ts'
import type { ValuesOf } from '../../flags/kinds.ts'

import type { Asker, Home } from '../../run/host.ts'
import { storedProfiles } from '../../session/profile-store.ts'
import type { Run } from '../../session/run.ts'
import type { settingFlags } from './flags.ts'
import { keysFrom } from './keys.ts'

/** Settings that a profile may be without. */
export const optionalSettings = ['project-id', 'api-version', 'timezone', 'rate'] as const

export type ChangeFlags = ValuesOf<typeof settingFlags & typeof globalFlags> & {
  protected?: boolean | undefined
  'read-only'?: boolean | undefined
  unset?: (typeof optionalSettings)[number][] | undefined
  keys?: boolean | undefined
}

/**
 * Changes a stored profile, and returns it with the place of its keys if these were replaced.
 *
 * The keys are replaced with `--keys`, with an id, and when nothing else is to change. They move with the profile to
 * another shared cluster, and are needed again for an address of its own. Throws `usage` and `config`.
 */
export async function changedProfile(
  name: string,
  flags: ChangeFlags,
  { host, canAsk }: Pick<Run, 'canAsk'> & { host: Asker & Home },
): Promise<{ profile: Profile; keysIn?: string }> {
  const { store, dir } = await storedProfiles(host)
  const changes = changesFrom(flags)
  // Throws for a profile that does not exist, or a setting that it cannot have, before any key is read.
  const before = (await store.get(name)) ?? (await store.update(name, {}))
  const isAboutKeys = flags.keys || flags['app-id'] !== undefined || flags['management-id'] !== undefined
  const { secretStore } = await import('../../../profiles/secrets.ts')
  const secrets = await secretStore(before.secrets_in, dir, { env: host.env })
  const stored = (await secrets.get(name, before.origin)) ?? {}
  const origin = originAfter(before, changes)
  const moves = origin !== before.origin
  const replaces = isAboutKeys || Object.keys(changes).length === 0
  if (moves && !replaces && changes.base_url !== undefined) {
    throw usageError(
      `the keys of profile "${name}" were stored for ${before.origin} and are not sent to ${origin}`,
      'add --keys to give the keys for that address',
    )
  }
  const keys: Secrets = replaces
    ? await keysFrom(flags, canAsk(), host, changes.base_url === undefined ? stored : {})
    : stored
  // Keys first: a profile that points where it has no keys would be found and fail.
  if (replaces || moves) await secrets.set(name, origin, keys)
  const profile = await store.update(name, changes)
  if (moves) await secrets.remove(name, before.origin)
  return { profile, ...(replaces && { keysIn: secrets.place }) }
}

/** Gives a profile another name. Throws `usage` for a name that is taken, `config` for a profile that does not exist. */
export async function renamedProfile(name: string, newName: string, host: Asker & Home): Promise<Profile> {
  // Before anything is stored under the new name.
  checkNewName(newName)
  const { store, dir } = await storedProfiles(host)
  const before = await store.get(name)
  if (before === undefined || (await store.get(newName))) return await store.rename(name, newName)
  const { secretStore } = await import('../../../profiles/secrets.ts')
  const secrets = await secretStore(before.secrets_in, dir, { env: host.env })
  const keys = await secrets.get(name, before.origin)
  if (keys !== undefined) await secrets.set(newName, before.origin, keys)
  const profile = await store.rename(name, newName)
  if (keys !== undefined) await secrets.remove(name, before.origin)
  return profile
}

function changesFrom({ region, unset = [], timezone, rate, ...flags }: ChangeFlags): ProfileChanges {
  const removed = Object.fromEntries(unset.map((setting) => [setting.replaceAll('-', '_'), undefined]))
  return {
    ...(region !== undefined && { region }),
    ...(flags['base-url'] !== undefined && { base_url: originOf(flags['base-url']) }),
    ...(flags['project-id'] !== undefined && { project_id: flags['project-id'] }),
    ...(flags.protected !== undefined && { protected: flags.protected }),
    ...(flags['read-only'] !== undefined && { read_only: flags['read-only'] || undefined }),
    ...(flags['api-version'] !== undefined && { api_version: flags['api-version'] }),
    ...(timezone !== undefined && { timezone }),
    ...(rate !== undefined && { rate }),
    ...removed,
  }
}

function originAfter(before: Profile, { region, base_url }: ProfileChanges): string {
  if (base_url !== undefined) return base_url
  return region === undefined ? before.origin : regions[region].api
}

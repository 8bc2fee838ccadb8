// The stored profiles of this run's settings folder.

import { usageError } from '../../errors.ts'
import { folders } from '../../profiles/folders.ts'
import type { ProfileStore } from '../../profiles/store.ts'
import type { Choice } from '../prompt/needs.ts'
import type { Home } from '../run/host.ts'

/** Opens the stored profiles; nothing is read yet. Throws `config` when the folder cannot be determined. */
export async function storedProfiles(host: Home): Promise<{ store: ProfileStore; dir: string }> {
  const { openStore } = await import('../../profiles/store.ts')
  const dir = folders(host.env, host.platform, host.home).config
  return { store: openStore(dir), dir }
}

/** Returns the stored profiles to choose from. Throws `usage` when there are none. */
export async function storedChoices(host: Home): Promise<Choice[]> {
  const { store } = await storedProfiles(host)
  const profiles = await store.list()
  if (profiles.length === 0) throw usageError('there is no stored profile', 'promo profiles add live')
  return profiles.map(({ name, origin }) => ({ value: name, about: origin }))
}

/** Returns the profiles to choose from: the built-in sandbox and the stored ones. */
export async function profileChoices(host: Home): Promise<Choice[]> {
  const { store } = await storedProfiles(host)
  const profiles = await store.list()
  return [
    { value: 'sandbox', about: 'built in' },
    ...profiles.map(({ name, origin }) => ({ value: name, about: origin })),
  ]
}

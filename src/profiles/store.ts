// The stored profiles: settings only, in one file. Their secrets are elsewhere (secrets.ts).
import { byText } from '../base/list.ts'
import { isRecord, withoutUndefined } from '../base/record.ts'
import { usageError } from '../errors.ts'
import { type DocumentFormat, readDocument } from './document.ts'
import {
  checkNewName,
  isProfileName,
  type Profile,
  type ProfileSettings,
  profileFrom,
  sandboxName,
  unknownProfile,
} from './profile.ts'

/** Changes to a stored profile; undefined removes a setting. */
export type ProfileChanges = {
  [Setting in Exclude<keyof Profile, 'name' | 'origin'>]?: Profile[Setting] | undefined
}

/**
 * The profiles in one settings folder. `sandbox` is not among them: it is built in.
 *
 * Every function throws `config` (exit 4) when the file is damaged, and leaves it unchanged. Those that change it also
 * throw `usage` for an invalid name or setting, `config` for a profile that does not exist, `io` and `held`.
 */
export interface ProfileStore {
  /** Sorted by name. */
  list: () => Promise<Profile[]>
  get: (name: string) => Promise<Profile | undefined>
  /** The first profile becomes the current one. */
  add: (profile: ProfileSettings) => Promise<Profile>
  /** A new region replaces a base URL, and vice versa. */
  update: (name: string, changes: ProfileChanges) => Promise<Profile>
  /** Keeps every setting, and that it is the current profile. Throws `usage` when the new name is taken. */
  rename: (name: string, newName: string) => Promise<Profile>
  /** Returns the removed profile, so that its secrets can be removed too. If it was the current one, none is current. */
  remove: (name: string) => Promise<Profile>
  /** Returns the name that `profiles use` chose. */
  current: () => Promise<string | undefined>
  use: (name: string) => Promise<void>
}

interface Settings {
  current: string | undefined
  profiles: Map<string, Profile>
}

/** Opens the profiles of a settings folder. Nothing is read or created until a function is called. */
export function openStore(dir: string): ProfileStore {
  const read = () => readDocument({ dir }, format)
  const change = async <R>(edit: (settings: Settings) => R) => {
    const { changeDocument } = await import('./change-document.ts')
    return await changeDocument({ dir }, format, edit)
  }
  return {
    list: async () => [...read().profiles.values()].sort((a, b) => byText(a.name, b.name)),
    get: async (name) => read().profiles.get(name),
    current: async () => read().current,
    async add(given) {
      checkNewName(given.name)
      const profile = checkProfile(given)
      return await change((settings) => {
        if (settings.profiles.has(profile.name)) throw existsAlready(profile.name)
        settings.profiles.set(profile.name, profile)
        // ASSUMED A-P4: the only profile is the one that is meant; a second one never becomes current by itself.
        if (settings.profiles.size === 1) settings.current ??= profile.name
        return profile
      })
    },
    async update(name, changes) {
      checkNewName(name)
      return await change((settings) => {
        const { origin: _, ...old } = present(name, settings)
        if (changes.region !== undefined) delete old.base_url
        if (changes.base_url !== undefined) delete old.region
        const profile = checkProfile({ ...old, ...changes } as ProfileSettings)
        settings.profiles.set(name, profile)
        return profile
      })
    },
    async rename(name, newName) {
      checkNewName(newName)
      return await change((settings) => {
        const profile = { ...present(name, settings), name: newName }
        if (settings.profiles.has(newName)) throw existsAlready(newName)
        settings.profiles.delete(name)
        settings.profiles.set(newName, profile)
        if (settings.current === name) settings.current = newName
        return profile
      })
    },
    async remove(name) {
      checkNewName(name)
      return await change((settings) => {
        const profile = present(name, settings)
        settings.profiles.delete(name)
        if (settings.current === name) settings.current = undefined
        return profile
      })
    },
    async use(name) {
      await change((settings) => {
        if (name !== sandboxName) present(name, settings)
        settings.current = name
      })
    },
  }
}

const format: DocumentFormat<Settings> = {
  name: 'config',
  empty: () => ({ current: undefined, profiles: new Map() }),
  read({ current, profiles, ...rest }, damaged) {
    const [unknown] = Object.keys(rest)
    if (unknown !== undefined) throw damaged([unknown], 'there is no such setting')
    if (!isRecord(profiles)) throw damaged(['profiles'], '"profiles" is not an object')
    const read = new Map<string, Profile>()
    for (const [name, settings] of Object.entries(profiles)) {
      if (!isProfileName(name)) throw damaged(['profiles', name], 'a profile cannot have this name')
      if (!isRecord(settings)) throw damaged(['profiles', name], 'the profile is not an object')
      const bad = (setting: string, reason: string) => damaged(['profiles', name, setting], `"${setting}" ${reason}`)
      if (settings.origin === undefined) throw bad('origin', 'is missing')
      read.set(name, profileFrom(name, settings, bad))
    }
    if (current !== undefined && (typeof current !== 'string' || !(read.has(current) || current === sandboxName))) {
      throw damaged(['current'], '"current" names no profile')
    }
    return { current, profiles: read }
  },
  write: ({ current, profiles }) => ({
    ...(current !== undefined && { current }),
    // Own members of an object without a prototype, so that a profile may be named "constructor".
    profiles: Object.assign(
      Object.create(null),
      Object.fromEntries([...profiles.values()].map(({ name, ...settings }) => [name, settings])),
    ),
  }),
}

function checkProfile({ name, ...settings }: ProfileSettings): Profile {
  return profileFrom(name, withoutUndefined(settings), (setting, reason) =>
    usageError(`"${setting}" of a profile ${reason}`),
  )
}

function present(name: string, { profiles }: Settings): Profile {
  const profile = profiles.get(name)
  if (profile === undefined) throw unknownProfile(name, [...profiles.keys()])
  return profile
}

function existsAlready(name: string): Error {
  return usageError(`there is already a profile "${name}"`, `promo profiles update ${name}`)
}

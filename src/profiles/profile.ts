// A profile: which cluster and project, how careful to be there, and where its secrets are. Never a secret.

import { listNames, mostNamed } from '../base/name-list.ts'
import { rateForm, rateFrom } from '../base/rate.ts'
import { isTimeZone } from '../base/time/time-zone.ts'
import { PromoError, usageError } from '../errors.ts'
import { isRegion, originOf, type Region, regions } from './regions.ts'

/** Where the secrets of a profile are kept. */
export type SecretsKind = 'keyring' | 'file'

export interface Profile {
  name: string
  /** A shared cluster; absent for a dedicated one. */
  region?: Region
  /** The address of a dedicated cluster; absent for a shared one. */
  base_url?: string
  project_id?: string
  /** True: every write asks for the profile's name first. */
  protected: boolean
  /** True: nothing that may change the project is sent. */
  read_only?: true
  api_version?: string
  /** The time zone of the project, as `Europe/Warsaw`: where its days begin and end. */
  timezone?: string
  /** The maximum rate unless --rate says otherwise, as `20/s`, `600/m` or `5000/h`. */
  rate?: string
  secrets_in: SecretsKind
  /** Scheme, host and port that the secrets were stored for, and the only ones they are sent to. */
  origin: string
}

/** A profile as the user enters it: its origin follows from the region or the base URL. */
export type ProfileSettings = Omit<Profile, 'origin'> & { origin?: string }

/** Returns the error for one setting of a profile. The reason never repeats the value. */
export type BadSetting = (setting: string, reason: string) => PromoError

/** The built-in profile. It cannot be stored, changed or removed. */
export const sandboxName = 'sandbox'

/** The name of a run that takes everything from the environment. */
export const environmentName = 'environment'

/** Says whether the text can name a profile. */
export function isProfileName(text: string): boolean {
  return /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/.test(text)
}

/**
 * Checks the name of a new profile. Throws `usage`.
 *
 * ASSUMED A-P3: `environment` is reserved like `sandbox`, because whoami and the question before a protected write use it
 * as the name of a run without a profile.
 */
export function checkNewName(name: string): void {
  if (!isProfileName(name)) {
    throw usageError(
      'a profile name is 1 to 64 letters, digits, ".", "_" or "-", and starts with a letter or a digit',
      'promo profiles add live',
    )
  }
  if (name === sandboxName) {
    throw usageError(
      'the profile "sandbox" is built in and cannot be added, changed or removed',
      'promo profiles use sandbox',
    )
  }
  if (name === environmentName) throw usageError('the name "environment" is reserved', 'promo profiles add live')
}

/** Returns the error (config, exit 4) for a profile that does not exist. The existing names are shown. */
export function unknownProfile(name: string, existing: readonly string[]): PromoError {
  const shown = isProfileName(name) ? `there is no profile "${name}"` : 'there is no profile with that name'
  return new PromoError('config', `${shown}; there are: ${listNames([...existing, sandboxName], mostNamed)}`, {
    hint: 'promo profiles list',
  })
}

/** What is wrong with a text, or undefined. */
const textSettings = {
  project_id: (text: string) => (/^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$/.test(text) ? undefined : 'is malformed'),
  api_version: (text: string) => (/^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/.test(text) ? undefined : 'is malformed'),
  timezone: (text: string) => (isTimeZone(text) ? undefined : 'is not a time zone'),
  rate: (text: string) => (rateFrom(text) === undefined ? `is not ${rateForm}` : undefined),
}

const otherSettings = ['region', 'base_url', 'protected', 'read_only', 'secrets_in', 'origin']

/** Builds a profile from settings of the user or a file. Throws what `bad` returns for the first invalid one. */
export function profileFrom(name: string, settings: Record<string, unknown>, bad: BadSetting): Profile {
  for (const setting of Object.keys(settings)) {
    const isKnown = otherSettings.includes(setting) || Object.hasOwn(textSettings, setting)
    if (!isKnown) throw bad(setting, 'is not a setting of a profile')
  }
  const { region, base_url, protected: isProtected, read_only: isReadOnly = false, secrets_in } = settings
  if (typeof isProtected !== 'boolean') throw bad('protected', 'is neither true nor false')
  if (typeof isReadOnly !== 'boolean') throw bad('read_only', 'is neither true nor false')
  if (secrets_in !== 'keyring' && secrets_in !== 'file') throw bad('secrets_in', 'is neither "keyring" nor "file"')
  const cluster = clusterFrom(region, base_url, bad)
  // When the file was edited to point elsewhere, the secrets must not be sent there.
  if (settings.origin !== undefined && settings.origin !== cluster.origin) {
    throw bad('origin', 'is not the origin of the region or the base URL')
  }
  const careful = { protected: isProtected, ...(isReadOnly && { read_only: true as const }) }
  return { name, ...cluster, ...textsFrom(settings, bad), ...careful, secrets_in }
}

function clusterFrom(
  region: unknown,
  baseUrl: unknown,
  bad: BadSetting,
): Pick<Profile, 'region' | 'base_url' | 'origin'> {
  if (region !== undefined && baseUrl !== undefined) throw bad('base_url', 'and "region" exclude each other')
  if (baseUrl === undefined) {
    if (!isRegion(region)) throw bad('region', `is not one of ${Object.keys(regions).join(', ')}`)
    return { region, origin: regions[region].api }
  }
  if (typeof baseUrl !== 'string') throw bad('base_url', 'is not a text')
  try {
    const origin = originOf(baseUrl)
    return { base_url: origin, origin }
  } catch (error) {
    throw bad('base_url', (error as PromoError).message.replace('the base URL ', ''))
  }
}

function textsFrom(settings: Record<string, unknown>, bad: BadSetting): Pick<Profile, keyof typeof textSettings> {
  const texts: Partial<Record<keyof typeof textSettings, string>> = {}
  for (const setting of Object.keys(textSettings) as (keyof typeof textSettings)[]) {
    const value = settings[setting]
    if (value === undefined) continue
    if (typeof value !== 'string') throw bad(setting, 'is not a text')
    const fault = textSettings[setting](value)
    if (fault !== undefined) throw bad(setting, fault)
    texts[setting] = value
  }
  return texts
}

// The keys of a profile as the user gives them: from the environment, stdin or questions; never from a flag.

import { withoutUndefined } from '../../../base/record.ts'
import { usageError } from '../../../errors.ts'
import { readEnvironment } from '../../../profiles/environment.ts'
import { checkSecrets, type SecretName, type Secrets, secretNames } from '../../../profiles/secret-set.ts'
import type { ValuesOf } from '../../flags/kinds.ts'
import { askHidden, askText } from '../../prompt/prompts.ts'
import { secretText } from '../../request/input-text.ts'
import { jsonOf } from '../../request/json-file.ts'
import type { Asker } from '../../run/host.ts'
import type { settingFlags } from './flags.ts'

export type KeyFlags = ValuesOf<Pick<typeof settingFlags, 'app-id' | 'management-id'>>

/** Is told where they belong, by what `sandbox start --json` prints. */
type OnPlace = (place: { url?: string; project_id?: string }) => void

/**
 * Reads the keys that the user gives; `stored` are those that the profile already has, and complete half a pair.
 *
 * A new application pair drops a stored bearer token, which belonged to the old one. Throws `usage` for an invalid key, for
 * half a pair, and when there is none at all.
 */
export async function keysFrom(
  flags: KeyFlags,
  asks: boolean,
  host: Asker,
  stored: Secrets = {},
  onPlace: OnPlace = () => {},
): Promise<Secrets> {
  const given = asks ? await askedKeys(flags, host, stored) : await keysWithoutQuestions(flags, host, onPlace)
  const isNewPair = given.app_id !== undefined || given.app_token !== undefined
  const { access_token: _, ...rest } = stored
  const keys: Secrets = { ...(isNewPair ? rest : stored), ...given }
  checkSecrets(keys)
  const isNothing = secretNames.every((name) => given[name] === undefined)
  if (isNothing || [keys.app_token, keys.access_token, keys.management_token].every((key) => key === undefined)) {
    throw usageError(
      'no credentials given',
      'set PROMO_APP_ID and PROMO_APP_TOKEN, or pass the token on stdin with --app-id',
    )
  }
  return keys
}

async function askedKeys(flags: KeyFlags, host: Asker, stored: Secrets): Promise<Secrets> {
  const found = await fromEnvironment(flags, host)
  if (!isManagementOnly(flags) && found.app_token === undefined && found.access_token === undefined) {
    found.app_id ??= await askedId('the application id (X-App-Id)', stored.app_id, host)
    found.app_token = await askHidden('the application secret token (X-App-Token):', host)
  }
  if (found.management_id !== undefined && found.management_token === undefined) {
    found.management_token = await askHidden('the management secret token:', host)
  }
  return found
}

function isManagementOnly(flags: KeyFlags): boolean {
  return flags['management-id'] !== undefined && flags['app-id'] === undefined
}

async function askedId(name: string, stored: string | undefined, host: Asker): Promise<string> {
  if (stored === undefined) return await askText(`${name}:`, host)
  return (await askText(`${name}, Enter keeps ${stored}:`, host, { isOptional: true })) || stored
}

async function keysWithoutQuestions(flags: KeyFlags, host: Asker, onPlace: OnPlace): Promise<Secrets> {
  const found = await fromEnvironment(flags, host)
  const lacksToken =
    (found.app_id !== undefined && found.app_token === undefined && found.access_token === undefined) ||
    (found.management_id !== undefined && found.management_token === undefined)
  const isEnough = [found.app_token, found.access_token, found.management_token].some((key) => key !== undefined)
  if ((isEnough && !lacksToken) || host.stdin.isTTY) return found
  const text = await secretText(host)
  const read = text.trimStart().startsWith('{')
    ? keysFromJson(text, onPlace)
    : keysFromText(text, isManagementOnly(flags) ? 'management_token' : 'app_token')
  return { ...found, ...read }
}

async function fromEnvironment(flags: KeyFlags, host: Asker): Promise<Secrets> {
  const environment = await readEnvironment(host.env, host.stop)
  const found: Secrets = {}
  for (const name of secretNames) {
    const value = environment[name]?.value
    if (value !== undefined) found[name] = value
  }
  if (flags['app-id'] !== undefined) found.app_id = flags['app-id']
  if (flags['management-id'] !== undefined) found.management_id = flags['management-id']
  return found
}

/** Reads what `sandbox start --json` prints, which has more than the keys. Never prints them. Throws `input` (exit 2). */
function keysFromJson(text: string, onPlace: OnPlace): Secrets {
  const { client_app_id: client_id, ...given } = jsonOf(text, 'stdin') as Record<string, string>
  onPlace(given)
  const known = Object.entries({ client_id, ...given }).filter(([name]) => secretNames.includes(name as SecretName))
  return withoutUndefined(Object.fromEntries(known))
}

/** Reads keys from stdin: one bare line is the token named `bare`, otherwise `name=value` lines. Never prints them. */
function keysFromText(given: string, bare: SecretName): Secrets {
  const lines = given.split(/\r?\n/).filter((line) => line.trim() !== '')
  const [only] = lines
  if (lines.length === 1 && only !== undefined && !isAssignment(only)) return { [bare]: only }
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

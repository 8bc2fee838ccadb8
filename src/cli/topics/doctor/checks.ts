// The checks of `promo doctor`. Each returns a sentence; none of them changes anything.

import type { Client } from '../../../api/client.ts'
import { formatCount } from '../../../base/numbers.ts'
import { PromoError } from '../../../errors.ts'
import { stateFolder } from '../../../profiles/folders.ts'
import type { Resolved } from '../../../profiles/resolve.ts'
import type { Keeper, ProgramConfig } from '../../run/host.ts'
import { storedProfiles } from '../../session/profile-store.ts'
import { acceptedKeys } from '../profiles/accepted.ts'
import { type PlatformFacts, platformFacts, platformInWords } from './platform.ts'

export interface Check {
  check: string
  state: 'ok' | 'warn' | 'fail'
  /** What was found. */
  found: string
  /** How to fix it; empty when there is nothing to do. */
  todo: string
}

type Connect = () => Promise<Client & { profile: Resolved }>

/** Runs every check in turn; a check that fails to run is a row like the others. */
export async function examine(host: Keeper, config: ProgramConfig, connect: Connect): Promise<Check[]> {
  return [
    { check: 'program', state: 'ok', found: config.userAgent, todo: '' },
    platformCheck(await platformFacts()),
    await runCheck('settings', async () => {
      const { store, dir } = await storedProfiles(host)
      const count = (await store.list()).length
      return `${formatCount(count, 'stored profile')} in ${dir}`
    }),
    await runCheck('state folder', async () => stateFolder(host)),
    await keyringCheck(host),
    environmentCheck(host),
    await runCheck('service', async () => {
      const client = await connect()
      const startedAt = host.now()
      await acceptedKeys(client)
      const { name, source, origin } = client.profile
      return `profile ${name} (from ${source}) is accepted by ${origin} in ${host.now() - startedAt} ms`
    }),
  ]
}

function platformCheck(facts: PlatformFacts): Check {
  const words = platformInWords(facts)
  return { check: 'platform', state: words.todo === '' ? 'ok' : 'warn', ...words }
}

async function runCheck(check: string, look: () => Promise<string>): Promise<Check> {
  try {
    return { check, state: 'ok', found: await look(), todo: '' }
  } catch (error) {
    return failedCheck(check, error, 'fail')
  }
}

// Without a keyring promo still works: secrets can be kept in a file or come from the environment.
async function keyringCheck(host: Keeper): Promise<Check> {
  const check = 'keyring'
  try {
    const { dir } = await storedProfiles(host)
    const { secretStore } = await import('../../../profiles/secrets.ts')
    const keyring = await secretStore('keyring', dir, { env: host.env })
    await keyring.probe()
    return { check, state: 'ok', found: `${keyring.place} keeps secrets`, todo: '' }
  } catch (error) {
    return failedCheck(check, error, 'warn')
  }
}

function environmentCheck({ env }: Keeper): Check {
  const check = 'environment'
  if (env.NODE_TLS_REJECT_UNAUTHORIZED === '0') {
    const found = 'NODE_TLS_REJECT_UNAUTHORIZED=0 turns certificate checks off'
    return { check, state: 'fail', found, todo: 'unset it; for your own certificate authority set NODE_EXTRA_CA_CERTS' }
  }
  if (env.NODE_DEBUG !== undefined && env.NODE_DEBUG !== '') {
    return { check, state: 'warn', found: 'NODE_DEBUG is set and can print headers', todo: 'unset NODE_DEBUG' }
  }
  const names = Object.keys(env).filter((name) => /^PROMO_/i.test(name))
  return {
    check,
    state: 'ok',
    found: names.length === 0 ? 'no PROMO_ variables' : names.toSorted().join(', '),
    todo: '',
  }
}

function failedCheck(check: string, error: unknown, state: 'warn' | 'fail'): Check {
  if (!(error instanceof PromoError)) throw error
  const { hint = '' } = error.facts
  // A call that did not get through advises this very command.
  return { check, state, found: error.message, todo: hint.includes('promo doctor') ? throughNetwork : hint }
}

const throughNetwork =
  'check the base URL of the profile (promo profiles show NAME), HTTPS_PROXY and the network of this computer'

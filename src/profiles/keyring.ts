// Secrets in the operating system's keyring.
//
// The native module is called in a child process. Its constructor contacts the desktop session before it returns, so a
// session that does not answer, or a locked keyring that asks in a hidden window, would block this process for half a
// minute, out of reach of timers and Ctrl-C; a child can be killed. It costs 20 to 40 ms, and only where secrets are
// needed. The secrets travel through pipes, never through argv or the environment.
import { readJson } from '../base/nesting.ts'
import { PromoError } from '../errors.ts'
import type { Env } from './folders.ts'
import { checkSecrets, type SecretStore, secretKey, secretsFrom } from './secret-set.ts'

export interface KeyringOptions {
  env: Env
  timeoutMs: number
  /** Path or URL of the module; the installed @napi-rs/keyring unless given. */
  module?: string
}

type Act = 'get' | 'set' | 'remove' | 'probe'

interface Answer {
  value?: string | null
  removed?: boolean
  /** The problem, as one of our own codes: a message of the module could quote anything. */
  fault?: 'missing' | 'session' | 'locked' | 'long' | 'lost' | 'other'
}

/** Opens the keyring. Its functions throw `config` (exit 4), with an alternative, when it cannot be used. */
export function keyring(options: KeyringOptions): SecretStore {
  const ask = async (act: Act, user: string, value?: string) => {
    const answer = await askChild({ act, user, ...(value !== undefined && { value }) }, options)
    if (answer.fault !== undefined) throw unusable(answer.fault, act)
    return answer
  }
  return {
    kind: 'keyring',
    place: 'the keyring of this computer',
    async probe() {
      await ask('probe', `probe-${process.pid}`, 'probe')
    },
    async get(profile, origin) {
      const { value } = await ask('get', secretKey(profile, origin))
      if (value === undefined || value === null) return undefined
      const secrets = secretsFrom(parseEntry(value))
      if (secrets !== undefined) return secrets
      throw new PromoError('config', `what the keyring holds for profile "${profile}" was not stored by this promo`, {
        hint: `promo profiles remove ${profile}, then promo profiles add ${profile}`,
      })
    },
    async set(profile, origin, secrets) {
      checkSecrets(secrets)
      await ask('set', secretKey(profile, origin), JSON.stringify(secrets))
    },
    async remove(profile, origin) {
      const { removed = false } = await ask('remove', secretKey(profile, origin))
      return removed
    },
  }
}

// Pinned to the Secret Service: by default the module falls back to the kernel's keyring, which a reboot empties.
const child = `
const { act, user, value, module } = JSON.parse(await new Response(process.stdin).text())
const answer = (object) => process.stdout.write(JSON.stringify(object))
const faultOf = ({ code, message = '' }) =>
  code === 'ERR_MODULE_NOT_FOUND' || /native binding/i.test(message) ? 'missing'
  : /\\b(un)?lock(ed)?\\b|dismiss|prompt/i.test(message) ? 'locked'
  : /d-?bus|zbus|session/i.test(message) ? 'session'
  : /longer than platform limit/i.test(message) ? 'long'
  : 'other'
const done = (entry) => {
  if (act === 'get') return { value: entry.getPassword() }
  if (act !== 'remove') {
    entry.setPassword(value)
    if (entry.getPassword() !== value) return { fault: 'lost' }
    if (act === 'set') return {}
  }
  const removed = entry.deletePassword()
  return entry.getPassword() === null ? { removed } : { fault: 'lost' }
}
try {
  const { Entry } = await import(module)
  const entry = new Entry('promo', user, { linux: { store: 'secret-service' } })
  answer(done(entry))
} catch (error) {
  answer({ fault: faultOf(error) })
}`

async function askChild(
  question: { act: Act; user: string; value?: string },
  options: KeyringOptions,
): Promise<Answer> {
  const { execFile } = await import('node:child_process')
  const module = options.module ?? (await installedModule())
  if (module === undefined) return { fault: 'missing' }
  return await new Promise((resolve) => {
    const started = execFile(
      process.execPath,
      ['--input-type=module', '--eval', child],
      { env: childEnv(options.env), cwd: '/', timeout: options.timeoutMs, killSignal: 'SIGKILL', windowsHide: true },
      (error, stdout) => {
        if (error?.killed) return resolve({ fault: 'locked' })
        resolve((parseEntry(stdout) as Answer | undefined) ?? { fault: 'other' })
      },
    )
    // A child that dies before it has read the question is detected by its missing answer.
    started.stdin?.on('error', () => {})
    started.stdin?.end(JSON.stringify({ ...question, module }))
  })
}

async function installedModule(): Promise<string | undefined> {
  const { createRequire } = await import('node:module')
  const { pathToFileURL } = await import('node:url')
  try {
    return pathToFileURL(createRequire(import.meta.url).resolve('@napi-rs/keyring')).href
  } catch {
    return undefined
  }
}

// Includes the session's address, but none of promo's own variables and none that change how Node starts. Windows knows them in
// any case.
function childEnv(env: Env): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !/^(PROMO|NODE)_/i.test(name)))
}

function parseEntry(text: string): unknown {
  try {
    return readJson(text)
  } catch {
    return undefined
  }
}

const reasons: Record<NonNullable<Answer['fault']>, string> = {
  missing: 'its module is not installed',
  session: 'no desktop session answers (D-Bus)',
  locked: 'it is locked or does not answer',
  long: 'it takes 2,560 bytes for a profile on Windows, and these secrets are longer',
  lost: 'a value that was written does not read back',
  other: 'it refused',
}

function unusable(fault: NonNullable<Answer['fault']>, act: Act): PromoError {
  const next = 'promo profiles add NAME --insecure-storage keeps the secrets in a file that only you can read'
  return new PromoError('config', `the keyring of this computer cannot be used: ${reasons[fault]}`, {
    hint: act === 'get' ? `unlock it and run this again, or set PROMO_APP_ID and PROMO_APP_TOKEN; ${next}` : next,
  })
}

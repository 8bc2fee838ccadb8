// Opens the store of the profiles' secrets: the operating system's keyring, or a file that only its owner can read.
import type { Env } from './folders.ts'
import type { SecretsKind } from './profile.ts'
import type { SecretStore } from './secret-set.ts'

export type { SecretStore, Secrets } from './secret-set.ts'

export interface SecretOptions {
  /** Holds PROMO_ALLOW_INSECURE_CONFIG, and the variables by which the keyring finds the desktop session. */
  env?: Env
  /** The user who must own the file; this process's user unless given. */
  uid?: number | undefined
  /** The time the keyring may take; as `keyringPatienceMs` unless given. */
  timeoutMs?: number
  /** Path or URL of the keyring's module; the installed one unless given. */
  keyringModule?: string
}

/** Opens the keyring, or the file in the settings folder. Nothing is read until one of its functions is called. */
export async function secretStore(kind: SecretsKind, dir: string, options: SecretOptions = {}): Promise<SecretStore> {
  const { env = process.env, uid = process.getuid?.(), keyringModule } = options
  if (kind === 'keyring') {
    const { keyring } = await import('./keyring.ts')
    const { timeoutMs = keyringPatienceMs(process.platform, process.stderr.isTTY) } = options
    return keyring({ env, timeoutMs, ...(keyringModule !== undefined && { module: keyringModule }) })
  }
  const { credentialsFile } = await import('./credentials-file.ts')
  return credentialsFile({ dir, secrets: { uid, allowInsecure: env.PROMO_ALLOW_INSECURE_CONFIG === '1' } })
}

/**
 * Returns how long the keyring may take to answer.
 *
 * On macOS it asks in a window whether this program may read a secret, and a person needs time for that. Elsewhere, and where no
 * person is, a keyring that does not answer is locked.
 */
export function keyringPatienceMs(platform: NodeJS.Platform, isTerminal: boolean): number {
  return platform === 'darwin' && isTerminal ? 60_000 : 3_000
}

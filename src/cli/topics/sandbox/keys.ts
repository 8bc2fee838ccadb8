// Keys of a user's own for `sandbox start`: from a file, or from the environment.
import { stat } from 'node:fs/promises'
import { ownRules, refuseExposedFile } from '../../../base/files/privacy.ts'
import { jsonFrom, jsonOf } from '../../request/json-file.ts'
import type { Host } from '../../run/host.ts'

/** The variable that holds them. */
export const keysVariable = 'PROMO_SANDBOX_KEYS'

/**
 * Returns the keys of `--keys-from`, else those in the environment, else undefined.
 *
 * Throws `input` for what is not JSON, and `config` (exit 4) for a file that others can read; one that belongs to root and that
 * others cannot change is a secret that was mounted.
 */
export async function keysOf(from: string | undefined, host: Pick<Host, 'stdin' | 'stop' | 'env'>): Promise<unknown> {
  if (from === undefined) {
    const text = host.env[keysVariable]
    return text === undefined || text === '' ? undefined : jsonOf(text, keysVariable)
  }
  const facts = from === '-' ? undefined : await stat(from).catch(() => undefined)
  const isMounted = facts?.uid === 0 && process.getuid?.() !== 0 && (facts.mode & 0o022) === 0
  if (facts?.isFile() && !isMounted) refuseExposedFile(from, facts, ownRules(host.env))
  return await jsonFrom(from, host, 64 * 1024)
}

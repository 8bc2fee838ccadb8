// What a token may do, as the user writes it.
import { nearest } from '../../../base/nearest.ts'
import { clientScopes, scopes, serverScopes } from '../../../contract/scopes.ts'
import { usageError } from '../../../errors.ts'
import type { Choice } from '../../prompt/needs.ts'

/**
 * Returns the scopes as the service expects them: separated by single spaces, each once.
 *
 * Throws `usage` for commas, with the correct form, for a scope that does not exist, and for none.
 */
export function scopesFrom(given: readonly string[]): string {
  const text = given.join(' ')
  const words = text.split(/[\s,]+/).filter((word) => word !== '')
  if (words.length === 0) throw usageError('--scope is empty', '--scope "campaigns vouchers"')
  for (const word of words) {
    if ((scopes as readonly string[]).includes(word)) continue
    const near = nearest(word, scopes)
    const hint = near === undefined ? `the scopes are ${scopes.join(', ')}` : `--scope ${near}`
    throw usageError(`there is no scope "${word}"`, hint)
  }
  const named = [...new Set(words)].join(' ')
  // After the names are checked, so that the suggested form works.
  if (text.includes(',')) throw usageError('scopes are separated by spaces, not commas', `--scope "${named}"`)
  return named
}

/** Returns every scope to choose from, those of the server side first. */
export async function scopeChoices(): Promise<Choice[]> {
  return [
    ...serverScopes.map((value) => ({ value, about: value === 'api' ? 'the entire server side' : 'server side' })),
    ...clientScopes.map((value) => ({
      value,
      about: value === 'client_api' ? 'the entire client side' : 'client side',
    })),
  ]
}

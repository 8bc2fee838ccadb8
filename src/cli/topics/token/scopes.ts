// What a token shall be allowed to do, as a person writes it.
import { clientScopes, scopes, serverScopes } from '../../../contract/scopes.ts'
import { usageError } from '../../../errors.ts'
import { nearest } from '../../flags/suggest.ts'
import type { Choice } from '../../prompt/needs.ts'

/**
 * Gives the scopes as the service takes them: separated by single spaces, each once.
 *
 * Throws `usage` for commas, with the form that was meant, for a scope that does not exist, and for none.
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
  // After the names, so that the form suggested is one that works.
  if (text.includes(',')) throw usageError('scopes are separated by spaces, not commas', `--scope "${named}"`)
  return named
}

/** Gives every scope to choose from, those of the server side first. */
export async function scopeChoices(): Promise<Choice[]> {
  return [
    ...serverScopes.map((value) => ({ value, about: value === 'api' ? 'the whole server side' : 'server side' })),
    ...clientScopes.map((value) => ({
      value,
      about: value === 'client_api' ? 'the whole client side' : 'client side',
    })),
  ]
}

import { Flags } from '@oclif/core'
import { nearest } from '../../base/nearest.ts'
import { writeCommand } from '../../cli/declared/write.ts'
import { outputFlags } from '../../cli/flags/flags.ts'
import { switchFlag } from '../../cli/flags/kinds.ts'
import type { Choice } from '../../cli/prompt/needs.ts'
import { withoutToken } from '../../cli/topics/token/shown.ts'
import { createToken } from '../../contract/oauth.ts'
import { clientScopes, scopes, serverScopes } from '../../contract/scopes.ts'
import { usageError } from '../../errors.ts'
import { tokenColumns } from '../../output/columns/tokens.ts'

export default writeCommand('Create a bearer token with some of the rights of the key pair', {
  description:
    'The token is valid for 15 minutes, and a project has at most a thousand. The token itself is printed only with --raw, which prints nothing else.',
  examples: [
    'promo token create --scope "campaigns vouchers" --profile sandbox',
    'export PROMO_ACCESS_TOKEN="$(promo token create --scope api --raw --profile sandbox)"',
  ],
  calls: [createToken],
  instead: 'promo token revoke --help',
  columns: tokenColumns,
  asks: { scope: { question: 'what may the token do?', choices: scopeChoices } },
  flags: {
    scope: Flags.string({
      multiple: true,
      multipleNonGreedy: true,
      description: 'what the token may do: scopes, with spaces; api is all server calls',
      helpValue: '"NAME NAME"',
      required: true,
    }),
    raw: switchFlag('print only the token itself', { exclusive: Object.keys(outputFlags) }),
  },
  request: ({ flags }) => ({ body: { grant_type: 'client_credentials' as const, scope: scopesFrom(flags.scope) } }),
  shown: (token, { flags }) => (flags.raw ? `${token.access_token}\n` : withoutToken(token)),
  tell: ({ say }, _, { flags }) => flags.raw || say('the token itself is printed only with --raw'),
})

/**
 * Returns the scopes as the service expects them: separated by single spaces, each once.
 *
 * Throws `usage` for commas, with the correct form, for a scope that does not exist, and for none.
 */
function scopesFrom(given: readonly string[]): string {
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
async function scopeChoices(): Promise<Choice[]> {
  return [
    ...serverScopes.map((value) => ({ value, about: value === 'api' ? 'the entire server side' : 'server side' })),
    ...clientScopes.map((value) => ({
      value,
      about: value === 'client_api' ? 'the entire client side' : 'client side',
    })),
  ]
}

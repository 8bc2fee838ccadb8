import { Flags } from '@oclif/core'
import { writeCommand } from '../../cli/declared.ts'
import { outputFlags } from '../../cli/flags/flags.ts'
import { switchFlag } from '../../cli/flags/kinds.ts'
import { scopeChoices, scopesFrom } from '../../cli/topics/token/scopes.ts'
import { withoutToken } from '../../cli/topics/token/shown.ts'
import { createToken } from '../../contract/oauth.ts'
import { tokenColumns } from '../../output/columns/tokens.ts'

export default writeCommand('Create a bearer token with some of the rights of the key pair', {
  description:
    'The token is valid for 15 minutes, and a project has at most a thousand. The token itself is printed only with --raw, which prints nothing else.',
  examples: [
    'promo token create --scope "campaigns vouchers" --profile sandbox',
    'export PROMO_ACCESS_TOKEN="$(promo token create --scope api --raw --profile sandbox)"',
  ],
  endpoint: createToken,
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
  shown: withoutToken,
  text: ({ flags }) => (flags.raw ? ({ access_token }) => `${access_token}\n` : undefined),
  said: (_, { flags }) => (flags.raw ? undefined : 'the token itself is printed only with --raw'),
})

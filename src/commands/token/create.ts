import { Flags } from '@oclif/core'
import { PromoCommand } from '../../cli/command.ts'
import { callFlags, outputFlags, writeFlags } from '../../cli/flags/flags.ts'
import { scopeChoices, scopesFrom } from '../../cli/topics/token/scopes.ts'
import { withoutToken } from '../../cli/topics/token/shown.ts'
import { createToken } from '../../contract/oauth.ts'
import { tokenColumns } from '../../output/columns/tokens.ts'

export default class Create extends PromoCommand {
  static override summary = 'Create a bearer token with some of the rights of the key pair'
  static override description =
    'The token is valid for 15 minutes, and a project has at most a thousand. The token itself is printed only with --raw, which prints nothing else.'
  static override examples = [
    'promo token create --scope "campaigns vouchers" --profile sandbox',
    'export PROMO_ACCESS_TOKEN="$(promo token create --scope api --raw --profile sandbox)"',
  ]
  static override effect = 'write' as const
  static override calls = [createToken]
  static override columns = tokenColumns
  static override asks = { scope: { question: 'what may the token do?', choices: scopeChoices } }
  static override flags = {
    ...callFlags,
    scope: Flags.string({
      multiple: true,
      multipleNonGreedy: true,
      description: 'what the token may do: scopes separated by spaces; api is the entire server side',
      helpValue: '"NAME NAME"',
      required: true,
    }),
    raw: Flags.boolean({ description: 'print only the token itself', exclusive: Object.keys(outputFlags) }),
    ...writeFlags,
  }

  async run() {
    const { flags } = await this.input(Create)
    const body = { grant_type: 'client_credentials', scope: scopesFrom(flags.scope) } as const
    const made = await this.writeOne(flags, {
      endpoint: createToken,
      request: { body },
      columns: Create.columns,
      shown: withoutToken,
      text: flags.raw ? ({ access_token }) => `${access_token}\n` : undefined,
    })
    if (made !== undefined && !flags.raw) this.messages(flags).say('the token itself is printed only with --raw')
  }
}

import { PromoCommand } from '../../cli/command.ts'
import { callFlags, writeFlags } from '../../cli/flags/flags.ts'
import { givenToken, tokenFlag } from '../../cli/topics/token/given-token.ts'
import { revokeToken } from '../../contract/oauth.ts'
import { tokenColumns } from '../../output/columns/tokens.ts'

export default class Revoke extends PromoCommand {
  static override summary = 'Revoke a token before it expires'
  static override description =
    'The token comes from --token-file, PROMO_ACCESS_TOKEN or stdin, and is never shown. A token that is unknown or no longer active is refused.'
  static override examples = [
    'promo token create --scope api --raw -p sandbox | promo token revoke -p sandbox',
    'promo token create --scope api --raw -p sandbox | promo token revoke --dry-run -p sandbox',
  ]
  static override effect = 'write' as const
  static override calls = [revokeToken]
  static override columns = tokenColumns
  static override flags = { ...callFlags, ...tokenFlag, ...writeFlags }

  async run() {
    const { flags } = await this.input(Revoke)
    const access_token = await givenToken(flags, this.host)
    await this.writeOne(flags, {
      endpoint: revokeToken,
      request: { body: { access_token } },
      columns: Revoke.columns,
      done: 'the token is revoked',
    })
  }
}

import { PromoCommand } from '../../cli/command.ts'
import { callFlags } from '../../cli/flags/flags.ts'
import { givenToken, tokenFlag } from '../../cli/topics/token/given-token.ts'
import { withoutToken } from '../../cli/topics/token/shown.ts'
import { introspectToken } from '../../contract/oauth.ts'
import { EXIT } from '../../errors.ts'
import { tokenColumns } from '../../output/columns/tokens.ts'

export default class Introspect extends PromoCommand {
  static override summary = 'Ask whether a token is active and what it may do'
  static override description =
    'The token comes from --token-file, PROMO_ACCESS_TOKEN or stdin, and is never shown. Exit code 12 means that it is not active: unknown, expired or revoked.'
  static override examples = [
    'promo token create --scope api --raw -p sandbox | promo token introspect -p sandbox',
    "promo token create --scope api --raw -p sandbox | promo token introspect --json --query 'expires_in' -p sandbox",
  ]
  static override calls = [introspectToken]
  static override columns = tokenColumns
  static override exits = [EXIT.no]
  static override flags = { ...callFlags, ...tokenFlag }

  async run() {
    const { flags } = await this.input(Introspect)
    const access_token = await givenToken(flags, this.host)
    const client = await this.connect(flags)
    const known = await client.call(introspectToken, { body: { access_token } })
    await this.emitOne(withoutToken(known), Introspect.columns, flags)
    if (!known.active) this.exitCode = EXIT.no
  }
}

import { PromoCommand } from '../../cli/command.ts'
import { usesSandboxFile } from '../../cli/exits.ts'
import { outputFlags } from '../../cli/flags/flags.ts'
import { argument, duration, textFlag } from '../../cli/flags/kinds.ts'
import { checked } from '../../cli/topics/webhooks/delivery.ts'
import { savedDelivery } from '../../cli/topics/webhooks/saved.ts'
import { secretFlags, webhookSecret } from '../../cli/topics/webhooks/secret.ts'
import { EXIT } from '../../errors.ts'
import { verdictColumns } from '../../output/columns/deliveries.ts'

export default class Verify extends PromoCommand {
  static override summary = 'Check offline whether a saved delivery was signed by the service'
  static override description =
    'The body must be the bytes that arrived: an editor or a JSON library may have changed them. Exit code 12 means that the signature is wrong.'
  static override examples = [
    `printf %s '{"type":"voucher.disabled"}' > body.json; echo secretKey | promo webhooks verify body.json --signature a48c150636220f13cf3545bf04f68ffefad1ff7e7c032218395282f6aacb7c0d --secret-stdin`,
    `printf %s '{"type":"voucher.disabled"}' > body.json; echo X-Voucherify-Signature: a48c150636220f13cf3545bf04f68ffefad1ff7e7c032218395282f6aacb7c0d > body.headers; echo secretKey | promo webhooks verify body.json --headers body.headers --secret-stdin --json`,
  ]
  static override effect = 'none' as const
  static override columns = verdictColumns
  static override exits = [usesSandboxFile, EXIT.no]
  static override args = { body: argument('the file of the body') }
  static override fileArgs = ['body']
  static override flags = {
    ...secretFlags,
    ...outputFlags,
    signature: textFlag('the value of the x-voucherify-signature header', 'HEX', {
      exactlyOne: ['signature', 'headers'],
    }),
    headers: textFlag('a file of header lines, as webhooks listen --record writes it', 'FILE', {
      exactlyOne: ['signature', 'headers'],
    }),
    'max-age': duration('refuse a delivery whose time differs from now by more than this', '5m'),
  }

  async run() {
    const { args, flags } = await this.input(Verify)
    const arrived = await savedDelivery(args.body, flags, this.host)
    const secret = await webhookSecret(flags, this)
    const verdict = checked(arrived, { secret, maxAgeMs: flags['max-age'], nowMs: this.host.now() })
    const isValid = verdict.is === 'genuine'
    const facts = isValid ? verdict.delivery : { reason: verdict.reason }
    await this.show.one({ valid: isValid, ...facts }, Verify.columns)
    if (!isValid) this.exitCode = EXIT.no
  }
}

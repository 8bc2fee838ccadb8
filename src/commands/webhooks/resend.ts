import { Args } from '@oclif/core'
import { shellWord } from '../../base/shell-word.ts'
import { PromoCommand } from '../../cli/command.ts'
import { usesSandboxFile } from '../../cli/exits.ts'
import { outputFlags } from '../../cli/flags/flags.ts'
import { switchFlag } from '../../cli/flags/kinds.ts'
import { mustKeepFiles } from '../../cli/flags/same-file.ts'
import { sendTarget } from '../../cli/topics/webhooks/forward.ts'
import { secretFlags, webhookSecret } from '../../cli/topics/webhooks/secret.ts'
import { headersFileOf, ifUnanswered, recordedDeliveries, sent, targetFlags } from '../../cli/topics/webhooks/send.ts'
import { EXIT, usageError } from '../../errors.ts'
import { sentColumns } from '../../output/columns/deliveries.ts'

export default class Resend extends PromoCommand {
  static override summary = 'Send recorded deliveries again'
  static override description =
    'The files are those of `webhooks listen --record`. Bytes and signature are sent as they arrived, in the order of the command line. A receiver that remembers ids refuses a delivery that it has seen, as `webhooks listen` does. Exit code 12: the receiver refused a delivery. Exit code 5: no answer within ten seconds.'
  static override examples = [
    'promo webhooks resend deliveries/*.body --url http://127.0.0.1:3000/hooks',
    'promo webhooks resend deliveries/1.body --sign --url http://127.0.0.1:3000/hooks --json',
  ]
  static override effect = 'local' as const
  static override columns = sentColumns
  static override exits = [usesSandboxFile, EXIT.no, EXIT.unavailable]
  static override args = {
    body: Args.string({
      description:
        'the file of a body; its headers are read from the file of the same name with .headers, which need not be named',
      ignoreStdin: true,
      multiple: true,
      required: true,
    }),
  }
  static override fileArgs = ['body']
  static override flags = {
    ...targetFlags,
    sign: switchFlag('sign again, because the body or the secret changed'),
    ...secretFlags,
    ...outputFlags,
  }

  async run() {
    const { args, flags } = await this.input(Resend)
    const url = sendTarget(flags.url, flags['allow-http'], this.host)
    const secret = flags.sign ? await webhookSecret(flags, this) : undefined
    // A folder that the shell spelt out has both files of each delivery.
    const bodies = args.body.filter((file) => !file.endsWith('.headers'))
    if (bodies.length === 0)
      throw usageError(
        'only files of headers are named',
        `promo webhooks resend deliveries/* --url ${shellWord(flags.url)}`,
      )
    mustKeepFiles(flags.out, bodies.map(headersFileOf))
    const deliveries = await recordedDeliveries(bodies, secret, this.host)
    const rows = sent(deliveries, { url, host: this.host, onExitCode: (code) => (this.exitCode = code) })
    await this.show.rows(rows, Resend.columns)
    ifUnanswered(this.exitCode, url, this.show)
  }
}

import { Flags } from '@oclif/core'
import { PromoCommand } from '../../cli/command.ts'
import { usesSandboxFile } from '../../cli/exits.ts'
import { count, duration, repeatable } from '../../cli/flags/kinds.ts'
import { listen } from '../../cli/topics/webhooks/listen.ts'
import { secretFlags } from '../../cli/topics/webhooks/secret.ts'
import { receivedColumns } from '../../output/columns/deliveries.ts'

export default class Listen extends PromoCommand {
  static override summary = 'Receive deliveries on this computer: check, show, record and forward them'
  static override description =
    'It listens on 127.0.0.1 only and prints one line for each delivery. A wrong signature is answered with 401, a replay with 409. With --forward-to, only deliveries that the other program accepts are answered with 200; the service sends the others again. Ctrl-C ends it.'
  static override examples = [
    'promo webhooks listen --port 8090 --profile sandbox',
    "promo webhooks listen --port 8090 --event 'voucher.*' --forward-to http://127.0.0.1:3000/hooks --record deliveries --jsonl --profile sandbox",
  ]
  static override effect = 'local' as const
  static override columns = receivedColumns
  static override exits = [usesSandboxFile]
  static override flags = {
    ...secretFlags,
    port: count({ default: 0, description: 'the port to listen on; 0 takes a free one', least: 0, most: 65_535 }),
    event: repeatable({
      description: "only these events; a name, several separated by commas, or a pattern like 'voucher.*'",
      helpValue: 'NAME',
    }),
    'forward-to': Flags.string({ description: 'forward each genuine delivery to this address', helpValue: 'URL' }),
    'forward-anywhere': Flags.boolean({
      dependsOn: ['forward-to'],
      description: 'allow an address that is not on this computer',
    }),
    record: Flags.string({
      description: 'write the bytes and the signature of each genuine delivery to this folder',
      helpValue: 'DIR',
    }),
    'max-age': duration({
      description: 'refuse a delivery whose time differs from now by more than this, like 5m (default: any)',
      helpValue: '5m',
    }),
    'max-body': count({
      default: 1_048_576,
      description: 'the largest body that is accepted, in bytes',
      least: 1,
      most: 33_554_432,
    }),
    jsonl: Flags.boolean({ description: 'print each delivery as a JSON object on a line of its own' }),
  }

  async run() {
    const { flags } = await this.input(Listen)
    await listen(flags, this.host)
  }
}

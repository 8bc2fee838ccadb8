import { PromoCommand } from '../../cli/command.ts'
import { usesSandboxFile } from '../../cli/exits.ts'
import { listen, listenFlags } from '../../cli/topics/webhooks/listen.ts'
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
  static override flags = listenFlags

  async run() {
    const { flags } = await this.input(Listen)
    await listen(flags, this.host)
  }
}

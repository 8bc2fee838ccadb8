import { PromoCommand } from '../../cli/command.ts'
import { usesSandboxFile } from '../../cli/exits.ts'
import { outputFlags } from '../../cli/flags/flags.ts'
import { argument } from '../../cli/flags/kinds.ts'
import { eventChoices, eventsNamed } from '../../cli/topics/webhooks/events.ts'
import { sendTarget } from '../../cli/topics/webhooks/forward.ts'
import { secretFlags, webhookSecret } from '../../cli/topics/webhooks/secret.ts'
import { ifUnanswered, samples, sent, targetFlags } from '../../cli/topics/webhooks/send.ts'
import { EXIT } from '../../errors.ts'
import { sentColumns } from '../../output/columns/deliveries.ts'

export default class Trigger extends PromoCommand {
  static override summary = 'Send a signed sample delivery of an event to an address'
  static override description =
    'To build a receiver: the event happens in a demo shop in memory, and is signed as the service signs it. No project is read or changed. Some events the embedded service never announces; their sample has only the objects that it knows, and a message says so. Exit code 12: the receiver refused a delivery. Exit code 5: no answer within ten seconds.'
  static override examples = [
    'promo webhooks trigger voucher.disabled --url http://127.0.0.1:3000/hooks --profile sandbox',
    "promo webhooks trigger 'redemption.*' --url http://127.0.0.1:3000/hooks --secret-stdin --jsonl < secret.txt",
  ]
  static override effect = 'local' as const
  static override columns = sentColumns
  static override exits = [usesSandboxFile, EXIT.no, EXIT.unavailable]
  static override args = { event: argument("an event, or a pattern like 'voucher.*'") }
  static override asks = { event: { question: 'which event?', choices: eventChoices } }
  static override flags = { ...targetFlags, ...secretFlags, ...outputFlags }

  async run() {
    const { args, flags } = await this.input(Trigger)
    const events = eventsNamed([args.event])
    const url = sendTarget(flags.url, flags['allow-http'], this.host)
    const secret = await webhookSecret(flags, this)
    const { warn } = this.show
    const deliveries = samples(events, { url, secret, host: this.host, warn })
    const rows = sent(deliveries, { url, host: this.host, onExitCode: (code) => (this.exitCode = code) })
    await this.show.rows(rows, Trigger.columns)
    ifUnanswered(this.exitCode, url, this.show)
  }
}

import { PromoCommand } from '../../cli/command.ts'
import { outputFlags } from '../../cli/flags/flags.ts'
import { webhookEvents } from '../../contract/webhook-events.ts'
import { webhookEventColumns } from '../../output/columns/webhooks.ts'

export default class Events extends PromoCommand {
  static override summary = 'List the events that a webhook can send'
  static override description =
    'Sends nothing to the service. Four names are spelt "aded" when a webhook is created, and "added" when it is shown and in deliveries; every command accepts both.'
  static override examples = ['promo webhooks events', 'promo webhooks events --csv --columns name,family']
  static override effect = 'none' as const
  static override columns = webhookEventColumns
  static override flags = { ...outputFlags }

  async run() {
    await this.input(Events)
    await this.show.rows(webhookEvents, Events.columns)
  }
}

import { PromoCommand } from '../../cli/command.ts'
import { outputFlags } from '../../cli/flags/flags.ts'
import { webhookEvents } from '../../contract/webhook-events.ts'
import { webhookEventColumns } from '../../output/columns/webhooks.ts'

export default class Events extends PromoCommand {
  static override summary = 'List the events that can be sent to an address'
  static override description =
    'Nothing is asked of the service. Four names are spelt "aded" where a webhook is made and "added" where it is shown and in what is delivered; every command takes both.'
  static override examples = [
    '<%= config.bin %> webhooks events',
    '<%= config.bin %> webhooks events --csv --columns name,family',
  ]
  static override effect = 'none' as const
  static override columns = webhookEventColumns
  static override flags = { ...outputFlags }

  async run() {
    const { flags } = await this.input(Events)
    await this.emit(webhookEvents, Events.columns, flags)
  }
}

import { PromoCommand } from '../../cli/command.ts'
import { listFlags, outputFlags, serviceFlags } from '../../cli/flags/flags.ts'
import { listing } from '../../cli/result/listing.ts'
import { projectFlag, projectOf } from '../../cli/session/project.ts'
import { listWebhooks } from '../../contract/webhooks.ts'
import { webhookColumns } from '../../output/columns/webhooks.ts'

export default class List extends PromoCommand {
  static override summary = 'List the webhooks of a project'
  static override description =
    'A webhook that is not active may have been switched off by the service, which does so after a day of failed deliveries.'
  static override examples = [
    '<%= config.bin %> webhooks list --profile sandbox',
    "<%= config.bin %> webhooks list --json --query '[?active].target_url' --profile sandbox",
  ]
  static override calls = [listWebhooks]
  static override columns = webhookColumns
  static override flags = { ...serviceFlags, ...projectFlag, ...outputFlags, ...listFlags }

  async run() {
    const { flags } = await this.input(List)
    const client = await this.connect(flags)
    const path = { projectId: projectOf(flags, client.profile) }
    const { pages, more } = listing(client, listWebhooks, { path }, flags)
    await this.emitPages(pages, List.columns, flags, { nothing: 'no webhooks found', more })
  }
}

import { Args } from '@oclif/core'
import { PromoCommand } from '../../cli/command.ts'
import { confirmFlags, dryRunFlag, outputFlags, serviceFlags } from '../../cli/flags/flags.ts'
import { projectFlag, projectOf } from '../../cli/session/project.ts'
import { deleteWebhook } from '../../contract/webhooks.ts'
import { webhookColumns } from '../../output/columns/webhooks.ts'

export default class Delete extends PromoCommand {
  static override summary = 'Delete a webhook'
  static override description = 'Deliveries that are waiting for another attempt are lost. Asks for confirmation.'
  static override examples = [
    '<%= config.bin %> webhooks delete wh_19b8d627a800000001 --yes --profile sandbox',
    '<%= config.bin %> webhooks delete wh_19b8d627a800000001 --dry-run --profile sandbox',
  ]
  static override effect = 'write' as const
  static override calls = [deleteWebhook]
  static override columns = webhookColumns
  static override args = {
    id: Args.string({ description: 'the id of a webhook', ignoreStdin: true, required: true }),
  }
  static override flags = { ...serviceFlags, ...projectFlag, ...outputFlags, ...confirmFlags, ...dryRunFlag }

  async run() {
    const { args, flags } = await this.input(Delete)
    await this.writeOne(flags, {
      endpoint: deleteWebhook,
      request: (profile) => ({ path: { projectId: projectOf(flags, profile), webhookId: args.id } }),
      columns: Delete.columns,
      question: `delete webhook "${args.id}"`,
      done: `deleted webhook "${args.id}"`,
    })
  }
}

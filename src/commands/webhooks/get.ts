import { Args } from '@oclif/core'
import { PromoCommand } from '../../cli/command.ts'
import { outputFlags, serviceFlags } from '../../cli/flags/flags.ts'
import { projectFlag, projectOf } from '../../cli/session/project.ts'
import { getWebhook } from '../../contract/webhooks.ts'
import { webhookColumns } from '../../output/columns/webhooks.ts'

export default class Get extends PromoCommand {
  static override summary = 'Show one webhook'
  static override examples = [
    '<%= config.bin %> webhooks get wh_19b8d627a800000001 --profile sandbox',
    "<%= config.bin %> webhooks get wh_19b8d627a800000001 --json --query 'events' --profile sandbox",
  ]
  static override calls = [getWebhook]
  static override columns = webhookColumns
  static override args = {
    id: Args.string({ description: 'the id of a webhook', ignoreStdin: true, required: true }),
  }
  static override flags = { ...serviceFlags, ...projectFlag, ...outputFlags }

  async run() {
    const { args, flags } = await this.input(Get)
    const client = await this.connect(flags)
    const path = { projectId: projectOf(flags, client.profile), webhookId: args.id }
    await this.emitOne(await client.call(getWebhook, { path }), Get.columns, flags)
  }
}

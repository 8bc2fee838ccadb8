import { Args, Flags } from '@oclif/core'
import { PromoCommand } from '../../cli/command.ts'
import { outputFlags, serviceFlags } from '../../cli/flags/flags.ts'
import { getTemplate } from '../../contract/templates.ts'
import { templateColumns } from '../../output/columns/templates.ts'

export default class Get extends PromoCommand {
  static override summary = 'Show one campaign template'
  static override examples = [
    '<%= config.bin %> templates get camp_tpl_19b8d627a800000001 --profile sandbox',
    '<%= config.bin %> templates get camp_tpl_19b8d627a800000001 --expand json_template --json --profile sandbox',
  ]
  static override calls = [getTemplate]
  static override columns = templateColumns
  static override args = {
    id: Args.string({ description: 'the id of the template', ignoreStdin: true, required: true }),
  }
  static override flags = {
    ...serviceFlags,
    ...outputFlags,
    expand: Flags.option({ description: 'also show what is created from it', options: ['json_template'] as const })(),
  }

  async run() {
    const { args, flags } = await this.input(Get)
    const client = await this.connect(flags)
    const request = { path: { campaignTemplateId: args.id }, query: { expand: flags.expand } }
    await this.emitOne(await client.call(getTemplate, request), Get.columns, flags)
  }
}

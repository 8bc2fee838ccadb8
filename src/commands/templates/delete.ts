import { Args } from '@oclif/core'
import { PromoCommand } from '../../cli/command.ts'
import { confirmFlags, dryRunFlag, outputFlags, serviceFlags } from '../../cli/flags/flags.ts'
import { deleteTemplate } from '../../contract/templates.ts'
import { templateColumns } from '../../output/columns/templates.ts'

export default class Delete extends PromoCommand {
  static override summary = 'Delete a campaign template'
  static override description = 'Campaigns and tiers created from it stay. Asks for confirmation.'
  static override examples = [
    '<%= config.bin %> templates delete camp_tpl_19b8d627a800000001 --yes --profile sandbox',
    '<%= config.bin %> templates delete camp_tpl_19b8d627a800000001 --dry-run --profile sandbox',
  ]
  static override effect = 'write' as const
  static override calls = [deleteTemplate]
  static override columns = templateColumns
  static override args = {
    id: Args.string({ description: 'the id of the template', ignoreStdin: true, required: true }),
  }
  static override flags = { ...serviceFlags, ...outputFlags, ...confirmFlags, ...dryRunFlag }

  async run() {
    const { args, flags } = await this.input(Delete)
    await this.writeOne(flags, {
      endpoint: deleteTemplate,
      request: { path: { campaignTemplateId: args.id } },
      columns: Delete.columns,
      question: `delete template "${args.id}"`,
      done: `deleted template "${args.id}"`,
    })
  }
}

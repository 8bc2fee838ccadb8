import { Flags } from '@oclif/core'
import { PromoCommand } from '../../cli/command.ts'
import { callFlags, writeFlags } from '../../cli/flags/flags.ts'
import { argument } from '../../cli/flags/kinds.ts'
import { updateTemplate } from '../../contract/templates.ts'
import { templateColumns } from '../../output/columns/templates.ts'

const changes = ['name', 'description', 'no-description']

export default class Update extends PromoCommand {
  static override summary = 'Change the name or the description of a campaign template'
  static override description = 'Campaigns and tiers created from it do not change.'
  static override examples = [
    'promo templates update camp_tpl_19b8d627a800000001 --name "Spring 2027" --profile sandbox',
    'promo templates update camp_tpl_19b8d627a800000001 --no-description --dry-run --profile sandbox',
  ]
  static override effect = 'write' as const
  static override calls = [updateTemplate]
  static override columns = templateColumns
  static override args = { id: argument('the id of the template') }
  static override flags = {
    ...callFlags,
    name: Flags.string({ atLeastOne: changes, description: 'the new name' }),
    description: Flags.string({
      atLeastOne: changes,
      description: 'the new description',
      exclusive: ['no-description'],
    }),
    'no-description': Flags.boolean({ atLeastOne: changes, description: 'remove the description' }),
    ...writeFlags,
  }

  async run() {
    const { args, flags } = await this.input(Update)
    const { name } = flags
    const description = flags['no-description'] ? null : flags.description
    await this.writeOne(flags, {
      endpoint: updateTemplate,
      request: { path: { campaignTemplateId: args.id }, body: { name, description } },
      columns: Update.columns,
    })
  }
}

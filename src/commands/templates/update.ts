import { Flags } from '@oclif/core'
import { writeCommand } from '../../cli/declared/write.ts'
import { argument, switchFlag } from '../../cli/flags/kinds.ts'
import { getTemplate, updateTemplate } from '../../contract/templates.ts'
import { templateColumns } from '../../output/columns/templates.ts'

const changes = ['name', 'description', 'no-description']

export default writeCommand('Change the name or the description of a campaign template', {
  description: 'Campaigns and tiers created from it do not change.',
  examples: [
    'promo templates update camp_tpl_19b8d627a800000001 --name "Spring 2027" --profile sandbox',
    'promo templates update camp_tpl_19b8d627a800000001 --no-description --dry-run --profile sandbox',
  ],
  calls: [updateTemplate, getTemplate],
  columns: templateColumns,
  args: { template: argument('a template, by id or name', 'template') },
  flags: {
    name: Flags.string({ atLeastOne: changes, description: 'the name' }),
    description: Flags.string({
      atLeastOne: changes,
      description: 'the description',
      exclusive: ['no-description'],
    }),
    'no-description': switchFlag('remove the description', { atLeastOne: changes }),
  },
  request: ({ args, flags }) => ({
    path: { campaignTemplateId: args.template },
    body: { name: flags.name, description: flags['no-description'] ? null : flags.description },
  }),
})

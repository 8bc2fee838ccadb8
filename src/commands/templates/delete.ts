import { writeCommand } from '../../cli/declared/write.ts'
import { argument } from '../../cli/flags/kinds.ts'
import { quotedValue } from '../../cli/prompt/asked-value.ts'
import { deleteTemplate, getTemplate } from '../../contract/templates.ts'

export default writeCommand('Delete a campaign template', {
  description: 'Campaigns and tiers created from it stay. Asks for confirmation.',
  examples: [
    'promo templates delete camp_tpl_19b8d627a800000001 --yes --profile sandbox',
    'promo templates delete camp_tpl_19b8d627a800000001 --dry-run --profile sandbox',
  ],
  calls: [deleteTemplate, getTemplate],
  args: { template: argument('a template, by id or name', 'template') },
  request: ({ args }) => ({ path: { campaignTemplateId: args.template } }),
  question: ({ typed }) => `delete template ${quotedValue(typed.template)}`,
  done: ({ typed }) => `deleted template "${typed.template}"`,
})

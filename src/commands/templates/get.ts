import { readCommand } from '../../cli/declared/read.ts'
import { argument, choiceFlag } from '../../cli/flags/kinds.ts'
import { getTemplate } from '../../contract/templates.ts'
import { templateColumns } from '../../output/columns/templates.ts'

export default readCommand('Show one campaign template', {
  examples: [
    'promo templates get camp_tpl_19b8d627a800000001 --profile sandbox',
    'promo templates get camp_tpl_19b8d627a800000001 --expand json_template --json --profile sandbox',
  ],
  calls: [getTemplate],
  columns: templateColumns,
  args: { template: argument('a template, by id or name', 'template') },
  flags: {
    expand: choiceFlag('also show what is created from it', ['json_template']),
  },
  request: ({ args, flags }) => ({ path: { campaignTemplateId: args.template }, query: { expand: flags.expand } }),
})

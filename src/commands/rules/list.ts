import { Flags } from '@oclif/core'
import { listCommand } from '../../cli/declared.ts'
import { listValidationRules } from '../../contract/validation-rules.ts'
import { ruleColumns } from '../../output/columns/resources/rules.ts'

export default listCommand({
  summary: 'List validation rules, newest first',
  examples: ['promo rules list --profile sandbox', 'promo rules list --json --profile sandbox'],
  endpoint: listValidationRules,
  columns: ruleColumns,
  noun: 'validation rules',
  flags: {
    order: Flags.option({
      description: 'the order of the rows; a leading - means descending',
      options: ['created_at', '-created_at', 'updated_at', '-updated_at'] as const,
    })(),
  },
  request: ({ flags }) => ({ query: { order: flags.order } }),
})

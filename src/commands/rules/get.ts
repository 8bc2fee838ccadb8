import { Args } from '@oclif/core'
import { readCommand } from '../../cli/declared.ts'
import { getValidationRule } from '../../contract/validation-rules.ts'
import { ruleColumns } from '../../output/columns/resources/rules.ts'

export default readCommand({
  summary: 'Show one validation rule: its conditions, its products, its message',
  examples: [
    'promo rules get val_19b8d627a800000001 --profile sandbox',
    'promo rules get val_19b8d627a800000001 --format yaml --profile sandbox',
  ],
  endpoint: getValidationRule,
  columns: ruleColumns,
  args: { id: Args.string({ description: 'the id of a validation rule', ignoreStdin: true, required: true }) },
  request: ({ args }) => ({ path: { validationRuleId: args.id } }),
})

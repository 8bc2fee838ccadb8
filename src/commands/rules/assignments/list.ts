import { Flags } from '@oclif/core'
import { listCommand } from '../../../cli/declared.ts'
import { listAssignments } from '../../../contract/validation-rules.ts'
import { assignmentColumns } from '../../../output/columns/resources/rules.ts'

export default listCommand({
  summary: 'List what validation rules are assigned to',
  examples: [
    'promo rules assignments list --profile sandbox',
    'promo rules assignments list --rule val_19b8d627a800000001 --json --profile sandbox',
  ],
  endpoint: listAssignments,
  columns: assignmentColumns,
  noun: 'assignments',
  flags: {
    rule: Flags.string({ description: 'only those of this validation rule', helpValue: 'ID' }),
    object: Flags.string({ description: 'only those of this campaign, tier or voucher', helpValue: 'ID' }),
    order: Flags.option({
      description: 'the order of the rows; a leading - means descending',
      options: ['created_at', '-created_at', 'updated_at', '-updated_at'] as const,
    })(),
  },
  request: ({ flags }) => ({ query: { rule: flags.rule, related_object_id: flags.object, order: flags.order } }),
})

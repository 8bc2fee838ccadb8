import { Args } from '@oclif/core'
import { writeCommand } from '../../cli/declared.ts'
import { unassignValidationRule } from '../../contract/validation-rules.ts'
import { assignmentColumns } from '../../output/columns/resources/rules.ts'

export default writeCommand({
  summary: 'Remove an assignment of a validation rule',
  description:
    'What it was assigned to is no longer restricted by the rule; promo rules assignments list names the assignments. Asks for confirmation.',
  examples: [
    'promo rules unassign val_19b8d627a800000001 asgm_19b8d627a800000001 --dry-run --profile sandbox',
    'promo rules unassign val_19b8d627a800000001 asgm_19b8d627a800000001 --yes --profile sandbox',
  ],
  endpoint: unassignValidationRule,
  columns: assignmentColumns,
  args: {
    id: Args.string({ description: 'the id of a validation rule', ignoreStdin: true, required: true }),
    assignment: Args.string({ description: 'the id of an assignment', ignoreStdin: true, required: true }),
  },
  request: ({ args }) => ({ path: { validationRuleId: args.id, assignmentId: args.assignment } }),
  question: ({ args }) => `remove the assignment "${args.assignment}" of validation rule "${args.id}"`,
  done: ({ args }) => `deleted assignment "${args.assignment}"`,
})

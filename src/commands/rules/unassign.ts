import { writeCommand } from '../../cli/declared/write.ts'
import { argument } from '../../cli/flags/kinds.ts'
import { quotedValue } from '../../cli/prompt/asked-value.ts'
import { listRuleAssignments, unassignValidationRule } from '../../contract/validation-rules.ts'

export default writeCommand('Remove an assignment of a validation rule', {
  description:
    'The campaign or code is no longer restricted by the rule. `promo rules assignments list` shows the assignments. Asks for confirmation.',
  examples: [
    'promo rules unassign val_19b8d627a800000001 asgm_19b8d627a800000001 --dry-run --profile sandbox',
    'promo rules unassign val_19b8d627a800000001 asgm_19b8d627a800000001 --yes --profile sandbox',
  ],
  calls: [unassignValidationRule, listRuleAssignments],
  args: { rule: argument('a validation rule, by id or name', 'rule'), assignment: argument('the id of an assignment') },
  request: ({ args }) => ({ path: { validationRuleId: args.rule, assignmentId: args.assignment } }),
  question: ({ typed }) =>
    `remove the assignment ${quotedValue(typed.assignment)} of validation rule ${quotedValue(typed.rule)}`,
  done: ({ args }) => `deleted assignment "${args.assignment}"`,
})

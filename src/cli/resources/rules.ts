// The commands of validation rules.
import * as rules from '../../contract/validation-rules.ts'
import { ruleColumns } from '../../output/columns/resources/rules.ts'
import { wholeNumber } from '../flags/values.ts'
import { resourceCommands } from '../resource.ts'

/** The commands of validation rules. */
export const ruleCommands = resourceCommands('rules', 'validation rule', {
  columns: ruleColumns,
  calls: {
    list: rules.listValidationRules,
    get: rules.getValidationRule,
    create: rules.createValidationRule,
    update: rules.updateValidationRule,
    delete: rules.deleteValidationRule,
  },
  named: {
    name: 'rule',
    about: 'a validation rule, by id or name',
    example: '"Orders above 20 euros"',
    names: 'rule',
  },
  members: {
    name: { about: 'its name', isNeeded: true },
    'per-customer': {
      about: 'how often one customer may redeem, as its only condition',
      path: 'rules.1.conditions.$less_than_or_equal',
      value: 'N',
      implies: ['rules.1.name=redemption.count.per_customer', 'rules.logic="1"'],
      as: (text) => [wholeNumber(text, 1, 1_000_000)],
      isFixed: true,
    },
    error: { about: 'what a customer is told when it is not met', path: 'error.message' },
  },
  samples: {
    create: [
      `--name "From 20 euros" --set 'rules={"1":{"name":"order.amount","conditions":{"$more_than":[2000]}},"logic":"1"}'`,
      '{"name":"Anything","rules":{},"error":{"message":"Not now"}}',
    ],
    update: ['--error "Only from 20 euros"', '{"name":"From 20 euros"}'],
  },
  summaries: {
    list: 'List validation rules, newest first',
    get: 'Show one validation rule: its conditions, its products, its message',
    create: 'Create a validation rule, which has no effect until it is assigned',
    update: 'Change a validation rule for everything it is assigned to; what is not named stays',
    delete: 'Delete a validation rule and its assignments',
  },
  descriptions: {
    create:
      'Conditions are numbered, and their logic says which must hold: "1 and (2 or 3)". promo rules assign puts it to use.',
    delete: 'What it was assigned to is no longer restricted by it. Asks for confirmation.',
  },
})

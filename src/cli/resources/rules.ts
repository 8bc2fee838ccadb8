// The commands of validation rules.

import { callsOf } from '../../contract/calls-about.ts'
import * as rules from '../../contract/validation-rules.ts'
import { usageError } from '../../errors.ts'
import { ruleColumns } from '../../output/columns/resources/rules.ts'
import { listCommand } from '../declared/list.ts'
import { orderFlag } from '../flags/order.ts'
import { inSmallestUnit } from '../request/body.ts'
import { resourceCommands } from '../resource.ts'
import { toldConditions } from '../topics/rules/conditions.ts'

const commands = resourceCommands('rules', 'validation rule', {
  columns: ruleColumns,
  calls: callsOf(rules, 'validation-rules'),
  named: {
    name: 'rule',
    about: 'a validation rule, by id or name',
    example: '"Orders above 20 euros"',
    names: 'rule',
  },
  members: {
    name: { about: 'the name', isNeeded: true },
    // ASSUMED A-P8: no body has such a member, so a rule says it, which outlives what it is assigned to and is made by itself.
    'per-customer': {
      about: 'how often one customer may redeem',
      condition: ['redemption.count.per_customer', '$less_than_or_equal'],
      value: 'N',
      as: numberOf('per-customer'),
      isFixed: true,
    },
    'min-amount': {
      about: 'only orders of at least this amount, in minor units (cents)',
      condition: ['order.amount', '$more_than_or_equal'],
      value: 'N',
      as: numberOf('min-amount'),
      isFixed: true,
    },
    segment: {
      about: 'only customers of this segment, by id or name',
      condition: ['customer.segment', '$is'],
      value: 'ID',
      names: 'segment',
      as: (text) => text,
      isFixed: true,
    },
    budget: {
      about: 'the most that all discounts of it take off, in minor units (cents)',
      condition: ['campaign.orders.amount_discounted', '$less_than_or_equal'],
      value: 'N',
      as: numberOf('budget'),
      isFixed: true,
    },
    products: {
      about: 'only these products, by id, source id or name, or SKUs, by id',
      path: 'applicable_to.included',
      takes: 'many',
      names: 'product',
      as: (id) => ({ object: id.startsWith('sku_') ? 'sku' : 'product', id }),
      isFixed: true,
    },
    error: { about: 'the message to a customer who does not meet it', path: 'error.message' },
  },
  texts: {
    get: { summary: 'Show one validation rule: its conditions, its products, its message' },
    create: {
      summary: 'Create a validation rule, which has no effect until it is assigned',
      description:
        'Everything that flags say must hold. --body describes any other condition: conditions have numbers, and logic combines them: "1 and (2 or 3)". Assign the rule with `promo rules assign`, or with --rules of what you create. The service counts the budget of a campaign; `campaigns summary` shows how much is used.',
      examples: [
        '--name "Regulars, from 50 euros" --segment Regulars --min-amount 5000 --products "House Blend,yirgacheffe"',
        '{"name":"From 20 euros","rules":{"1":{"name":"order.amount","conditions":{"$more_than":[2000]}},"logic":"1"}}',
      ],
    },
    update: {
      summary: 'Change a validation rule for everything it is assigned to; what is not named stays',
      examples: ['--error "Only from 20 euros"', '{"name":"From 20 euros"}'],
    },
    delete: {
      summary: 'Delete a validation rule and its assignments',
      description: 'Campaigns and codes that had it are no longer restricted by it. Asks for confirmation.',
    },
  },
})

/** The commands of validation rules. */
export const ruleCommands = {
  ...commands,
  'rules:list': listCommand('List validation rules, newest first', {
    examples: ['promo rules list --profile sandbox', 'promo rules list --json --profile sandbox'],
    calls: [rules.listValidationRules],
    columns: ruleColumns,
    told: toldConditions,
    noun: 'validation rules',
    flags: orderFlag(rules.listValidationRules),
    request: ({ flags: { order } }) => ({ query: { order } }),
  }),
}

/** Reads the number of a condition. Throws `usage`. */
function numberOf(flag: string): (text: string) => number {
  return (text) => {
    if (/^[1-9]\d{0,14}$/.test(text)) return Number(text)
    const meant = inSmallestUnit(text)
    const hint = meant === '' ? undefined : `--${flag} ${meant.slice(meant.lastIndexOf(' ') + 1)}`
    throw usageError(`--${flag} "${text}" is not a whole number above 0${flag === 'per-customer' ? '' : meant}`, hint)
  }
}

// The commands of earning rules: what a loyalty program gives points for.
import { callsOf, crud } from '../../contract/calls-about.ts'
import * as earning from '../../contract/earning-rules.ts'
import { earningRuleColumns } from '../../output/columns/resources/loyalty.ts'
import { resourceCommands } from '../resource.ts'
import { validityFlags } from '../topics/vouchers/members.ts'

/** The commands of earning rules. */
export const earningRuleCommands = resourceCommands('loyalty earning-rules', 'earning rule', {
  columns: earningRuleColumns,
  calls: callsOf(earning, 'loyalty.earning-rules', [...crud, 'enable', 'disable']),
  within: { name: 'campaign', about: 'a loyalty program, by id or name', example: '"Bean Club"', path: 'campaignId' },
  named: {
    name: 'rule',
    about: 'an earning rule, by id or banner',
    example: '"A point for every euro"',
    names: 'earning rule',
  },
  members: {
    event: {
      about: 'the event that earns points: order.paid, or a custom event',
      isNeeded: true,
      isFixed: true,
    },
    points: {
      about: 'the points for the event, or for each --every of an order',
      path: 'loyalty.points',
      beside: ['every', 'loyalty.order.total_amount.points'],
      value: 'N',
      isNeeded: true,
    },
    every: {
      about: 'the amount of an order that earns --points, in minor units (cents)',
      path: 'loyalty.order.total_amount.every',
      implies: ['loyalty.type=PROPORTIONAL', 'loyalty.calculation_type=ORDER_TOTAL_AMOUNT'],
      value: 'N',
    },
    banner: { about: 'the name that customers see', path: 'source.banner' },
    'validation-rule': {
      about: 'the validation rule that must be met, by id or name',
      path: 'validation_rule_id',
      value: 'ID',
      names: 'rule',
      mayBeNone: true,
    },
    active: { about: 'switched on', takes: 'switch' },
    ...validityFlags,
  },
  texts: {
    create: {
      description:
        'It takes effect at once unless --no-active is given. Points for other amounts than that of an order are described by "loyalty" in --body.',
      examples: [
        '--event order.paid --points 1 --every 100 --banner "A point for each euro"',
        '{"event":"order.paid","loyalty":{"type":"PROPORTIONAL","calculation_type":"ORDER_TOTAL_AMOUNT","order":{"total_amount":{"every":100,"points":1}}}}',
      ],
    },
    update: {
      description: 'The event, and the segment or tier it is about, cannot be changed: create another rule.',
      examples: ['--banner "A point for each euro"', '{"metadata":{"season":"summer"}}'],
    },
  },
})

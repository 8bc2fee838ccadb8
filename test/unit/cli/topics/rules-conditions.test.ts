import { expect, test } from 'vitest'
import { conditionsOf } from '../../../../src/cli/topics/rules/conditions.ts'

const amount = { name: 'order.amount', conditions: { $more_than: [2000], $less_than_or_equal: [5000] }, rules: {} }
const member = { name: 'customer.metadata', property: 'member', conditions: { $is: [true] }, rules: {} }
const codes = { name: 'redemption.metadata', property: 'shop', conditions: { $in: ['a', 'b'] } }

test.each<[string, object, string]>([
  ['one', { rules: { 1: member, logic: '1' } }, 'customer.metadata.member = true'],
  ['several operators', { rules: { 1: amount } }, 'order.amount > 2000 and <= 5000'],
  [
    'several, in the order of their logic',
    { rules: { 1: amount, 2: member, 3: codes, logic: '3 or (2 and 1)' } },
    'redemption.metadata.shop in a, b or (customer.metadata.member = true and order.amount > 2000 and <= 5000)',
  ],
  [
    'one about lines, which has conditions of its own',
    { rules: { 1: { name: 'order.items.any', conditions: {}, rules: { 1: amount, logic: '1' } }, logic: '1' } },
    'order.items.any …',
  ],
  [
    'none, about products',
    { rules: {}, applicable_to: { included: [{ id: 'prod_1' }, { id: 'prod_2' }] } },
    '2 products',
  ],
  [
    'both',
    { rules: { 1: member, logic: '1' }, applicable_to: { included: [{}] } },
    'customer.metadata.member = true; 1 product',
  ],
  ['none', { rules: {}, applicable_to: null }, ''],
  ['what an answer lacks', {}, ''],
  [
    'a number that no condition has',
    { rules: { 1: member, logic: '1 and 7' } },
    'customer.metadata.member = true and 7',
  ],
])('the conditions of a rule in one line: %s', (_, rule, words) => {
  expect(conditionsOf(rule)).toBe(words)
})

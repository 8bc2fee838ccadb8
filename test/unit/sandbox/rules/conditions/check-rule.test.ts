import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parseLogic } from '../../../../../src/contract/rule-logic.ts'
import { conditionNames, conditionOperators } from '../../../../../src/contract/validation-rules.ts'
import { ruleProblem } from '../../../../../src/sandbox/rules/conditions/check-rule.ts'
import { evaluateRules } from '../../../../../src/sandbox/rules/conditions/evaluate.ts'
import { operators } from '../../../../../src/sandbox/rules/conditions/operators.ts'
import { lineValues, quantifierOf } from '../../../../../src/sandbox/rules/conditions/order-lines.ts'
import type { RuleNode, ValidationRule } from '../../../../../src/sandbox/rules/conditions/rule.ts'
import { ruleSubjects } from '../../../../../src/sandbox/rules/conditions/subjects.ts'
import { ruleContext } from '../rule-context.ts'

const amount: RuleNode = { name: 'order.amount', conditions: { $more_than: [1000] } }
const items: RuleNode = { name: 'order.items.any', conditions: { $is: [{ id: 'prod_1', object: 'product' }] } }

function problemOf(...rules: RuleNode[]): string | undefined {
  const numbered = Object.fromEntries(rules.map((rule, index) => [String(index + 1), rule]))
  return ruleProblem({ rules: { ...numbered, logic: rules.map((_, index) => index + 1).join(' and ') } })
}

describe('a rule that is supported', () => {
  const sub = { name: 'order.items.aggregated_quantity', conditions: { $more_than: [2] } }

  test.each<[string, RuleNode]>([
    ['an order amount', amount],
    ['two operators', { name: 'order.initial_amount', conditions: { $more_than_or_equal: [1], $less_than: [9] } }],
    ['the alias of an operator', { name: 'order.total_amount', conditions: { $greater_than_or_equal: [1] } }],
    ['a segment', { name: 'customer.segment', conditions: { $is: ['seg_1'] } }],
    ['metadata', { name: 'customer.metadata', property: 'city', conditions: { $is: ['Paris', 5, true] } }],
    ['a date in metadata', { name: 'order.metadata', property: 'on', conditions: { $after: ['2026-01-01'] } }],
    ['a weekday', { name: 'redemption.metadata', property: 'on', conditions: { $dow: [0, 6] } }],
    ['a count per day', { name: 'redemption.count.per_customer.daily', conditions: { $less_than_or_equal: [1] } }],
    ['a count of a campaign', { name: 'campaign.redemptions.count.monthly', conditions: { $less_than: [9] } }],
    ['a budget', { name: 'campaign.orders.amount_discounted', conditions: { $less_than: [9] } }],
    ['the holder', { name: 'publication.redeemable_by_linked_customer', conditions: { $is: [true] } }],
    ['products', items],
    ['products with sub-rules', { ...items, rules: { '1': sub, logic: '1' } }],
    ['empty sub-rules and no property', { ...amount, rules: { logic: '' }, property: null, error: { message: 'no' } }],
  ])('%s', (_name, rule) => {
    expect(problemOf(rule)).toBeUndefined()
  })

  const cheapest = { source_id: null, effect: 'APPLY_TO_CHEAPEST', quantity_limit: 2 }
  const excluded = [{ object: 'sku', id: 'sku_1', amount_limit: 0, strict: false, price_formula: null }]

  test.each<[string, object]>([
    ['no rules at all', {}],
    ['empty logic', { rules: { logic: '' } }],
    [
      'a product part alone',
      {
        applicable_to: { included: [{ object: 'product', id: 'prod_1', ...cheapest }], excluded, included_all: false },
      },
    ],
  ])('%s', (_name, rule) => {
    expect(ruleProblem(rule)).toBeUndefined()
  })
})

describe('a rule that would be ignored is refused', () => {
  const on = (name: string, conditions: object): RuleNode => ({
    name,
    conditions: conditions as Record<string, unknown[]>,
  })
  const unsupported = (what: string) => `${what} not supported by the embedded service`
  const noOperator = (operator: string, name: string) => unsupported(`Operator '${operator}' of rule '${name}' is`)
  const noArray = "Operator '$is' of rule 'order.amount' needs an array of values"
  const discounted = on('product.discount_applicable', { $is: [true] })
  const hours = { ...on('order.metadata', { $timeframe_daily_hours: [] }), property: 'a' }

  test.each<[string, RuleNode, string]>([
    ['an unknown name', on('customer.loyalty_tier', { $is: ['x'] }), unsupported("Rule 'customer.loyalty_tier' is")],
    ['a name from JavaScript', { name: 'toString' }, unsupported("Rule 'toString' is")],
    ['a sub-rule name alone', on('order.items.quantity', { $is: [1] }), unsupported("Rule 'order.items.quantity' is")],
    [
      'an unknown sub-rule',
      { ...items, rules: { '1': discounted, logic: '1' } },
      unsupported("Rule 'product.discount_applicable' is"),
    ],
    [
      'sub-rules where none are evaluated',
      { ...amount, rules: { '1': amount, logic: '1' } },
      unsupported("Sub-rules of 'order.amount' are"),
    ],
    ['logic of no sub-rule', { ...items, rules: { logic: '1' } }, 'Logic names rule 1, which does not exist'],
    ['an unknown operator', on('order.amount', { $near: [5] }), noOperator('$near', 'order.amount')],
    [
      'an operator for dates on an amount',
      on('order.amount', { $after: ['2026-01-01'] }),
      noOperator('$after', 'order.amount'),
    ],
    [
      'a comparison of segments',
      on('customer.segment', { $contains: ['seg_1'] }),
      noOperator('$contains', 'customer.segment'),
    ],
    ['an operator that is not explained', hours, noOperator('$timeframe_daily_hours', 'order.metadata')],
    ['no conditions', { name: 'order.amount' }, "Rule 'order.amount' must have conditions"],
    ['conditions without values', on('order.amount', { $is: [] }), noArray],
    ['a value outside an array', on('order.amount', { $is: 5 }), noArray],
    [
      'metadata without a key',
      on('order.metadata', { $is: [1] }),
      "Rule 'order.metadata' must have required property 'property'",
    ],
    [
      'positive and negative product operators together',
      on('product.id', { $is: ['a'], $is_not: ['b'] }),
      "Operators '$is' and '$is_not' of rule 'product.id' need a rule each",
    ],
    ['a key that is not used', { ...amount, property: 'city' }, "Rule 'order.amount' takes no property"],
  ])('%s', (_name, rule, expected) => {
    expect(problemOf(rule)).toBe(expected)
  })

  test.each<[string, Record<string, unknown[]>]>([
    ['order.amount', { $more_than: ['1000'] }],
    ['order.amount', { $is: ['1000'] }],
    ['customer.segment', { $is: [5] }],
    ['publication.redeemable_by_linked_customer', { $is: ['true'] }],
    ['order.metadata', { $is: [{}] }],
    ['order.metadata', { $after: ['soon'] }],
    ['order.metadata', { $starts_with: [5] }],
    ['order.metadata', { $dow: [7] }],
    ['order.metadata', { $is_days_ago: [-1] }],
    ['order.metadata', { $count: [1.5] }],
    ['order.items.any', { $is: [{}] }],
    ['order.items.any', { $is: [{ id: 'brand_1', object: 'brand' }] }],
  ])('a value of the wrong type in %s %j', (name, conditions) => {
    const property = name === 'order.metadata' ? 'a' : null

    const problem = /^Operator '.*' of rule '.*' has a value of the wrong type$/
    expect(problemOf({ name, property, conditions })).toMatch(problem)
  })

  test.each<[string, ValidationRule['rules'], string]>([
    ['missing logic', { '1': amount }, "Rules must have required property 'logic'"],
    ['a rule that is missing', { '1': amount, logic: '1 and 2' }, 'Logic names rule 2, which does not exist'],
    ['an open bracket', { '1': amount, logic: '(1' }, 'Invalid logic: logic ends too early'],
    ['two numbers side by side', { '1': amount, logic: '1 1' }, "Invalid logic: logic has an unexpected '1'"],
    ['a word', { '1': amount, logic: 'not 1' }, 'Invalid logic: logic has something unexpected at 0'],
    ['a rule under a name', { first: amount, logic: '' }, "Rule 'first' must be a number with a name and conditions"],
    ['a text for a rule', { '1': 'order.amount', logic: '1' }, "Rule '1' must be a number with a name and conditions"],
  ])('%s', (_name, rules, expected) => {
    expect(ruleProblem(rules ? { rules } : {})).toBe(expected)
  })

  test.each<[object, string]>([
    [{ object: 'product' }, "Property .applicable_to.included[0] must have required property 'id'"],
    [{ object: 'brand', id: 'x' }, '.included[0].object must be one of product, sku, products_collection'],
    [{ object: 'sku', id: 'x', effect: 'APPLY_TO_SOME' }, '.included[0].effect must be one of APPLY_TO_EVERY'],
    [{ object: 'sku', id: 'x', repeat: -1 }, '.included[0].repeat must be a whole number'],
    [{ object: 'sku', id: 'x', amount_limit: null }, '.included[0].amount_limit must be a whole number'],
    [{ object: 'sku', id: '' }, '.included[0].id must be string'],
    [{ object: 'sku', id: 'x', strict: true }, unsupported('.included[0].strict is')],
    [{ object: 'sku', id: 'x', price_formula: '5' }, unsupported('.included[0].price_formula is')],
  ])('the product part %j', (entry, expected) => {
    expect(ruleProblem({ applicable_to: { included: [entry as never] } })).toContain(expected)
  })
})

test('logic in more than a hundred brackets is refused', () => {
  const nested = (depth: number) => ({ rules: { '1': amount, logic: `${'('.repeat(depth)}1${')'.repeat(depth)}` } })

  expect(ruleProblem(nested(100))).toBeUndefined()
  expect(ruleProblem(nested(101))).toBe('Invalid logic: logic has more than 100 nested brackets')
})

test('no text makes logic throw anything but a SyntaxError, or hang', () => {
  const words = fc.constantFrom('(', ')', ' ', '1', '2', '12', ' and ', ' or ', 'AND', 'andor', '\n', 'x')
  const texts = fc.oneof(
    fc.string({ maxLength: 10_000, unit: 'binary' }),
    fc.array(words, { maxLength: 1000 }).map((parts) => parts.join('')),
  )

  fc.assert(
    fc.property(texts, (logic) => {
      const rule = { id: 'val_1', rules: { '1': amount, '2': amount, logic } }

      expect(['string', 'undefined']).toContain(typeof ruleProblem(rule))
      expect(typeof evaluateRules([rule], ruleContext()).satisfied).toBe('boolean')
    }),
    { numRuns: 30 },
  )
})

test('logic agrees with the same logic in JavaScript', () => {
  const names = ['1', '2', '3']
  const expression = fc.letrec<{ node: string }>((tie) => ({
    node: fc.oneof(
      { maxDepth: 6 },
      fc.constantFrom(...names),
      fc
        .tuple(tie('node'), fc.constantFrom('and', 'OR'), tie('node'))
        .map(([left, join, right]) => `${left} ${join} ${right}`),
      fc
        .tuple(tie('node'), fc.constantFrom('and', 'or'), tie('node'))
        .map(([left, join, right]) => `(${left} ${join} ${right})`),
    ),
  })).node

  fc.assert(
    fc.property(expression, fc.uniqueArray(fc.constantFrom(...names)), (logic, holding) => {
      const flag: RuleNode = { name: 'redemption.metadata', property: 'holding', conditions: { $contains: [1] } }
      const rule = (number: string): RuleNode => ({ ...flag, conditions: { $contains: [number] } })
      const rules = { '1': rule('1'), '2': rule('2'), '3': rule('3'), logic }

      const verdict = evaluateRules([{ id: 'val_1', rules }], ruleContext({ metadata: { holding } }))

      expect(verdict.satisfied).toBe(inOrOfAnds(logic, holding))
    }),
  )
})

/** An oracle by rewriting: innermost brackets become t or f, "and" before "or", until one letter remains. */
function inOrOfAnds(logic: string, holding: string[]): boolean {
  const value = (text: string) =>
    text.split(' or ').some((part) => part.split(' and ').every((word) => word === 't')) ? 't' : 'f'
  let text = logic.toLowerCase().replaceAll(/\d/g, (number) => (holding.includes(number) ? 't' : 'f'))
  while (text.includes('(')) text = text.replaceAll(/\(([^()]*)\)/g, (_, inner: string) => value(inner))
  return value(text) === 't'
}

test('empty logic names no rule', () => {
  expect(parseLogic('')).toBeUndefined()
  expect(parseLogic(' \n ')).toBeUndefined()
})

test('what the embedded service evaluates is published, and what is published and not evaluated is known', () => {
  const evaluated = [...Object.keys(ruleSubjects), ...Object.keys(lineValues)]
  const ofLines = conditionNames.filter((name) => quantifierOf({ name, conditions: {} }) !== undefined)

  expect(conditionNames.toSorted()).toEqual([...evaluated, ...ofLines, 'discount_applicable'].toSorted())
  expect(conditionOperators.filter((operator) => !Object.hasOwn(operators, operator))).toEqual([
    '$timeframe_absolute',
    '$timeframe_daily_hours',
    '$from',
  ])
  expect(Object.keys(operators).filter((operator) => !conditionOperators.includes(operator))).toEqual([])
})

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { evaluateFormula, formulaProblem } from '../../../../../src/sandbox/rules/pricing/formula/parse.ts'
import type { FormulaContext } from '../../../../../src/sandbox/rules/pricing/formula/values.ts'
import { orderLine, orderState } from '../rule-context.ts'

const line = orderLine({
  product_id: undefined,
  quantity: 3,
  initial_quantity: 3,
  price: 1250,
  amount: 3750,
  initial_amount: 3750,
  discount_amount: 250,
})

const order = orderState({
  amount: 20_010,
  items: [line, { ...line, quantity: 4 }],
  metadata: { gift: 5, city: 'Paris', tags: ['new', 'vip'] },
})

const empty: FormulaContext = { metadata: {}, redeemableMetadata: {} }
const full: FormulaContext = {
  order,
  line,
  customer: { metadata: { age: 40, tier: 'gold', subscriber: true, nothing: null } },
  metadata: { card: 'Visa' },
  redeemableMetadata: { factor: 1.5 },
}

test.each([
  ['1', 1],
  ['1 + 2 * 3', 7],
  ['(1 + 2) * 3', 9],
  ['10 - 4 - 3', 3],
  ['64 / 4 / 2', 8],
  ['17 % 5', 2],
  ['-3 + 5', 2],
  ['2 - -3', 5],
  ['--2', 2],
  ['.5 * 4', 2],
  ['MIN(4; 2; 3)', 2],
  ['MAX(4; 2; 3)', 4],
  ['MIN(7)', 7],
  ['MAX(7)', 7],
  ['POW(2; 10)', 1024],
  ['ROUND(2.5)', 3],
  ['ROUND(1.005; 2)', 1.01],
  ['ROUND(1234; -2)', 1200],
  ['ROUND(0.1234567890123; 12)', 0.123456789012],
  ['FLOOR(2.99)', 2],
  ['FLOOR(2.989; 2)', 2.98],
  ['FLOOR(0.3 / 0.1)', 3],
  ['CEIL(2.01)', 3],
  ['CEIL(2300 / (2.3 * 100))', 10],
  ['CEIL(2.011; 2)', 2.02],
  ['IF(1 < 2; 10; 20)', 10],
  ['IF(1 >= 2; 10; 20)', 20],
  ['IF(2 <= 2; 10; 20)', 10],
  ['IF(2 > 2; 10; 20)', 20],
  ['IF(2 != 3; 10; 20)', 10],
  ['IF(2 > 1 and 2 = 2; 10; 20)', 10],
  ['IF(2 != 2 or 1 == 1; 10; 20)', 10],
  ['IF(not (2 <> 2); 10; 20)', 10],
  ['IF(TRUE; IF(false; 1; 2); 3)', 2],
  ['if(true; min(1;2); 3)', 1],
  ['IF("a" is "a"; 1; 0)', 1],
  ["IF('a' is not 'a'; 1; 0)", 0],
  ['IF("abc" contains "b"; 1; 0)', 1],
  ['IF("abc" does not contain "b"; 1; 0)', 0],
  ['IF("abc" not_contains "x"; 1; 0)', 1],
  ['IF("abc" starts with "ab"; 1; 0)', 1],
  ['IF("abc" starts_with "b"; 1; 0)', 0],
  ['IF("abc" ends with "bc"; 1; 0)', 1],
  ['IF("abc" ends_with "b"; 1; 0)', 0],
])('%s is %d without any context', (text, expected) => {
  expect(formulaProblem(text)).toBeUndefined()
  expect(evaluateFormula(text, empty)).toBe(expected)
})

test.each([
  ['ORDER_AMOUNT', 200.1],
  ['order_amount', 200.1],
  ['ORDER_AMOUNT * 0.5', 100.05],
  ['ORDER_ITEMS_QUANTITY', 2],
  ['ORDER_UNITS_QUANTITY', 7],
  ['ORDER_ITEM_PRICE', 12.5],
  ['ORDER_ITEM_AMOUNT', 37.5],
  ['ORDER_ITEM_SUBTOTAL', 35],
  ['ORDER_ITEM_UNITS_QUANTITY', 3],
  ['CUSTOMER_METADATA("age") + 1', 41],
  ['ORDER_METADATA("gift")', 5],
  ['REDEEMABLE_METADATA("factor") * 2', 3],
  ['IF(REDEMPTION_METADATA("card") is "Visa"; 15; 0)', 15],
  ['IF(CUSTOMER_METADATA("subscriber"); 7; 0)', 7],
  ['IF(ORDER_METADATA("tags") contains "vip"; 20; 10)', 20],
  ['IF(ORDER_METADATA("tags") does not contain "old"; 20; 10)', 20],
  ['DEFAULT_TO(CUSTOMER_METADATA("absent"); 9)', 9],
  ['DEFAULT_TO(CUSTOMER_METADATA("nothing"); 9)', 9],
  ['DEFAULT_TO(CUSTOMER_METADATA("age"); 9)', 40],
  ['DEFAULT_TO(CUSTOMER_METADATA("toString"); 9)', 9],
])('%s is %d in major units of the order and from metadata', (text, expected) => {
  expect(evaluateFormula(text, full)).toBe(expected)
})

test.each([
  'ORDER_AMOUNT',
  'ORDER_UNITS_QUANTITY',
  'ORDER_ITEM_PRICE',
  'CUSTOMER_METADATA("age")',
  'REDEMPTION_METADATA("card")',
  'REDEMPTION_METADATA("card") is "Visa"',
  '1 / 0',
  '1 / (1 / 0)',
  '1 / POW(10; 1000)',
  '0 % 0',
  'POW(10; 1000)',
  '"text"',
  '1 = 1',
  '1 + "1"',
  'IF(1; 2; 3)',
  'IF("a" and true; 2; 3)',
  'ROUND(1.5; 0.5)',
  'ROUND(1.5; 13)',
  'IF(REDEMPTION_METADATA("card") is "Visa"; 1; 2)',
  'not 1',
])('%s cannot be evaluated without the context it needs, so it has no value', (text) => {
  expect(formulaProblem(text)).toBeUndefined()
  expect(evaluateFormula(text, empty)).toBeUndefined()
})

test('a branch that is not taken does not affect the value', () => {
  expect(evaluateFormula('IF(ORDER_AMOUNT > 100; 5; 1 / CUSTOMER_METADATA("absent"))', full)).toBe(5)
  expect(evaluateFormula('IF(true or CUSTOMER_METADATA("absent") > 1; 5; 6)', full)).toBe(5)
})

describe('a formula that is refused when it is stored', () => {
  test.each([
    ['', 'the formula ends too early'],
    ['1 +', 'the formula ends too early'],
    ['(1', 'the formula ends too early'],
    ['1)', "unexpected ')' at 1"],
    ['1 2', "unexpected '2' at 2"],
    ['MIN(1, 2)', "unexpected ',' at 5: arguments are separated by ';'"],
    ['1 + #', "unexpected '#' at 4"],
    ['"open', 'the text that starts at 0 has no end'],
    ['SQRT(4)', "'SQRT' at 0 is not supported by the embedded service"],
    ['ORDER_TOTAL + 1', "'ORDER_TOTAL' at 0 is not supported by the embedded service"],
    ['constructor', "'constructor' at 0 is not supported by the embedded service"],
    ['IF(1 = 1; 2)', 'IF takes 3 arguments, not 2'],
    ['ROUND(1; 2; 3)', 'ROUND takes 1 to 2 arguments, not 3'],
    ['CUSTOMER_METADATA(age)', 'CUSTOMER_METADATA needs a key in quotes at 18'],
    ['CUSTOMER_METADATA', 'the formula ends too early'],
    ['1 < 2 < 3', "unexpected '<' at 6"],
    ['"a" starts "b"', "unexpected 'b' at 11"],
  ])('%s: %s', (text, expected) => {
    expect(formulaProblem(text)).toBe(expected)
    expect(evaluateFormula(text, full)).toBeUndefined()
  })

  test('more than two thousand characters', () => {
    expect(formulaProblem(`${' '.repeat(1999)}1`)).toBeUndefined()
    expect(formulaProblem(`${' '.repeat(2000)}1`)).toBe('the formula has more than 2000 characters')
  })

  test('more than a hundred nested brackets', () => {
    expect(formulaProblem(`${'('.repeat(100)}1${')'.repeat(100)}`)).toBeUndefined()
    expect(formulaProblem(`${'('.repeat(101)}1${')'.repeat(101)}`)).toBe('more than 100 nested brackets')
  })
})

test.each([
  ['a long sum', Array(1000).fill('1').join('+'), 1000],
  ['many signs', `${'-'.repeat(1998)}1`, 1],
  ['many alternatives', `IF(${Array(240).fill('1=2').join(' or ')};1;2)`, 2],
  ['many negations', `IF(${'not '.repeat(480)}true;1;2)`, 1],
])('%s is evaluated without a stack overflow', (_name, text, expected) => {
  expect(evaluateFormula(text, empty)).toBe(expected)
})

test('no text makes a formula throw or hang', () => {
  const words = fc.constantFrom(...`( ) ; + - " ' 1 .5 IF( MIN( ORDER_AMOUNT is not`.split(' '), ' ')
  const texts = fc.oneof(
    fc.string({ maxLength: 10_000, unit: 'binary' }),
    fc.array(words, { maxLength: 1000 }).map((parts) => parts.join('')),
  )

  fc.assert(
    fc.property(texts, (text) => {
      const value = evaluateFormula(text, full)

      expect(value === undefined || Number.isFinite(value)).toBe(true)
      expect(['string', 'undefined']).toContain(typeof formulaProblem(text))
    }),
    { numRuns: 30 },
  )
})

test('arithmetic agrees with the same arithmetic in JavaScript, and ends at a division by zero', () => {
  type Node = { text: string; value: number }
  const signs: Record<string, (left: number, right: number) => number> = {
    '+': (left, right) => left + right,
    '-': (left, right) => left - right,
    '*': (left, right) => left * right,
    '/': (left, right) => (right === 0 ? Number.NaN : left / right),
  }
  const expression = fc.letrec<{ node: Node }>((tie) => ({
    node: fc.oneof(
      { maxDepth: 5 },
      fc.nat(100).map((value) => ({ text: String(value), value })),
      fc.tuple(tie('node'), fc.constantFrom(...Object.keys(signs)), tie('node')).map(([left, sign, right]) => ({
        text: `(${left.text} ${sign} ${right.text})`,
        value: signs[sign]?.(left.value, right.value) ?? Number.NaN,
      })),
    ),
  })).node

  fc.assert(
    fc.property(expression, ({ text, value }) => {
      expect(evaluateFormula(text, empty)).toBe(Number.isFinite(value) ? value : undefined)
    }),
  )
})

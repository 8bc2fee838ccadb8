import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readLosslessJson } from '../../../src/base/lossless-json.ts'

test.each([
  '{"a":9007199254740993}',
  '{"a":-9007199254740993,"b":[123456789012345678901234567890]}',
  '{"a":1e400}',
  '{"a":-0}',
  '{"a":0.1234567890123456789}',
])('%s prints as it was sent', (text) => {
  expect(JSON.stringify(readLosslessJson(text).exact)).toBe(text)
})

test.each([
  ['{"a":1.0}', { a: 1 }],
  ['{"a":1e2}', { a: 100 }],
  ['{"a":0.30000000000000004}', { a: 0.30000000000000004 }],
  ['{"a":9007199254740991}', { a: 9007199254740991 }],
  ['{"a":"9007199254740993"}', { a: '9007199254740993' }],
  ['{"a":0}', { a: 0 }],
])('%s holds ordinary numbers', (text, value) => {
  expect(readLosslessJson(text).exact).toEqual(value)
})

test('a number beyond the safe range is checked as the largest safe one', () => {
  expect(readLosslessJson('{"a":9007199254740993,"b":-1e400}').plain).toEqual({
    a: 9007199254740991,
    b: -9007199254740991,
  })
})

test('sixty-four levels are read and sixty-five are refused', () => {
  expect(readLosslessJson('['.repeat(64) + ']'.repeat(64)).plain).toBeInstanceOf(Array)
  expect(() => readLosslessJson('['.repeat(65) + ']'.repeat(65))).toThrow(RangeError)
})

test('a hundred thousand levels end in an error and not in a crash', () => {
  expect(() => readLosslessJson('['.repeat(100_000) + ']'.repeat(100_000))).toThrow()
})

test('a member named __proto__ stays data', () => {
  const { exact } = readLosslessJson('{"__proto__":{"polluted":1e400},"constructor":{"prototype":{"polluted":true}}}')

  expect(JSON.stringify(exact)).toBe('{"__proto__":{"polluted":1e400},"constructor":{"prototype":{"polluted":true}}}')
  expect(({} as { polluted?: unknown }).polluted).toBeUndefined()
})

test('every document that JavaScript can hold comes back equal', () => {
  fc.assert(
    fc.property(fc.json(), (text) => {
      const { exact, plain } = readLosslessJson(text)
      expect(JSON.parse(JSON.stringify(exact))).toEqual(JSON.parse(text))
      expect(JSON.parse(JSON.stringify(plain))).toEqual(JSON.parse(JSON.stringify(JSON.parse(text))))
    }),
    { numRuns: 500 },
  )
})

test('every decimal number keeps its value to the last digit', () => {
  const number = fc.tuple(
    fc.constantFrom('', '-'),
    fc.stringMatching(/^[1-9]\d{0,30}$/),
    fc.stringMatching(/^\d{1,30}$/),
  )
  fc.assert(
    fc.property(number, ([sign, whole, fraction]) => {
      const printed = JSON.stringify(readLosslessJson(`[${sign}${whole}.${fraction}]`).exact).slice(1, -1)
      expect(plainDecimal(printed)).toBe(plainDecimal(`${sign}${whole}.${fraction}`))
    }),
    { numRuns: 1000 },
  )
})

function plainDecimal(text: string): string {
  const [mantissa = '', exponent = '0'] = text.split('e')
  const [whole = '', fraction = ''] = mantissa.split('.')
  const shift = Number(exponent)
  const digits = `${whole}${fraction.padEnd(shift, '0')}`
  const point = whole.length + shift
  return `${digits.slice(0, point)}.${digits.slice(point)}`.replace(/\.?0*$/, '')
}

test('thirty megabytes of brackets are refused before they become arrays', () => {
  const text = `{"a":"[[\\"[["${',"b":"]"'.repeat(2)},"c":${'['.repeat(30_000_000)}`

  // Cut off, so a parser would have named the end; the depth is found without one.
  expect(() => readLosslessJson(text)).toThrow(RangeError)
})

test('a long text that only contains brackets inside texts is read', () => {
  const text = JSON.stringify({ a: `${'['.repeat(2_000_000)}\\"{`, b: [1] })

  expect(readLosslessJson(text).plain).toMatchObject({ b: [1] })
})

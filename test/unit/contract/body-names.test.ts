// The names that files are compared with are those that the embedded service computes.
import { expect, test } from 'vitest'
import { filterFields } from '../../../src/contract/body-filters.ts'
import { formulaNames, formulaWords } from '../../../src/contract/formulas.ts'
import { comparisons, functions } from '../../../src/sandbox/rules/pricing/formula/operators.ts'
import { metadataValues, values } from '../../../src/sandbox/rules/pricing/formula/values.ts'
import { compileFilters } from '../../../src/sandbox/storage/filters.ts'
import { customers } from '../../../src/sandbox/stores/customers.ts'
import { products } from '../../../src/sandbox/stores/products.ts'

test('of formulas', () => {
  expect(formulaNames.toSorted()).toEqual(Object.keys({ ...values, ...metadataValues, ...functions }).toSorted())
  const words = Object.keys(comparisons).flatMap((name) => name.match(/[a-z]+/g) ?? [])
  expect(words.filter((word) => !formulaWords.includes(word))).toEqual([])
})

test.each([
  ['segments', customers],
  ['product-collections', products],
] as const)('of the filter of %s', (kind, declared) => {
  let refusal = ''
  try {
    compileFilters(declared, { nonsense: { conditions: { $is: ['x'] } } }, '2026-01-01T00:00:00.000Z')
  } catch (error) {
    refusal = (error as Error).message
  }

  const known = (refusal.split('filtered by: ')[1] ?? '').split(', ').map((field) => field.split('.', 1)[0] ?? '')
  expect(known).toContain('name')
  expect(known.filter((field) => !filterFields[kind]?.includes(field))).toEqual([])
})

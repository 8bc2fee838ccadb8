// The filters of a qualification. Source: docs/service/qualifications.md#filters.
import { isRecord } from '../../../base/record.ts'
import { meets, type ZonedNow } from '../conditions/operators.ts'

/** The fields that offers can be filtered by; a field may have several values, or none. */
const offerFields = [
  'resource_type',
  'resource_id',
  'campaign_id',
  'campaign_type',
  'category_id',
  'voucher_type',
  'code',
  'holder_role',
] as const

/** What the filters see of an offer. */
export type OfferFacts = Partial<Record<(typeof offerFields)[number], string | string[] | undefined>>

const operators = ['$is', '$is_not', '$in', '$not_in', '$contains', '$starts_with', '$ends_with']

// ASSUMED A1733: more values in a filter of a qualification are refused: each code that it names is evaluated at once.
const mostValues = 1_000

type Test = (facts: OfferFacts) => boolean

/** A filter as the contract takes it: `{field: {conditions: {$operator: values}}, junction}`. */
export interface OfferFilter {
  matches: Test
  /** The only codes, or ids, that can match, where the filter names them; they are looked up directly. */
  codes?: string[]
}

/** Reads the filters of a request; returns the details of the refusal of an unknown field or operator. */
export function offerFilter(
  filters: Readonly<Record<string, unknown>>,
  clock: ZonedNow,
): OfferFilter | { problem: string } {
  const { junction = 'and', ...fields } = filters
  const word = String(junction).toLowerCase()
  if (word !== 'and' && word !== 'or') return { problem: 'Property .options.filters.junction must be one of and, or' }
  const tests: Test[] = []
  let codes: string[] | undefined
  for (const [field, filter] of Object.entries(fields)) {
    const at = `Property .options.filters.${field}`
    const known = offerFields.find((one) => one === field)
    if (!known)
      return { problem: `${at} is not a field that qualifications can be filtered by: ${offerFields.join(', ')}` }
    const conditions = isRecord(filter) ? (filter.conditions ?? filter) : undefined
    if (!isRecord(conditions) || Object.keys(conditions).length === 0)
      return { problem: `${at}.conditions must be object` }
    for (const [operator, operand] of Object.entries(conditions)) {
      const values = [operand].flat().map(String)
      if (values.length > mostValues)
        return { problem: `${at}.conditions.${operator} must have at most ${mostValues} values` }
      const test = testOf(operator, values, clock)
      if (!test) return { problem: `${at}.conditions.${operator} is not an operator of this field` }
      tests.push((facts) => test(facts[known]))
      const isNamed = known === 'code' || known === 'resource_id'
      if (isNamed && word === 'and' && (operator === '$is' || operator === '$in')) codes ??= values
    }
  }
  const matches: Test = (facts) =>
    word === 'or' ? tests.some((test) => test(facts)) : tests.every((test) => test(facts))
  return { matches, ...(codes && { codes }) }
}

function testOf(
  operator: string,
  values: string[],
  clock: ZonedNow,
): ((value: string | string[] | undefined) => boolean) | undefined {
  if (operator === '$has_value') return (value) => value !== undefined
  if (operator === '$is_unknown') return (value) => value === undefined
  if (operator === '$not_contain') return (value) => !meets(value, { $contains: values }, clock)
  return operators.includes(operator) ? (value) => meets(value, { [operator]: values }, clock) : undefined
}

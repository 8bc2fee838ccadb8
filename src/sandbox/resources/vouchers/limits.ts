// When and how a voucher may be used, checked before it is stored: dates, recurring windows, discounts.
import type { Discount } from '../../../contract/discount.ts'
import { invalidPayload, refused } from '../../http/refusal.ts'
import { type ValidityLimits, validityProblem } from '../../rules/eligibility/validity.ts'
import { formulaProblem } from '../../rules/pricing/formula.ts'

/** The five fields that limit a voucher in time, null where a request omits them, dates in UTC with milliseconds. */
export function validityLimitsOf(
  given: { [Name in keyof ValidityLimits]: ValidityLimits[Name] | undefined },
): Required<ValidityLimits> {
  return {
    start_date: instantOf(given.start_date),
    expiration_date: instantOf(given.expiration_date),
    validity_timeframe: given.validity_timeframe ?? null,
    validity_day_of_week: given.validity_day_of_week ?? null,
    validity_hours: given.validity_hours ?? null,
  }
}

/** Refuses limits that contradict each other. Throws 400 `invalid_payload`. */
export function checkValidity(limits: ValidityLimits): void {
  const problem = validityProblem(limits)
  if (problem) throw invalidPayload(problem)
  // ASSUMED A110: a voucher that expires before or when it starts is refused.
  if (limits.start_date && limits.expiration_date && limits.expiration_date <= limits.start_date)
    throw invalidPayload("Property .expiration_date must be after property 'start_date'")
}

/** Checks what the schema of a discount does not cover. Throws 400: a formula that cannot be computed is never stored. */
export function checkedDiscount(given: Discount): Discount {
  if (given.type === 'UNIT') {
    const forms = given.units ?? [given]
    if (given.effect === 'ADD_MANY_ITEMS' && !given.units)
      throw invalidPayload("Property .discount should have required property 'units'")
    if (given.units && given.effect !== undefined && given.effect !== 'ADD_MANY_ITEMS')
      throw invalidPayload(`Property .discount.units is not allowed with the effect ${given.effect}`)
    if (forms.length === 0) throw invalidPayload('Property .discount.units must NOT have fewer than 1 items')
    for (const [index, form] of forms.entries())
      if (form.unit_type === undefined)
        throw invalidPayload(
          `Property .discount${given.units ? `.units[${index}]` : ''} should have required property 'unit_type'`,
        )
  }
  for (const [name, value] of formulasIn(given)) {
    const problem = formulaProblem(value)
    if (problem) throw refused('invalid_voucher', 'Invalid Voucher', `${name}: ${problem}`)
  }
  return given
}

function formulasIn(given: object): Array<[string, string]> {
  return Object.entries(given).flatMap(([name, value]): Array<[string, string]> => {
    if (name.endsWith('_formula') && typeof value === 'string') return [[name, value]]
    return Array.isArray(value) ? value.flatMap((item: object) => formulasIn(item)) : []
  })
}

function instantOf(given: string | null | undefined): string | null {
  return given == null ? null : new Date(given).toISOString()
}

// When and how a voucher may be used, checked before it is stored: dates, recurring windows, discounts.
import { pathText } from '../../../base/schema.ts'
import { type Discount, unitProblem } from '../../../contract/discount.ts'
import { invalidPayload, refused } from '../../http/refusal.ts'
import { type ValidityLimits, validityProblem } from '../../rules/eligibility/validity.ts'
import { formulaProblem } from '../../rules/pricing/formula/parse.ts'

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
    const problem = unitProblem(given)
    if (problem) throw invalidPayload(describeProblem(problem))
  }
  for (const [name, value] of formulasIn(given)) {
    const problem = formulaProblem(value)
    if (problem) throw refused('invalid_voucher', `${name}: ${problem}`)
  }
  return given
}

/** Words a problem as the service does; what is missing is a property of the object around it (A101). */
function describeProblem({ path, message }: { path: readonly (string | number)[]; message: string }): string {
  if (!message.startsWith('is required')) return `Property ${pathText(['discount', ...path])} ${message}`
  return `Property ${pathText(['discount', ...path.slice(0, -1)])} should have required property '${path.at(-1)}'`
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

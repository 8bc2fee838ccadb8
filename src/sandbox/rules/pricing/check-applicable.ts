// Checks whether the embedded service supports the product part of a validation rule.
// Source: docs/service/validation-rules.md#refused-product-parts.
import type { ApplicableEntry, ApplicableTo } from './applicable.ts'

const texts: ReadonlySet<string> = new Set(['id', 'source_id', 'product_id', 'product_source_id'])
const wholeNumbers: ReadonlySet<string> = new Set([
  'price',
  'skip_initially',
  'repeat',
  'quantity_limit',
  'aggregated_quantity_limit',
  'amount_limit',
  'aggregated_amount_limit',
])
const choices: Readonly<Record<string, readonly string[]>> = {
  object: ['product', 'sku', 'products_collection'] satisfies ApplicableEntry['object'][],
  effect: [
    'APPLY_TO_EVERY',
    'APPLY_TO_CHEAPEST',
    'APPLY_FROM_CHEAPEST',
    'APPLY_TO_MOST_EXPENSIVE',
    'APPLY_FROM_MOST_EXPENSIVE',
  ] satisfies ApplicableEntry['effect'][],
  target: ['ITEM', 'UNIT'] satisfies ApplicableEntry['target'][],
}

/** Returns why an `applicable_to` cannot be stored, or undefined. Entry fields that would be ignored are refused. */
export function applicableToProblem(applicableTo: ApplicableTo | null | undefined): string | undefined {
  for (const list of ['included', 'excluded'] as const) {
    const entries: unknown = applicableTo?.[list] ?? []
    if (!Array.isArray(entries)) return `Property .applicable_to.${list} must be array`
    for (const [index, entry] of entries.entries()) {
      const problem = entryProblem(entry, `.applicable_to.${list}[${index}]`)
      if (problem) return problem
    }
  }
  return undefined
}

function entryProblem(entry: unknown, path: string): string | undefined {
  if (typeof entry !== 'object' || entry === null) return `Property ${path} must be object`
  for (const required of ['object', 'id']) {
    if (!Object.hasOwn(entry, required)) return `Property ${path} must have required property '${required}'`
  }
  for (const [field, value] of Object.entries(entry)) {
    const problem = fieldProblem(field, value)
    if (problem) return `Property ${path}.${field} ${problem}`
  }
  return undefined
}

function fieldProblem(field: string, value: unknown): string | undefined {
  if (texts.has(field)) return isText(field, value) ? undefined : 'must be string'
  if (wholeNumbers.has(field))
    return Number.isInteger(value) && Number(value) >= 0 ? undefined : 'must be a whole number that is not negative'
  const allowed = Object.hasOwn(choices, field) ? choices[field] : undefined
  // A disabled field requires nothing, whatever it is.
  if (!allowed) return value === null || value === false ? undefined : 'is not supported by the embedded service'
  return allowed.includes(String(value)) ? undefined : `must be one of ${allowed.join(', ')}`
}

function isText(field: string, value: unknown): boolean {
  return value === null ? field !== 'id' : typeof value === 'string' && value !== ''
}

// Checks bodies and queries against the contract's schemas, as the service does, before a handler relies on them.

import type { z } from 'zod'
import { deepestNesting, isDeeperThan } from '../../base/nesting.ts'
import { expectedAt, type Unasked, withoutUnasked } from '../../base/schema.ts'
import { detailsOf } from './issues.ts'
import type { Query } from './query.ts'
import { invalidPayload, invalidQuery } from './refusal.ts'

/**
 * Checks a parsed body. A null member that may be left out, but not be null, is read as left out, because published
 * clients send every member they know; in an update null would clear the value, so there it is refused.
 *
 * Throws 400 `invalid_payload`. Source: docs/service/addresses.md#null-in-requests.
 */
export function checkedBody(schema: z.ZodType, body: unknown, { isUpdate = false } = {}): unknown {
  // ASSUMED A102: deeper nesting than 64 is refused as invalid_payload; no limit is published.
  if (isDeeperThan(body, deepestNesting))
    throw invalidPayload(`Payload must NOT be nested deeper than ${deepestNesting} levels`)
  return checked(schema, body, invalidPayload, { unknown: true, ...(!isUpdate && { nulls: true }) })
}

/** Checks a decoded query; texts become the numbers and booleans of the schema. Throws 400 `invalid_query_params`. */
export function checkedQuery(schema: z.ZodType, query: Query): Record<string, unknown> {
  const coerced = Object.fromEntries(
    Object.entries(query).map(([name, value]) => [name, coercedTo(expectedAt(schema, [name])?.type, value)]),
  )
  return checked(schema, coerced, invalidQuery, { unknown: true }) as Record<string, unknown>
}

// ASSUMED A103: unknown names in a request are ignored, as the service is documented to do for updates and imports.
function checked(
  schema: z.ZodType,
  value: unknown,
  refusal: (details: string) => Error,
  unasked: Unasked,
  isReduced = false,
): unknown {
  const result = schema.safeParse(value)
  if (result.success) return result.data
  const issues = result.error.issues.filter((issue) => !isForTheHandler(issue))
  // The schemas do not transform accepted values, so the parsed output would equal the input.
  if (issues.length === 0) return value
  if (isReduced) throw refusal(detailsOf(schema, value, issues))
  // Only what was refused is walked: most requests have nothing to leave out, and are read once.
  return checked(schema, withoutUnasked(schema, value, unasked), refusal, unasked, true)
}

/** Issues refused with a key of their own: the handler knows more, such as that a code and an id name the same object. */
function isForTheHandler(issue: z.core.$ZodIssue): boolean {
  return issue.code === 'custom' && issue.params?.refused_as !== undefined
}

function coercedTo(type: string | undefined, value: Query[string]): unknown {
  if (type === 'array') return Array.isArray(value) ? value : [value]
  if (typeof value !== 'string') return value
  if (type === 'number' && /^[+-]?\d{1,15}(\.\d+)?$/.test(value)) return Number(value)
  if (type === 'boolean' && (value === 'true' || value === 'false')) return value === 'true'
  return value
}

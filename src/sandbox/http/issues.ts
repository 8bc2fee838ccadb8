// Words the problems of a body or a query as the service does. Source: docs/service/errors.md#invalid-payload.

import type { z } from 'zod'
import { ownValue } from '../../base/record.ts'
import { expectedAt, likeliestIssue, memberAt, optionsOf, pathText } from '../../base/schema.ts'

type Issue = z.core.$ZodIssue
type Path = readonly PropertyKey[]

const typeNames: Record<string, string> = { int: 'integer', record: 'object', map: 'object' }

/**
 * Words the first issue of a refused value as the `details` of an error.
 *
 * Only one problem is reported, as the service does. `value` is the checked value.
 */
export function detailsOf(schema: z.ZodType, value: unknown, issues: readonly Issue[]): string {
  const issue = issues[0]
  return issue ? describeIssue(schema, value, issue, []) : 'Payload is invalid'
}

function describeIssue(schema: z.ZodType, value: unknown, issue: Issue, prefix: Path): string {
  const path = [...prefix, ...issue.path]
  const given = memberAt(value, path)
  const subject = subjectOf(path)
  if (given === undefined && path.length > 0) return missing(path)

  switch (issue.code) {
    case 'invalid_type': {
      const expected = expectedAt(schema, path)
      return `${subject} must be ${ownValue(typeNames, issue.expected) ?? issue.expected}${expected?.nullable ? ',null' : ''}`
    }
    case 'invalid_value':
      if (issue.message.startsWith('must ')) return `${subject} ${issue.message}`
      return `${subject} must be equal to one of the allowed values: ${issue.values.map(String).join(', ')}`
    case 'too_small':
      return `${subject} must ${describeBound(issue.origin, 'fewer', issue.minimum, issue.inclusive !== false)}`
    case 'too_big':
      return `${subject} must ${describeBound(issue.origin, 'more', issue.maximum, issue.inclusive !== false)}`
    case 'unrecognized_keys':
      return `${subject} must NOT have additional property '${issue.keys[0]}'`
    case 'not_multiple_of':
      return `${subject} must be a multiple of ${issue.divisor}`
    case 'invalid_union':
      return describeUnion(schema, value, issue, path)
    case 'custom':
      if (String(expectedAt(schema, path)?.schema.meta()?.format).startsWith('date'))
        return `${subject} cannot be recognized as a ISO-8601 compliant date`
  }
  return `${subject} ${issue.message.startsWith('must ') ? issue.message : 'is invalid'}`
}

function describeUnion(
  schema: z.ZodType,
  value: unknown,
  issue: Extract<Issue, { code: 'invalid_union' }>,
  path: Path,
): string {
  const inner = likeliestIssue(issue)
  if (inner) return describeIssue(schema, value, inner, path)
  const options = optionsOf(issue)
  return `${subjectOf(path)} must be equal to one of the allowed values${options.length === 0 ? '' : `: ${options.join(', ')}`}`
}

function missing(path: Path): string {
  const name = `'${String(path.at(-1))}'`
  if (path.length === 1) return `Payload must have required property ${name}`
  // ASSUMED A101: the only published sentence about a nested property says "should", all others "must"; both are kept.
  return `${subjectOf(path.slice(0, -1))} should have required property ${name}`
}

function describeBound(origin: string, word: 'fewer' | 'more', limit: number | bigint, inclusive: boolean): string {
  const things = { string: 'characters', array: 'items', set: 'items', object: 'properties' }[origin]
  if (things) return `NOT have ${word} than ${limit} ${things}`
  return `be ${word === 'fewer' ? '>' : '<'}${inclusive ? '=' : ''} ${limit}`
}

/** Returns `Property .redeemables[1].id`, or `Payload` for the entire body. */
function subjectOf(path: Path): string {
  return path.length === 0 ? 'Payload' : `Property ${pathText(path)}`
}

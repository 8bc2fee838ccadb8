// Describes what is wrong with a field of a request, for the user who typed it.

import type { z } from 'zod'
import { nearest } from '../../base/nearest.ts'
import { ownValue } from '../../base/record.ts'
import { fieldsAt, likeliestIssue, memberAt, optionsOf, pathText } from '../../base/schema.ts'

type Issue = z.core.$ZodIssue

const kinds: Record<string, string> = {
  int: 'a whole number',
  number: 'a number',
  string: 'a text',
  boolean: 'true or false',
  object: 'an object',
  record: 'an object',
  array: 'a list',
  null: 'null',
}

/**
 * Returns what is wrong and where, such as `gift.amount must be a whole number`.
 *
 * `value` is the entire value that was checked, and `schema` its schema, which knows which field was meant.
 */
export function issueInWords(issue: Issue, value: unknown, schema?: z.ZodType): string {
  // Of several forms the one that is nearly met is meant.
  const meant = issue.code === 'invalid_union' ? likeliestIssue(issue) : undefined
  if (meant !== undefined) return issueInWords({ ...meant, path: [...issue.path, ...meant.path] }, value, schema)
  if (issue.code === 'unrecognized_keys' && schema !== undefined && issue.keys.length === 1) {
    const [name = ''] = issue.keys
    const near = nearField(schema, issue.path, name)
    const field = fieldOf(issue.path)
    const says = `has no field ${JSON.stringify(name)}${near === undefined ? '' : `; did you mean ${JSON.stringify(near)}?`}`
    return field === '' ? says : `${field} ${says}`
  }
  const field = fieldOf(issue.path)
  const says = words(issue, value)
  return field === '' ? says : `${field} ${says}`
}

/** Returns the known field at a path that a mistyped or shortened name may mean, or undefined when none is near. */
export function nearField(schema: z.ZodType, path: readonly PropertyKey[], name: string): string | undefined {
  const known = fieldsAt(schema, path)
  // `expiration` for `expiration_date` is beyond any distance of letters.
  const longer = known.filter((field) => field.startsWith(`${name}_`))
  return longer.length === 1 ? longer[0] : nearest(name, known)
}

function words(issue: Issue, value: unknown): string {
  switch (issue.code) {
    case 'unrecognized_keys':
      return `has no field ${issue.keys.map((key) => JSON.stringify(key)).join(', ')}`
    case 'invalid_union': {
      const options = optionsOf(issue)
      return `must be ${options.length === 0 ? 'known' : `one of ${options.join(', ')}`}`
    }
    case 'custom':
      return issue.message
  }
  if (issue.path.length > 0 && memberAt(value, issue.path) === undefined) return 'is missing'
  switch (issue.code) {
    case 'invalid_type':
      return `must be ${ownValue(kinds, issue.expected) ?? issue.expected}`
    case 'invalid_value':
      if (issue.message.startsWith('must ')) return issue.message
      return `must be ${issue.values.length === 1 ? '' : 'one of '}${issue.values.map(String).join(', ')}`
    case 'too_small':
      if (issue.origin === 'string' && issue.minimum === 1) return 'is empty'
      return describeBound(issue.origin, 'at least', issue.minimum, issue.inclusive)
    case 'too_big':
      return describeBound(issue.origin, 'at most', issue.maximum, issue.inclusive)
  }
  // A rule of the contract has its own message; those of the library begin differently.
  return issue.message.startsWith('must ') ? issue.message : 'is malformed'
}

function describeBound(origin: string, most: string, limit: number | bigint, inclusive = true): string {
  const things = { string: 'characters', array: 'items', object: 'members' }[origin]
  if (things !== undefined) return `must have ${most} ${limit} ${things}`
  return `must be ${inclusive ? most : most === 'at least' ? 'more than' : 'less than'} ${limit}`
}

function fieldOf(path: readonly PropertyKey[]): string {
  return pathText(path).replace(/^\./, '')
}

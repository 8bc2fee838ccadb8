// Sending what the contract does not know: the service gains members before a release of promo knows them.
import { z } from 'zod'
import { withoutUnasked } from '../../base/schema.ts'
import type { Endpoint } from '../../contract/endpoint.ts'

type Issue = z.core.$ZodIssue
type Members = Record<PropertyKey, unknown>

interface Unknown {
  path: readonly PropertyKey[]
  keys: readonly string[]
}

/** Returns the call with a body that may also have members that the contract does not know; all others are checked. */
export function withUnknownMembers<E extends Endpoint>(endpoint: E): E {
  return endpoint.body === undefined ? endpoint : { ...endpoint, body: open(endpoint.body, endpoint.method !== 'PUT') }
}

function open(schema: z.ZodType, skipsNull: boolean): z.ZodType {
  return z.unknown().transform((value, context) => {
    const aside: { path: readonly PropertyKey[]; key: string; value: unknown }[] = []
    let known: unknown = skipsNull ? withoutUnasked(schema, value, { nulls: 'refused' }) : value
    for (;;) {
      const result = schema.safeParse(known)
      if (result.success) {
        // Set in the order in which they were found: a member is found after the object that holds it.
        return aside.reduceRight(
          (body, { path, key, value: member }) => changeAt(body, path, (held) => ({ ...held, [key]: member })),
          result.data as unknown,
        )
      }
      const unknown = result.error.issues.flatMap((issue) => unknownIn(issue) ?? [])
      if (unknown.length === 0) {
        for (const issue of result.error.issues) context.issues.push({ ...issue, input: known } as never)
        return z.NEVER
      }
      for (const { path, keys } of unknown) {
        for (const key of keys) {
          known = changeAt(known, path, ({ [key]: member, ...rest }) => {
            aside.push({ path, key, value: member })
            return rest
          })
        }
      }
    }
  })
}

/** Returns the members that a schema does not know; undefined for any other issue. */
function unknownIn(issue: Issue): Unknown[] | undefined {
  if (issue.code === 'unrecognized_keys') return [{ path: issue.path, keys: issue.keys }]
  if (issue.code !== 'invalid_union') return undefined
  const branches = issue.errors
    .map((issues) => issues.map(unknownIn))
    .filter((found): found is Unknown[][] => found.length > 0 && found.every((one) => one !== undefined))
    .map((found) => found.flat())
    .toSorted((one, other) => countOf(one) - countOf(other))
  return branches[0]?.map(({ path, keys }) => ({ path: [...issue.path, ...path], keys }))
}

function countOf(unknown: readonly Unknown[]): number {
  return unknown.reduce((sum, { keys }) => sum + keys.length, 0)
}

/** Copies only what leads to the change: numbers that JavaScript cannot hold stay the objects they are. */
function changeAt(value: unknown, path: readonly PropertyKey[], change: (members: Members) => Members): unknown {
  const [name, ...rest] = path
  if (name === undefined) return change(value as Members)
  if (Array.isArray(value)) return value.map((item, at) => (at === name ? changeAt(item, rest, change) : item))
  return { ...(value as Members), [name]: changeAt((value as Members)[name], rest, change) }
}

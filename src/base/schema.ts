// Inspects a zod schema and a refused value by path: what is expected at a path, and which issue describes it best.
import type { z } from 'zod'

type Issue = z.core.$ZodIssue
type Path = readonly PropertyKey[]

interface Definition {
  type: string
  catchall?: Schema
  innerType?: Schema
  element?: Schema
  valueType?: Schema
  in?: Schema
  shape?: Record<string, Schema>
  options?: Schema[]
  getter?: () => Schema
}

/** A schema seen as the data it consists of; zod publishes this structure for tools as `_zod.def`. */
interface Schema {
  _zod: { def: Definition; optin?: 'optional' | undefined }
}

/** What a schema expects at one path. */
export interface Expected {
  /** zod's name of the type without its wrappers: `string`, `number`, `object`, `array`, `enum`, `union` … */
  type: string
  nullable: boolean
  schema: z.ZodType
}

/** Returns what a schema expects at a path; undefined where it cannot tell (inside a union, or beyond the schema). */
export function expectedAt(schema: z.ZodType, path: Path): Expected | undefined {
  let at = unwrap(schema as unknown as Schema)
  for (const name of path) {
    const next = memberOf(at.schema._zod.def, name)
    if (!next) return undefined
    at = unwrap(next)
  }
  return { type: at.schema._zod.def.type, nullable: at.nullable, schema: at.schema as unknown as z.ZodType }
}

/** Lists the fields a schema knows at a path, across all alternatives of a union. */
export function fieldsAt(schema: z.ZodType, path: Path): string[] {
  let places = formsOf(schema as unknown as Schema)
  for (const name of path) {
    places = places.flatMap((definition) => {
      const next = memberOf(definition, name)
      return next ? formsOf(next) : []
    })
  }
  return [...new Set(places.flatMap(({ shape = {} }) => Object.keys(shape)))]
}

/** Returns the first issue of the union alternative that matched furthest, which is the one most likely meant. */
export function likeliestIssue(issue: Extract<Issue, { code: 'invalid_union' }>): Issue | undefined {
  return issue.errors.toSorted((one, other) => depth(other) - depth(one) || one.length - other.length)[0]?.[0]
}

/** Lists the options that a union reports when no alternative matches; empty when it reports none. */
export function optionsOf(issue: Extract<Issue, { code: 'invalid_union' }>): string[] {
  return 'options' in issue && Array.isArray(issue.options) ? issue.options.map(String) : []
}

/** Returns the member of a value at a path; undefined where there is none. Inherited members do not count. */
export function memberAt(value: unknown, path: Path): unknown {
  let here = value
  for (const step of path) {
    if (typeof here !== 'object' || here === null || !Object.hasOwn(here, step)) return undefined
    here = (here as Record<PropertyKey, unknown>)[step]
  }
  return here
}

/** Formats a path as in code, such as `.redeemables[1].id`; empty for the value itself. */
export function pathText(path: Path): string {
  return path.map((step) => (typeof step === 'number' ? `[${step}]` : `.${String(step)}`)).join('')
}

function memberOf({ type, shape, element, valueType }: Definition, name: PropertyKey): Schema | undefined {
  if (type !== 'object') return element ?? valueType
  // A request may name a member that every object inherits, such as `constructor`.
  return shape && Object.hasOwn(shape, name) ? shape[String(name)] : undefined
}

/** What `withoutUnasked` leaves out. */
export interface Unasked {
  /** Members that a strict object does not know. */
  unknown?: true
  /** Nulls of members that may be left out: of all, or of those that may not be null. */
  nulls?: 'all' | 'refused'
  /** Reads a value that is no object and no list, which is called `name` and has to fit `schema`. */
  leaf?: (value: unknown, name: string, schema: z.ZodType) => unknown
}

/**
 * Returns a value without the members that its schema did not ask for, at any depth.
 *
 * Inside a union it follows the first alternative that then accepts the value; without one the value stays as it is, so
 * that an issue still describes what was sent.
 */
export function withoutUnasked(schema: z.ZodType, value: unknown, unasked: Unasked): unknown {
  return reduce(schema as unknown as Schema, value, unasked, '')
}

function reduce(schema: Schema, value: unknown, unasked: Unasked, called: string): unknown {
  if (typeof value !== 'object' || value === null)
    return unasked.leaf ? unasked.leaf(value, called, schema as unknown as z.ZodType) : value
  const { def } = unwrap(schema).schema._zod
  if (def.options) {
    for (const option of def.options) {
      const candidate = reduce(option, value, unasked, called)
      if (accepts(option, candidate)) return candidate
    }
    return value
  }
  const { element, valueType, shape, catchall } = def
  if (Array.isArray(value)) return element ? value.map((item) => reduce(element, item, unasked, called)) : value
  if (!shape && !valueType) return value
  const isStrict = unasked.unknown && catchall?._zod.def.type === 'never'
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, item]): Array<[string, unknown]> => {
      const member = valueType ?? (shape && Object.hasOwn(shape, name) ? shape[name] : undefined)
      if (!member) return isStrict ? [] : [[name, item]]
      const mayBeLeftOut = shape !== undefined && member._zod.optin === 'optional'
      const isNotGiven = item === null && mayBeLeftOut && (unasked.nulls === 'all' || isRefused(member, unasked))
      return isNotGiven ? [] : [[name, reduce(member, item, unasked, name)]]
    }),
  )
}

function isRefused(member: Schema, { nulls }: Unasked): boolean {
  return nulls === 'refused' && !accepts(member, null)
}

function accepts(schema: Schema, value: unknown): boolean {
  return (schema as unknown as z.ZodType).safeParse(value).success
}

/** Returns the definition of a schema without its wrappers; for a union, one for each alternative. */
function formsOf(schema: Schema): Definition[] {
  const { def } = unwrap(schema).schema._zod
  return def.options ? def.options.flatMap(formsOf) : [def]
}

function unwrap(schema: Schema): { schema: Schema; nullable: boolean } {
  let nullable = false
  let inner = schema
  for (;;) {
    const { type, innerType, in: input, getter } = inner._zod.def
    if (type === 'nullable') nullable = true
    const next = innerType ?? (type === 'pipe' ? input : getter?.())
    if (!next) return { schema: inner, nullable }
    inner = next
  }
}

function depth(issues: readonly Issue[]): number {
  return issues[0]?.path.length ?? 0
}

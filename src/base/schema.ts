// Looking into a zod schema and a refused value by path: what is expected at a place, and which issue was meant.
import type { z } from 'zod'

type Issue = z.core.$ZodIssue
type Path = readonly PropertyKey[]

interface Definition {
  type: string
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
  _zod: { def: Definition }
}

/** What a schema expects at one place. */
export interface Expected {
  /** zod's name of the type without its wrappers: `string`, `number`, `object`, `array`, `enum`, `union` … */
  type: string
  nullable: boolean
  schema: z.ZodType
}

/** Says what a schema expects at a path, undefined where it cannot be said (inside a union, or beyond the schema). */
export function expectedAt(schema: z.ZodType, path: Path): Expected | undefined {
  let at = unwrapped(schema as unknown as Schema)
  for (const name of path) {
    const next = memberOf(at.schema._zod.def, name)
    if (!next) return undefined
    at = unwrapped(next)
  }
  return { type: at.schema._zod.def.type, nullable: at.nullable, schema: at.schema as unknown as z.ZodType }
}

/** Lists the fields a schema knows at a path, of every form that a union may have there. */
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

/** Of several forms a value may have, the one that got furthest was meant: returns its first issue. */
export function likeliestIssue(issue: Extract<Issue, { code: 'invalid_union' }>): Issue | undefined {
  return issue.errors.toSorted((one, other) => depth(other) - depth(one) || one.length - other.length)[0]?.[0]
}

/** Lists the options that a union without a matching form tells; empty when it tells none. */
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

/** Writes a path as it is read in code, such as `.redeemables[1].id`; empty for the whole. */
export function pathText(path: Path): string {
  return path.map((step) => (typeof step === 'number' ? `[${step}]` : `.${String(step)}`)).join('')
}

function memberOf({ type, shape, element, valueType }: Definition, name: PropertyKey): Schema | undefined {
  return type === 'object' ? shape?.[String(name)] : (element ?? valueType)
}

/** What a schema is without its wrappers; of a union every form. */
function formsOf(schema: Schema): Definition[] {
  const { def } = unwrapped(schema).schema._zod
  return def.options ? def.options.flatMap(formsOf) : [def]
}

function unwrapped(schema: Schema): { schema: Schema; nullable: boolean } {
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

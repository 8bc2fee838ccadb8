// Reads a schema of the contract through the JSON Schema that zod generates from it.
import { z } from 'zod'

interface JsonSchema {
  type?: string | string[]
  properties?: Record<string, JsonSchema>
  required?: string[]
  items?: JsonSchema
  additionalProperties?: JsonSchema | boolean
  anyOf?: JsonSchema[]
  oneOf?: JsonSchema[]
  enum?: unknown[]
  const?: unknown
  minimum?: number
  maximum?: number
  minItems?: number
  maxItems?: number
  minLength?: number
  maxLength?: number
}

/** The alternatives a schema consists of, as JSON Schemas without wrappers. */
export type Alternatives = readonly JsonSchema[]

/** The alternatives of a zod schema, seen from the side that writes the request. */
export function alternativesOf(schema: z.ZodType): Alternatives {
  return flattened(z.toJSONSchema(schema, { io: 'input' }) as JsonSchema)
}

/** The alternatives of the member at a path; empty when there is no such member. */
export function memberOf(schema: z.ZodType, steps: readonly string[]): Alternatives {
  return steps.reduce<Alternatives>(
    (at, step) =>
      at.flatMap((one) => {
        const inner = step === '[]' ? one.items : one.properties?.[step]
        return inner === undefined ? [] : flattened(inner)
      }),
    alternativesOf(schema),
  )
}

/** The names of the members of an object, and of the required ones. */
export function membersOf(schema: z.ZodType): { all: string[]; required: string[] } {
  const [object] = alternativesOf(schema).filter((one) => one.properties !== undefined)
  return { all: Object.keys(object?.properties ?? {}), required: object?.required ?? [] }
}

/** The JSON types that are allowed there. */
export function typesOf(alternatives: Alternatives): string[] {
  return [...new Set(alternatives.flatMap((one) => one.type ?? []))]
}

/** The values that are allowed there; empty when any is. */
export function valuesOf(alternatives: Alternatives): unknown[] {
  return alternatives.flatMap((one) => one.enum ?? ('const' in one ? [one.const] : []))
}

function flattened(schema: JsonSchema): JsonSchema[] {
  const inner = schema.anyOf ?? schema.oneOf
  return inner === undefined ? [schema] : inner.flatMap(flattened)
}

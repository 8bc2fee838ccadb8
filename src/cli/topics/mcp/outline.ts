// A form of an answer as a short JSON schema: an assistant reads it with every request, so it names members and types, no more.
import { z } from 'zod'

/** A JSON schema, of the few keywords that are used here. */
export interface JsonSchema {
  type?: string | string[]
  description?: string
  properties?: Record<string, JsonSchema>
  items?: JsonSchema
}

/**
 * Returns the schema of a form, `depth` objects deep. Nothing is required and members may be added: the service has versions.
 */
export function outline(form: z.ZodType, depth = 1): JsonSchema {
  if (form instanceof z.ZodOptional || form instanceof z.ZodDefault) return outline(form.unwrap() as z.ZodType, depth)
  if (form instanceof z.ZodNullable) return orNull(outline(form.unwrap() as z.ZodType, depth))
  if (form instanceof z.ZodBoolean) return { type: 'boolean' }
  if (form instanceof z.ZodNumber) return { type: 'number' }
  if (form instanceof z.ZodArray) return { type: 'array' }
  if (form instanceof z.ZodObject && depth > 0) return { type: 'object', properties: membersOf(form, depth) }
  if (form instanceof z.ZodObject || form instanceof z.ZodRecord) return { type: 'object' }
  if (form instanceof z.ZodString || form instanceof z.ZodEnum || form instanceof z.ZodLiteral)
    return { type: 'string' }
  return {}
}

/** Returns the schema of rows of a form. */
export function rowsOf(form: z.ZodType): JsonSchema {
  return { type: 'array', items: outline(form) }
}

function membersOf(form: z.ZodObject, depth: number): Record<string, JsonSchema> {
  const members = Object.entries(form.shape as Record<string, z.ZodType>)
  return Object.fromEntries(members.map(([name, member]) => [name, outline(member, depth - 1)]))
}

function orNull(schema: JsonSchema): JsonSchema {
  return typeof schema.type === 'string' ? { ...schema, type: [schema.type, 'null'] } : schema
}

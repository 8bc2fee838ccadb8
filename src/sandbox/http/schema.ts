// Looking into a zod schema by path: what the service expects at a place, to coerce a query and to word a refusal.
import type { z } from 'zod'

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

export interface ExpectedType {
  /** zod's name of the type without its wrappers: `string`, `number`, `object`, `array`, `enum`, `union` … */
  type: string
  nullable: boolean
  schema: z.ZodType
}

/** Says what a schema expects at a path, undefined where it cannot be said (inside a union, or beyond the schema). */
export function expectedAt(schema: z.ZodType, path: readonly PropertyKey[]): ExpectedType | undefined {
  let at = unwrapped(schema as unknown as Schema)
  for (const name of path) {
    const { def } = at.schema._zod
    const next =
      def.type === 'object'
        ? def.shape?.[String(name)]
        : def.type === 'array'
          ? def.element
          : def.type === 'record'
            ? def.valueType
            : undefined
    if (!next) return undefined
    at = unwrapped(next)
  }
  return { type: at.schema._zod.def.type, nullable: at.nullable, schema: at.schema as unknown as z.ZodType }
}

function unwrapped(schema: Schema): { schema: Schema; nullable: boolean } {
  let nullable = false
  let inner = schema
  for (;;) {
    const { type, innerType, in: input, getter } = inner._zod.def
    if (type === 'nullable') nullable = true
    const next = innerType ?? (type === 'pipe' ? input : type === 'lazy' ? getter?.() : undefined)
    if (!next) return { schema: inner, nullable }
    inner = next
  }
}

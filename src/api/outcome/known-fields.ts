// Which fields a schema knows at a place, to tell a person who mistyped one what was meant.
import { closest, distance } from 'fastest-levenshtein'
import type { z } from 'zod'

interface Definition {
  type: string
  innerType?: Schema
  in?: Schema
  element?: Schema
  valueType?: Schema
  shape?: Record<string, Schema>
  options?: Schema[]
  getter?: () => Schema
}

/** A schema seen as the data it consists of; zod publishes this structure for tools as `_zod.def`. */
interface Schema {
  _zod: { def: Definition }
}

/** Gives the known field at a path that is at most a third of its letters away, or undefined when nothing is near. */
export function nearField(schema: z.ZodType, path: readonly PropertyKey[], name: string): string | undefined {
  const known = [
    ...new Set(placesAt(schema as unknown as Schema, path).flatMap(({ shape = {} }) => Object.keys(shape))),
  ]
  if (known.length === 0) return undefined
  // `expiration` for `expiration_date` is further away than letters can say.
  const longer = known.filter((field) => field.startsWith(`${name}_`))
  if (longer.length === 1) return longer[0]
  const near = closest(name, known)
  return distance(name, near) <= Math.max(2, Math.floor(near.length / 3)) ? near : undefined
}

function placesAt(schema: Schema, path: readonly PropertyKey[]): Definition[] {
  let places = forms(schema)
  for (const step of path) {
    places = places.flatMap(({ type, shape, element, valueType }) => {
      const next = type === 'object' ? shape?.[String(step)] : (element ?? valueType)
      return next === undefined ? [] : forms(next)
    })
  }
  return places
}

/** What a schema is without its wrappers; of a union every form. */
function forms({ _zod: { def } }: Schema): Definition[] {
  if (def.options) return def.options.flatMap(forms)
  const inner = def.innerType ?? (def.type === 'pipe' ? def.in : def.getter?.())
  return inner === undefined ? [def] : forms(inner)
}

// Which fields a schema knows at a path, to suggest the one that was meant by a mistyped name.
import { closest, distance } from 'fastest-levenshtein'
import type { z } from 'zod'
import { fieldsAt } from '../../base/schema.ts'

/** Returns the known field at a path that is at most a third of its letters away, or undefined when none is near. */
export function nearField(schema: z.ZodType, path: readonly PropertyKey[], name: string): string | undefined {
  const known = fieldsAt(schema, path)
  if (known.length === 0) return undefined
  // `expiration` for `expiration_date` is beyond any distance of letters.
  const longer = known.filter((field) => field.startsWith(`${name}_`))
  if (longer.length === 1) return longer[0]
  const near = closest(name, known)
  return distance(name, near) <= Math.max(2, Math.floor(near.length / 3)) ? near : undefined
}

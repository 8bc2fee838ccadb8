// Which fields a schema knows at a path, to suggest the one that was meant by a mistyped name.
import type { z } from 'zod'
import { nearest } from '../../base/nearest.ts'
import { fieldsAt } from '../../base/schema.ts'

/** Returns the known field at a path that a mistyped or shortened name may mean, or undefined when none is near. */
export function nearField(schema: z.ZodType, path: readonly PropertyKey[], name: string): string | undefined {
  const known = fieldsAt(schema, path)
  // `expiration` for `expiration_date` is beyond any distance of letters.
  const longer = known.filter((field) => field.startsWith(`${name}_`))
  return longer.length === 1 ? longer[0] : nearest(name, known)
}

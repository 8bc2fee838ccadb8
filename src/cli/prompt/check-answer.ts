// Checking an answer while it is typed, by the schema that the contract has for its place.
import type { z } from 'zod'
import { usageError } from '../../errors.ts'

/** Makes the check of an answer: it throws `usage` with the schema's own reason. */
export function readBy(schema: z.ZodType): (text: string) => void {
  return (text) => {
    const { error } = schema.safeParse(text)
    if (error) throw usageError(`"${text}" ${error.issues[0]?.message ?? 'cannot be taken'}`)
  }
}

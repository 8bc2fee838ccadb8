// Checks an answer while it is typed, by the contract's schema for its field.
import type { z } from 'zod'
import { usageError } from '../../errors.ts'

/** Returns the check of an answer, which throws `usage` with the schema's own reason. */
export function readBy(schema: z.ZodType): (text: string) => void {
  return (text) => {
    const { error } = schema.safeParse(text)
    if (error) throw usageError(`"${text}" ${error.issues[0]?.message ?? 'is not accepted'}`)
  }
}

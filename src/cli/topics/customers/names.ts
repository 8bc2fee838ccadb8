// The names behind the ids of customers, as far as the key may read them.
import type { Client } from '../../../api/client.ts'
import { CallError } from '../../../api/outcome/call-error.ts'
import { customerAt } from './find.ts'

/** A customer in short; the other members are absent where they are not known. */
export interface Person {
  id: string
  source_id?: string | null | undefined
  name?: string | null | undefined
  email?: unknown
}

/** Requests at the same time; a refused key is then noticed after the first of them. */
const atOnce = 8

/**
 * Reads customers by id, each once. A customer who no longer exists is left out; where the key may not read customers, the
 * rest is left out and `why` says so.
 */
export async function namesOf(
  client: Client,
  ids: readonly string[],
): Promise<{ people: Map<string, Person>; why?: string }> {
  const people = new Map<string, Person>()
  const left = [...new Set(ids)]
  try {
    while (left.length > 0) {
      const found = await Promise.all(left.splice(0, atOnce).map((id) => customerAt(client, id)))
      for (const customer of found) if (customer !== undefined) people.set(customer.id, inShort(customer))
    }
    return { people }
  } catch (error) {
    if (!(error instanceof CallError) || error.phase !== 'rejected') throw error
    return { people, why: error.message }
  }
}

function inShort({ id, source_id, name, email }: Person): Person {
  return { id, source_id, name, email }
}

// The names behind the ids of customers, as far as the key may read them.
import type { Client } from '../../../api/client.ts'
import { getCustomer } from '../../../contract/customers.ts'
import { readById } from '../../result/read-by-id.ts'

/** A customer in short; the other members are absent where they are not known. */
export interface Person {
  id: string
  source_id?: string | null | undefined
  name?: string | null | undefined
  email?: unknown
}

/** How many customers a table names: each is one request. */
const mostNamed = 100

/**
 * Reads customers by id, each once. A customer who no longer exists is left out; where the key may not read customers, the
 * rest is left out and `why` says so.
 */
export async function namesOf(
  client: Client,
  ids: readonly string[],
): Promise<{ people: Map<string, Person>; why?: string }> {
  let refusal: { why?: string } = {}
  const customerOf = readById(client, {
    get: getCustomer,
    refused({ status, message }) {
      if (status !== undefined && status !== 404) refusal = { why: message }
    },
  })
  const found = await Promise.all(ids.map(customerOf))
  const people = found.flatMap((customer) => (customer === undefined ? [] : [inShort(customer as Person)]))
  return { people: new Map(people.map((person) => [person.id, person])), ...refusal }
}

/** Returns how a customer is called: the name, or whichever id is known. */
export function nameOf({ name, source_id, id }: Omit<Person, 'email'>): string {
  return [name, source_id].find((one) => typeof one === 'string' && one !== '') ?? id
}

/**
 * Adds to rows that have a `customer_id` the `customer` in short, for the first hundred customers; `warn` is told why names
 * are missing. Where it is not known, the name is an id.
 */
export async function* withNames(
  client: Client,
  pages: AsyncIterable<object[]>,
  warn: (line: string) => void,
): AsyncGenerator<object[]> {
  const known = new Map<string, Person>()
  let left = mostNamed
  for await (const page of pages) {
    const ids = [...new Set((page as { customer_id?: string }[]).flatMap(({ customer_id = [] }) => customer_id))]
    const wanted = ids.filter((id) => !known.has(id)).slice(0, left)
    const { people, why } = wanted.length === 0 ? { people: known } : await namesOf(client, wanted)
    if (why !== undefined) warn(`warning: names are not shown: ${why}`)
    else if (left > 0 && wanted.length === left) warn(`warning: only the first ${mostNamed} customers are named`)
    left = why === undefined ? left - wanted.length : 0
    for (const [id, person] of people) known.set(id, person)
    yield (page as { customer_id?: string }[]).map((row) => {
      const person = known.get(row.customer_id ?? '') ?? { id: row.customer_id ?? '' }
      return { ...row, customer: { ...person, name: nameOf(person) } }
    })
  }
}

function inShort({ id, source_id, name, email }: Person): Person {
  return { id, source_id, name, email }
}

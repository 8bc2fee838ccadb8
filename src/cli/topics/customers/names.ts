// The names behind the ids of customers, as far as the key may read them.
import type { Client } from '../../../api/client.ts'
import { getCustomer } from '../../../contract/customers.ts'
import type { RowContext } from '../../declared/command.ts'
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
 * Makes the function that adds in a table the `customer` in short to a row with a `customer_id`, for the first hundred customers, and
 * warns why names are missing. Where it is not known, the name is an id.
 */
export function toldCustomer({ client, isTable, warn }: RowContext): (row: object) => Promise<object> {
  const named = new Set<string>()
  let isRefused = false
  const customerOf = readById(client, {
    get: getCustomer,
    refused({ status, message }) {
      isRefused = status !== undefined && status !== 404
      if (isRefused) warn(`warning: names are not shown: ${message}`)
    },
  })
  return async (row) => {
    if (!isTable) return {}
    const { customer_id: id = '' } = row as { customer_id?: string }
    const isLast = id !== '' && !named.has(id) && named.size === mostNamed - 1
    if (id !== '' && named.size < mostNamed) named.add(id)
    const found = named.has(id) ? await customerOf(id) : undefined
    if (isLast && !isRefused) warn(`warning: only the first ${mostNamed} customers are named`)
    const person = found === undefined ? { id } : inShort(found as Person)
    return { customer: { ...person, name: nameOf(person) } }
  }
}

function inShort({ id, source_id, name, email }: Person): Person {
  return { id, source_id, name, email }
}

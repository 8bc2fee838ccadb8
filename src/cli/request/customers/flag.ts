// Whom a text names, by whatever `customers show` takes: one mechanism for flags, arguments and the columns of a file.

import type { Client } from '../../../api/client.ts'
import { getCustomer, listCustomers } from '../../../contract/customers.ts'
import { getOrder } from '../../../contract/orders.ts'
import { getRedemption } from '../../../contract/redemptions.ts'
import { getVoucher } from '../../../contract/vouchers.ts'
import { PromoError } from '../../../errors.ts'
import { textFlag } from '../../flags/kinds.ts'
import { allOf } from '../../result/all-of.ts'
import type { Named } from '../../result/named.ts'
import { tryRead } from '../../result/try-read.ts'
import { customerAt, isAddress } from './find.ts'

/** The flag by which a listing shows what is of a customer. */
export const customerFlag = textFlag('only of this customer: an id, source id, e-mail or phone', 'WHO')

/** The calls that finding a customer makes. */
export const customerCalls = [getCustomer, listCustomers, getVoucher, getOrder, getRedemption] as const

/** Reads the customer of an id; whatever else `idOfCustomer` took, it found. */
export const namedCustomer: Named = async (client, text) =>
  text.startsWith('cust_') && (await client.call(getCustomer, { path: { customerId: text } }))

/** Whether a text looks like an e-mail address or a phone number: it is no source id unless somebody says so. */
export function isContact(text: string): boolean {
  return isAddress(text) || isWrittenAsPhone(text)
}

// ASSUMED A2101: digits alone are a source id, unless they begin as a national or international number does: many shops count
// their customers, with and without zeros before the number.
function isWrittenAsPhone(text: string): boolean {
  const digits = text.replaceAll(/\D/g, '').length
  if (digits < 7 || digits > 15 || !/^[+\d(][\d\s()./-]*$/.test(text)) return false
  return /^\+|[\s()/]|^0{1,2}[1-9]\d{7,}$|^0\d+[-.]\d|^\d{3}[-.]\d{3}[-.]\d{4}$/.test(text)
}

/** What stands for an id in a dry run, which looks nobody up. */
export function idToFind(text: string): string {
  return `id of ${text}`
}

/**
 * Returns the id of the customer whom a text names, by whatever `oneCustomer` knows; an id or source id is taken
 * first. Where the key may not read customers the text is returned: it may be an id or a source id. For a write, `isWhole`, a part of
 * a name or an address names nobody.
 *
 * Throws `api` (exit 3) where nobody or several are meant, and for an e-mail address or a phone number that the key may not look up.
 */
export async function idOfCustomer<Text extends string | undefined>(
  client: Client,
  text: Text,
  warn: (line: string) => void,
  { isWhole = false } = {},
): Promise<string | Text> {
  if (text === undefined || text.startsWith('cust_')) return text
  let refusal: string | undefined
  const named = await tryRead(
    () => customerAt(client, text),
    ({ message }) => (refusal = message),
  )
  if (refusal !== undefined && isContact(text))
    throw new PromoError('api', `${JSON.stringify(text)} cannot be looked up: ${refusal}`, {
      hint: 'name the customer by id or source id',
    })
  if (refusal !== undefined) return text
  if (named !== undefined) return named.id
  const { oneCustomer } = await import('./one.ts')
  return (await oneCustomer(client, text, warn, { noKey: text, isWhole })).id
}

/** Returns the function that finds ids for writes as `idOfCustomer` does, each text once, with each warning once. */
export function customerFinder(client: Client, warn: (line: string) => void): (text: string) => Promise<string> {
  const found = new Map<string, Promise<string>>()
  const said = new Set<string>()
  const reading = withNewestOnce(client)
  return (text) => {
    const known = found.get(text) ?? idOfCustomer(reading, text, warnOnce, { isWhole: true })
    found.set(text, known)
    return known
  }

  function warnOnce(line: string): void {
    if (!said.has(line)) warn(line)
    said.add(line)
  }
}

/** Every search of the newest customers reads the same list: it is read once. */
function withNewestOnce(client: Client): Client {
  const lists = new Map<string, Promise<object[]>>()
  const items = async function* (...[endpoint, request, options]: Parameters<Client['items']>) {
    const list = JSON.stringify([endpoint.id, request, options])
    const isSearch = endpoint.id === listCustomers.id && !/"(?:email|name)":/.test(list)
    if (!isSearch) return yield* client.items(endpoint, request as never, options)
    const known = lists.get(list) ?? allOf<object>(client.items(endpoint, request as never, options))
    lists.set(list, known)
    yield* await known
  }
  return { ...client, items: items as Client['items'] }
}

// Finding customers by what a person says about themselves: the service's exact filters first, then a bounded search.

import type { z } from 'zod'
import type { Client } from '../../../api/client.ts'
import { ofMissing } from '../../../api/outcome/call-error.ts'
import { keyProblem } from '../../../bulk/input/key.ts'
import { getCustomer, listCustomers, type storedCustomer } from '../../../contract/customers.ts'
import type { RowsFirst } from '../../../output/warn-after-rows.ts'
import { allOf } from '../../result/all-of.ts'

/** A customer as the service returns it. */
export type Customer = z.output<typeof storedCustomer>

/** Customers that were found, and how far the search went. */
export interface Found {
  customers: Customer[]
  /** How many of the newest customers were read one by one; 0: the exact filters sufficed. */
  searched: number
  /** Whether there are older customers that were not read. */
  hasMore: boolean
}

/** A customer, and what of them the text is, or is only a part of. */
export interface Match {
  customer: Customer
  by: string
  isPart?: boolean
}

/** What a search among the newest customers found, and how far it went. */
export interface Searched {
  matches: Match[]
  searched: number
  hasMore: boolean
}

/**
 * Returns the text without blanks and the quotes of a spreadsheet or a mail around it, `"Ann Lee" `, and without the member by which
 * a cart names a customer, `source_id=shop-1001`.
 */
export function searchedText(text: string): string {
  const trimmed = text.trim().replace(/^(?:id|source_id|email|name|phone)=/, '')
  const [, inner] = /^(?:"(.*)"|'(.*)'|„(.*)“|“(.*)”)$/s.exec(trimmed)?.filter((part) => part !== undefined) ?? []
  return (inner ?? trimmed).trim()
}

/**
 * Finds customers whose id, source id, e-mail address or name is the text. Where there are none, the newest `most` customers
 * are read, and those are found whose name, e-mail address or source id contains the text in upper or lower case, or whose
 * phone number has its digits: the service has no filter for these.
 */
export async function findCustomers(client: Client, text: string, most: number, lists: RowsFirst): Promise<Found> {
  const exact = await exactly(client, text, lists)
  if (exact.length > 0 || most === 0) return { customers: exact, searched: 0, hasMore: exact.length === 0 }
  const { matches, searched, hasMore } = await searchNewest(client, text, most, lists)
  return { customers: matches.map(({ customer }) => customer), searched, hasMore }
}

/** Reads the newest `most` customers, and finds those of whom the text is a part, with the name of that part. */
export async function searchNewest(client: Client, text: string, most: number, lists: RowsFirst): Promise<Searched> {
  const matches: Match[] = []
  const partOf = matcherOf(text)
  let searched = 0
  // One more than is searched says whether there are others.
  const newest = client.items(listCustomers, { query: { order: '-created_at' } }, { limit: most + 1 })
  for await (const item of lists.of(newest)) {
    if (searched === most) return { matches, searched, hasMore: true }
    searched += 1
    const by = partOf(item as Customer)
    if (by === undefined) continue
    const { name, email, source_id } = item as Customer
    const isPart = by !== 'phone' && ![name, email, source_id].some((whole) => isSameText(whole, text))
    matches.push({ customer: item as Customer, by, isPart })
  }
  return { matches, searched, hasMore: false }
}

/** Returns the customers with this very id, source id, e-mail address or name, each once. */
async function exactly(client: Client, text: string, lists: RowsFirst): Promise<Customer[]> {
  const [named, ...listed] = await Promise.all([
    customerAt(client, text),
    allOf<Customer>(lists.of(customersLike(client, { email: text }))),
    allOf<Customer>(lists.of(customersLike(client, { name: text }))),
  ])
  const found = [...(named ? [named] : []), ...listed.flat()]
  return [...new Map(found.map((customer) => [customer.id, customer])).values()]
}

/** Returns the customer with this id or source id; undefined when there is none, or it cannot be one. */
export async function customerAt(client: Client, text: string): Promise<Customer | undefined> {
  if (keyProblem(text) !== undefined) return undefined
  const customer = await client.call(getCustomer, { path: { customerId: text } }).catch(ofMissing)
  return customer && isKeyOf(customer, text) ? customer : undefined
}

/** Whether a text is the id or the source id of a customer: whoever else the service answers with was not meant. */
export function isKeyOf(
  { id, source_id }: { id: string; source_id?: string | null | undefined },
  text: string,
): boolean {
  // An answer without source id says nothing about it.
  return text === id || text === source_id || source_id === undefined
}

/** Lists the customers with this very e-mail address or name. What else the service answers is somebody else. */
export async function* customersLike(
  client: Client,
  query: { email: string } | { name: string },
): AsyncGenerator<object> {
  const [[member, text]] = Object.entries(query) as [['email' | 'name', string]]
  for await (const item of client.items(listCustomers, { query }, { limit: 100 }))
    if (isSameText((item as Customer)[member], text)) yield item
}

/** Whether a stored text is the text, in upper or lower case, whichever way its accents are written. */
export function isSameText(stored: unknown, text: string): boolean {
  const [one, other] = [stored, text].map((given) => typeof given === 'string' && given.normalize().toLowerCase())
  return one === other
}

/** Whether a text is an entire e-mail address. */
export function isAddress(text: string): boolean {
  return /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(text)
}

/** A text of fewer digits would be in too many numbers. */
const leastDigits = 5
/** A number of fewer digits is not taken for one without its country or place. */
const leastWhole = 7

function matcherOf(text: string): (customer: Customer) => string | undefined {
  const wanted = text.toLowerCase()
  const phone = isPhone(text) ? digitsOf(text) : ''
  return ({ name, email, source_id, phone: stored }) => {
    const parts = { name, 'e-mail': email, 'source id': source_id }
    const found = Object.entries(parts).find(
      ([, part]) => typeof part === 'string' && part.toLowerCase().includes(wanted),
    )
    if (found !== undefined) return found[0]
    return phone !== '' && typeof stored === 'string' && isSamePhone(phone, stored) ? 'phone' : undefined
  }
}

/** Whether a text may be a phone number. */
export function isPhone(text: string): boolean {
  return /^[+\d\s()./-]+$/.test(text) && digitsOf(text).length >= leastDigits
}

// ASSUMED A1402: a number is the same with and without the code of its country: `+49 30 1234567` is `030 1234567`. What is too
// short to be a whole number names only its equal: it ends the numbers of others, too.
function isSamePhone(wanted: string, stored: string): boolean {
  const [one = '', other = ''] = [wanted, digitsOf(stored)].map((number) => number.replace(/^0+/, ''))
  if (Math.min(one.length, other.length) < leastWhole) return one === other
  return other.endsWith(one) || one.endsWith(other)
}

function digitsOf(text: string): string {
  return text.replaceAll(/\D/g, '')
}

// The one customer whom a person on the phone means, by whatever they can say: about themselves, a code, an order.

import type { Client } from '../../../api/client.ts'
import { formatNumber } from '../../../base/numbers.ts'
import { argumentWords } from '../../../base/shell-word.ts'
import { keyProblem } from '../../../bulk/input/key.ts'
import { getOrder } from '../../../contract/orders.ts'
import { getRedemption } from '../../../contract/redemptions.ts'
import { getVoucher } from '../../../contract/vouchers.ts'
import { PromoError } from '../../../errors.ts'
import { tableText } from '../../../output/form/table.ts'
import { warnAfterRows } from '../../../output/warn-after-rows.ts'
import { allOf } from '../../result/all-of.ts'
import { tryRead } from '../../result/try-read.ts'
import {
  type Customer,
  customerAt,
  customersLike,
  isAddress,
  isPhone,
  isSameText,
  type Match,
  searchedText,
  searchNewest,
} from './find.ts'

/** How many of the newest customers are searched for what the service has no filter for. */
const mostSearched = 2000

/**
 * Returns the customer with this id, source id, name, e-mail address or phone number, or who holds this code, placed this order or
 * made this redemption. What nothing is equal to is a code as it is typed (`club 006`), or a part of what is known of one of the
 * newest customers.
 *
 * Throws `api` (exit 3) when there is none, and when the text means several, whom it then lists. `warn` is told when there are
 * customers who were not searched. `noKey` is a text of which it is known that it is no id or source id. With `isWhole` a part names
 * nobody, and those whom it could mean are listed.
 */
export async function oneCustomer(
  client: Client,
  said: string,
  warn: (line: string) => void,
  { noKey, isWhole = false }: { noKey?: string; isWhole?: boolean } = {},
): Promise<Customer> {
  const text = searchedText(said)
  const notes: Notes = { lines: [] }
  const named = text === noKey ? undefined : await customerAt(client, text)
  const matches = await matchesOf(client, text, named, notes)
  const byId = new Map<string, Match>()
  for (const { customer, by } of isWhole ? matches.filter(({ isPart }) => !isPart) : matches) {
    const known = byId.get(customer.id)
    byId.set(customer.id, known === undefined ? { customer, by } : { customer, by: `${known.by}, ${by}` })
  }
  const [first, ...others] = byId.values()
  if (first === undefined && matches.length > 0) {
    const said = `no customer is known by ${JSON.stringify(text)}, and a write takes no part of a name; it may mean:`
    throw await severalCalled(said, matches)
  }
  if (first === undefined) throw nobody(text, notes)
  if (others.length > 0) {
    const all = [first, ...others]
    throw await severalCalled(`${all.length} customers are known by ${JSON.stringify(text)}:`, all)
  }
  if (notes.older)
    warn(`warning: ${notes.older}; promo customers find --search 9000 ${argumentWords(text)} compares more`)
  return first.customer
}

/** What is told with the result, or in place of one. */
interface Notes {
  /** What the key may not read. */
  lines: string[]
  /** A code that exists, and that nobody holds. */
  unheld?: string
  /** That there are customers who were not searched. */
  older?: string
}

/** Everyone whom the text means; `named` is the customer whose id or source id it is. */
async function matchesOf(client: Client, text: string, named: Customer | undefined, notes: Notes): Promise<Match[]> {
  // An id of the service names one thing.
  if (named?.id === text) return [{ customer: named, by: 'id' }]
  const byMail = text.includes('@')
    ? await findBy('e-mail', () => allOf<Customer>(customersLike(client, { email: text })))
    : []
  const bySource = named ? [{ customer: named, by: 'source id' }] : []
  // Nobody gives codes and orders the e-mail address of a customer.
  if (byMail.length > 0) return [...bySource, ...byMail]
  const exact = [
    ...bySource,
    ...(await Promise.all([
      ...(isName(text) ? [findBy('name', () => allOf<Customer>(customersLike(client, { name: text })))] : []),
      ...(keyProblem(text) === undefined ? aboutThings(text) : []),
    ])),
  ].flat()
  // No filter finds a phone number, which may be that of somebody else.
  if (isPhone(text)) return [...exact, ...(await searchLists())]
  if (exact.length > 0 || notes.unheld !== undefined) return exact
  const typed = ['', '-'].map((blank) => text.replaceAll(/\s/g, blank).toUpperCase())
  for (const code of new Set(typed)) {
    if (code === text || keyProblem(code) !== undefined) continue
    const holders = await findBy('code', () => holderOf(code))
    if (holders.length > 0 || notes.unheld !== undefined) return holders
  }
  return await searchLists()

  function aboutThings(key: string): Promise<Match[]>[] {
    return [
      findBy('code', () => holderOf(key)),
      findBy('order', async () => [customerOf(await client.call(getOrder, { path: { orderId: key } }))]),
      ...(/^rr?f?_/.test(key)
        ? [
            findBy('redemption', async () => [
              customerOf(await client.call(getRedemption, { path: { redemptionId: key } })),
            ]),
          ]
        : []),
    ]
  }

  async function holderOf(code: string): Promise<(string | undefined)[]> {
    const voucher = await client.call(getVoucher, { path: { code } }, { mayBeRefused: true })
    const { holder_id } = voucher as { holder_id?: string | null }
    if (holder_id == null) notes.unheld = code
    return [holder_id ?? undefined]
  }

  /** Reads the customers behind ids; a refusal is noted. */
  async function findBy(by: string, find: () => Promise<(Customer | string | undefined)[]>): Promise<Match[]> {
    const all = await tryRead(find, ({ status, message }) => {
      if (status !== 404) notes.lines.push(`${by} not looked for: ${message}`)
    })
    const customers = await Promise.all(
      (all ?? []).map(async (one) => (typeof one === 'string' ? await customerAt(client, one) : one)),
    )
    return customers.flatMap((customer) => (customer === undefined ? [] : [{ customer, by }]))
  }

  async function searchLists(): Promise<Match[]> {
    const lists = warnAfterRows()
    const search = await tryRead(
      () => searchNewest(client, text, mostSearched, lists),
      ({ message }) => notes.lines.push(`customers not searched: ${message}`),
    )
    if (search === undefined) return []
    lists.mustBeComplete()
    if (search.hasMore)
      notes.older = `only the ${formatNumber(mostSearched)} newest customers were searched, there are older ones`
    // A whole address is nobody else's, though it may be the end of another: `ann@shop.example`, `joann@shop.example`.
    if (isAddress(text)) return search.matches.filter(({ customer }) => isSameText(customer.email, text))
    return search.matches
  }
}

/** Codes, orders and phone numbers have digits; the names of people have none. */
function isName(text: string): boolean {
  return /^[^\d@]*\p{L}[^\d@]*$/u.test(text)
}

function customerOf(answer: object): string | undefined {
  const { customer_id, customer } = answer as { customer_id?: string | null; customer?: { id?: string } | null }
  return customer_id ?? customer?.id
}

function nobody(text: string, { lines, unheld, older }: Notes): PromoError {
  const said = `no customer is known by ${JSON.stringify(text)}, as id, source id, name, e-mail address, phone number, code, order or redemption`
  const notes = [
    ...lines,
    ...(unheld === undefined ? [] : [`the code ${JSON.stringify(unheld)} exists, and nobody holds it`]),
    ...(older === undefined ? [] : [older]),
  ]
  return new PromoError('api', [said, ...notes].join('; '), { hint: hintFor() })

  function hintFor(): string {
    if (unheld !== undefined) return `promo vouchers get ${argumentWords(unheld)}`
    // Everything was searched: another search finds no more.
    return older === undefined ? 'promo customers list' : `promo customers find --search 9000 ${argumentWords(text)}`
  }
}

const columns = [
  { name: 'by', kind: 'identifier' },
  { name: 'name', kind: 'identifier' },
  { name: 'email', kind: 'identifier' },
  { name: 'source_id', kind: 'identifier' },
  { name: 'id', kind: 'identifier' },
] as const

/** How many of several customers are listed: more are no help to anybody on the phone. */
const mostListed = 20

async function severalCalled(said: string, matches: readonly Match[]): Promise<PromoError> {
  const rows = matches.slice(0, mostListed).map(({ customer, by }) => {
    const { name, email, phone, source_id, id } = customer as typeof customer & { phone?: unknown }
    return { by, name, email: email ?? phone, source_id, id }
  })
  const lines = [said]
  const look = { header: true, color: false, timeZone: 'UTC' }
  let table = ''
  for await (const piece of tableText(once(rows), columns, look)) table += piece
  lines.push(
    ...table
      .trimEnd()
      .split('\n')
      .map((line) => `  ${line.trimEnd()}`),
  )
  const left = matches.length - mostListed
  if (left > 0) lines.push(`  and ${left} more`)
  return new PromoError('api', lines.join('\n'), {
    hint: 'promo customers show ID, with one of these ids',
    hasLines: true,
  })
}

async function* once<Row>(rows: Row[]): AsyncGenerator<Row[]> {
  yield rows
}

// The one customer whom a person on the phone means, by whatever they can say: about themselves, a code, an order.
import type { Client } from '../../../api/client.ts'
import { grouped } from '../../../base/grouped.ts'
import { shellWord } from '../../../base/shell-word.ts'
import { keyProblem } from '../../../bulk/input/key.ts'
import { getOrder } from '../../../contract/orders.ts'
import { getRedemption } from '../../../contract/redemptions.ts'
import { getVoucher } from '../../../contract/vouchers.ts'
import { EXIT, PromoError } from '../../../errors.ts'
import { tableText } from '../../../output/form/table.ts'
import { rowsFirst } from '../../../output/rows-first.ts'
import { unlessRefused } from '../../result/unless-refused.ts'
import { allOf, type Customer, customerAt, customersLike, findCustomers, isPhone } from './find.ts'

/** A customer, and what of them the text is. */
interface Match {
  customer: Customer
  by: string
}

/** How many of the newest customers are searched for a phone number: the service has no filter for it. */
const searchedForPhone = 2000
const olderOnes = 'there are older customers, whose phone numbers were not compared: only those of the'

/** The calls that it makes. */
export const wordsCalls = [getVoucher, getOrder, getRedemption] as const

/**
 * Returns the customer with this id, source id, name, e-mail address or phone number, or who holds this code, placed this order or
 * made this redemption.
 *
 * Throws `api` (exit 3) when there is none, and when the text means several, whom it then lists.
 */
export async function oneCustomer(client: Client, text: string): Promise<Customer> {
  const notes: string[] = []
  const matches = await matchesOf(client, text, notes)
  const byId = new Map<string, Match>()
  for (const { customer, by } of matches) {
    const known = byId.get(customer.id)
    byId.set(customer.id, known === undefined ? { customer, by } : { customer, by: `${known.by}, ${by}` })
  }
  const [first, ...others] = byId.values()
  if (first === undefined) throw nobody(text, notes)
  if (others.length === 0) return first.customer
  throw await several(text, [first, ...others])
}

/** Everyone whom the text means. `notes` gets what was found without a customer, and what the key may not read. */
async function matchesOf(client: Client, text: string, notes: string[]): Promise<Match[]> {
  const named = await customerAt(client, text)
  // An id of the service names one thing.
  if (named?.id === text) return [{ customer: named, by: 'id' }]
  const ways: [by: string, isPossible: boolean, find: () => Promise<(Customer | string | undefined | null)[]>][] = [
    ['name', isName(text), async () => await allOf(customersLike(client, { name: text }))],
    ['e-mail', text.includes('@'), async () => await allOf(customersLike(client, { email: text }))],
    ['phone', isPhone(text), async () => await withPhone(client, text, notes)],
    ['code', true, async () => [holderOf(await client.call(getVoucher, { path: { code: text } }), notes)]],
    ['order', true, async () => [customerOf(await client.call(getOrder, { path: { orderId: text } }))]],
    [
      'redemption',
      /^rr?f?_/.test(text),
      async () => [customerOf(await client.call(getRedemption, { path: { redemptionId: text } }))],
    ],
  ]
  const isPath = keyProblem(text) === undefined
  const found = await Promise.all(
    ways.map(async ([by, isPossible, find]) => {
      if (!isPossible || !(isPath || ['name', 'e-mail', 'phone'].includes(by))) return []
      const all = await unlessRefused(find, ({ status, message }) => {
        if (status !== 404) notes.push(`${by} not looked for: ${message}`)
      })
      const customers = await Promise.all(
        (all ?? []).map(async (one) => (typeof one === 'string' ? await customerAt(client, one) : one)),
      )
      return customers.flatMap((customer) => (customer == null ? [] : [{ customer, by }]))
    }),
  )
  return [...(named ? [{ customer: named, by: 'source id' }] : []), ...found.flat()]
}

/** Codes, orders and phone numbers have digits; the names of people have none. */
function isName(text: string): boolean {
  return /^[^\d@]*\p{L}[^\d@]*$/u.test(text)
}

/** Another one may have the number where not all customers were read. */
async function withPhone(client: Client, text: string, notes: string[]): Promise<Customer[]> {
  const lists = rowsFirst()
  const { customers, hasMore } = await findCustomers(client, text, searchedForPhone, lists)
  lists.mustBeComplete()
  if (hasMore) notes.push(`${olderOnes} ${grouped(searchedForPhone)} newest ones`)
  return customers
}

function holderOf(voucher: object, notes: string[]): string | undefined {
  const { code, holder_id } = voucher as { code?: string; holder_id?: string | null }
  if (holder_id == null) notes.push(`the code ${JSON.stringify(code)} exists, and nobody holds it`)
  return holder_id ?? undefined
}

function customerOf(answer: object): string | undefined {
  const { customer_id, customer } = answer as { customer_id?: string | null; customer?: { id?: string } | null }
  return customer_id ?? customer?.id
}

function nobody(text: string, notes: readonly string[]): PromoError {
  const said = `no customer is known by ${JSON.stringify(text)}, as id, source id, name, e-mail address, phone number, code, order or redemption`
  return new PromoError('api', EXIT.refused, [said, ...notes].join('; '), { hint: hintFor() })

  function hintFor(): string {
    const word = shellWord(text)
    if (notes.some((note) => note.startsWith('the code '))) return `promo vouchers get ${word}`
    if (notes.some((note) => note.startsWith(olderOnes))) return `promo customers find ${word} --search 9000`
    // The numbers of all customers were compared: another search finds no more.
    return isPhone(text) ? 'promo customers list' : `promo customers find ${word}`
  }
}

const columns = [
  { name: 'by', kind: 'identifier' },
  { name: 'name', kind: 'identifier' },
  { name: 'email', kind: 'identifier' },
  { name: 'source_id', kind: 'identifier' },
  { name: 'id', kind: 'identifier' },
] as const

async function several(text: string, matches: readonly Match[]): Promise<PromoError> {
  const rows = matches.map(({ customer, by }) => {
    const { name, email, phone, source_id, id } = customer as typeof customer & { phone?: unknown }
    return { by, name, email: email ?? phone, source_id, id }
  })
  const lines = [`${matches.length} customers are known by ${JSON.stringify(text)}:`]
  const look = { header: true, color: false, timeZone: 'UTC' }
  let table = ''
  for await (const piece of tableText(once(rows), columns, look)) table += piece
  lines.push(
    ...table
      .trimEnd()
      .split('\n')
      .map((line) => `  ${line.trimEnd()}`),
  )
  return new PromoError('api', EXIT.refused, lines.join('\n'), {
    hint: 'promo customers show ID, with one of these ids',
    hasLines: true,
  })
}

async function* once<Row>(rows: Row[]): AsyncGenerator<Row[]> {
  yield rows
}

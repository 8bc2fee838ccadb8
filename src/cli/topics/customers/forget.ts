// Forgetting a customer, and reading afterwards what still names them.
import type { Client } from '../../../api/client.ts'
import { ofMissing } from '../../../api/outcome/call-error.ts'
import { formatCount } from '../../../base/numbers.ts'
import { argumentWords } from '../../../base/shell-word.ts'
import { deleteCustomerPermanently, getCustomer } from '../../../contract/customers.ts'
import { listOrders } from '../../../contract/orders.ts'
import { listPublications } from '../../../contract/publications.ts'
import { listRedemptions } from '../../../contract/redemptions.ts'
import { listVouchers } from '../../../contract/voucher-lists.ts'
import { PromoError } from '../../../errors.ts'
import { forgottenColumns } from '../../../output/columns/forgotten.ts'
import { shownValue } from '../../prompt/asked-value.ts'
import { nameIn } from '../../prompt/detail.ts'
import { carryOut, type Writing } from '../../request/carry-out.ts'
import { isKeyOf } from '../../request/customers/find.ts'
import { idOfCustomer, idToFind, isContact } from '../../request/customers/flag.ts'
import { tryRead } from '../../result/try-read.ts'

/** What may name a customer, and how it is read. */
const places = {
  order: (client: Client, id: string) =>
    client.items(listOrders, { query: { filters: { customer_id: { conditions: { $is: id } } } } }),
  voucher: (client: Client, id: string) => client.items(listVouchers, { query: { customer: id } }),
  redemption: (client: Client, id: string) => client.items(listRedemptions, { query: { customer: id } }),
  publication: (client: Client, id: string) => client.items(listPublications, { query: { customer: id } }),
}

/** The calls that show what names a customer. */
export const traceCalls = [listOrders, listVouchers, listRedemptions, listPublications]

/** The ids of what names a customer in one place, or why it could not be read. */
interface Trace {
  what: string
  ids?: string[]
  why?: string
}

/**
 * Removes a customer for good, with orders, events and places in segments, and shows what names the id before and after.
 *
 * Throws `api` for nobody, and for somebody who is still there afterwards.
 */
export async function forgetCustomer(
  text: string,
  { takesSourceId }: { takesSourceId: boolean },
  run: Writing,
): Promise<void> {
  const { show } = run
  const endpoint = deleteCustomerPermanently
  const isFound = takesSourceId || !isContact(text)
  await carryOut(run, { columns: forgottenColumns, endpoint }, ({ client }) => ({
    requests: [client.plan(endpoint, { path: { customerId: isFound ? text : idToFind(text) } })],
    async prepare() {
      const named = isFound ? text : await idOfCustomer(client, text, show.warn, { isWhole: true })
      const customer = await client.call(getCustomer, { path: { customerId: named } })
      if (!isKeyOf(customer, named))
        throw new PromoError(
          'api',
          `the service answered with customer ${shownValue(customer.id)}, who is not ${shownValue(text)}`,
          { hint: `promo customers get ${argumentWords(customer.id)}` },
        )
      const { id } = customer
      const before = await tracesOf(client, id)
      const held = before.flatMap(({ what, ids }) => (ids?.length ? [formatCount(ids.length, what)] : []))
      const detail = async () => ({ text: ` (${[nameIn(customer), ...held].join(', ')})` })
      return {
        question: { action: `forget customer ${shownValue(text)}`, detail, isFinal: true },
        async send() {
          await client.call(endpoint, { path: { customerId: id } })
          const left = await tracesOf(client, id)
          if (!(await isGone(client, id)))
            throw new PromoError('api', `customer ${shownValue(text)} still exists`, {
              hint: `promo customers get ${argumentWords(id)}`,
            })
          const rows = left.map(({ what, ids, why }, at) => ({
            what: `${what}s`,
            before: before[at]?.ids?.length,
            left: ids?.length,
            ids,
            why: why ?? before[at]?.why,
          }))
          const shown = [{ what: 'customers', before: 1, left: 0, ids: [] }, ...rows]
          await show.afterWrite.rows(shown, forgottenColumns)
          show.say(
            `what is left has the id ${id}; what this computer recorded: promo history --subject ${argumentWords(id)}`,
          )
        },
      }
    },
  }))
}

async function tracesOf(client: Client, id: string): Promise<Trace[]> {
  return await Promise.all(
    Object.entries(places).map(async ([what, list]) => {
      let why: string | undefined
      const ids = await tryRead(
        async () => {
          const found: string[] = []
          for await (const item of list(client, id)) found.push(String((item as { id?: unknown }).id))
          return found
        },
        ({ message }) => (why = message),
      )
      return { what, ...(ids && { ids }), ...(why !== undefined && { why }) }
    }),
  )
}

/** Says whether there is no customer with this id any more. */
export async function isGone(client: Client, customerId: string): Promise<boolean> {
  return (
    (await client.call(getCustomer, { path: { customerId } }, { mayBeRefused: true }).catch(ofMissing)) === undefined
  )
}

/** Returns what in the service still has the id of a customer. */
export async function leftOf(client: Client, id: string) {
  const traces = await tracesOf(client, id)
  return traces.map(({ what, ids, why }) => ({ what: `${what}s`, left: ids?.length, ids, why }))
}

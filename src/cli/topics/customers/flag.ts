// The flag of a list that names a customer, by whatever `customers show` takes: one mechanism for all lists.
import { Flags } from '@oclif/core'
import type { Client } from '../../../api/client.ts'
import { getCustomer, listCustomers } from '../../../contract/customers.ts'
import { getOrder } from '../../../contract/orders.ts'
import { getRedemption } from '../../../contract/redemptions.ts'
import { getVoucher } from '../../../contract/vouchers.ts'
import type { Named } from '../../result/named.ts'
import { unlessRefused } from '../../result/unless-refused.ts'
import { customerAt } from './find.ts'

/** Declares it; `only` says what it chooses. */
export const customerFlag = (only: string) =>
  Flags.string({ description: `${only}: whatever customers show takes`, helpValue: 'WHO' })

/** The calls that finding a customer makes. */
export const customerCalls = [getCustomer, listCustomers, getVoucher, getOrder, getRedemption] as const

/** Reads the customer of an id; whatever else `idOfCustomer` took, it found. */
export const namedCustomer: Named = async (client, text) =>
  text.startsWith('cust_') && (await client.call(getCustomer, { path: { customerId: text } }))

/**
 * Returns the id of the customer whom a flag of a list names, by whatever `oneCustomer` knows; an id or source id is taken
 * first. Where the key may not read customers the text is returned: it may be an id or a source id.
 */
export async function idOfCustomer(
  client: Client,
  text: string | undefined,
  warn: (line: string) => void,
): Promise<string | undefined> {
  if (text === undefined || text.startsWith('cust_')) return text
  let isRefused = false
  const named = await unlessRefused(
    () => customerAt(client, text),
    () => (isRefused = true),
  )
  if (isRefused) return text
  if (named !== undefined) return named.id
  const { oneCustomer } = await import('./one.ts')
  return (await oneCustomer(client, text, warn, text)).id
}

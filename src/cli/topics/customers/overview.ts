// What support needs to know about one customer, gathered from several calls, each of which a key may be refused.
import type { Client } from '../../../api/client.ts'
import { listCustomerRedeemables, listCustomers } from '../../../contract/customers.ts'
import { listRedemptions } from '../../../contract/redemptions.ts'
import { listHolders } from '../../../contract/referrals.ts'
import { listSegments } from '../../../contract/segments.ts'
import type { RowsFirst } from '../../../output/warn-after-rows.ts'
import type { Customer } from '../../request/customers/find.ts'
import { partReader } from '../../result/try-read.ts'
import { namesOf, type Person } from './names.ts'

/** How many of each are read; the newest come first. */
export const limits = { holdings: 20, redemptions: 10, segments: 25, codes: 3, friends: 20 } as const

/** A part of a page that was refused, and why. */
export interface Missing {
  part: string
  why: string
}

/** A page about one customer: the service's own objects, and what was not readable. */
export interface Overview {
  customer: Customer
  segments: object[]
  /** What the customer holds, as the service lists it. */
  holdings: object[]
  redemptions: object[]
  referrals: { referred_by: Person[]; referred: (Person & { code: string; since?: unknown })[] }
  /** What there is more of than is shown: `holdings`. */
  more: string[]
  not_shown: Missing[]
}

/**
 * Gathers the page. A part that the key may not read is named in `not_shown`, `lists` learns which list may not be complete;
 * throws what else goes wrong.
 */
export async function overviewOf(client: Client, customer: Customer, lists: RowsFirst): Promise<Overview> {
  const more: string[] = []
  const not_shown: Missing[] = []
  const part = partReader((part, why) => not_shown.push({ part, why }))
  async function some(name: string, most: number, items: AsyncIterable<object>): Promise<object[]> {
    const found: object[] = []
    for await (const item of lists.of(items)) found.push(item)
    if (found.length > most) more.push(name)
    return found.slice(0, most)
  }

  const { id } = customer
  const path = { customerId: id }
  const [segments, holdings, redemptions] = await Promise.all([
    part('segments', [], async () => {
      const all = await some('segments', limits.segments, client.items(listSegments))
      const are = await Promise.all(all.map((segment) => isIn(client, customer, segment, lists)))
      return all.filter((_, at) => are[at])
    }),
    part('holdings', [], async () => {
      const most = limits.holdings
      const options = { limit: most + 1 }
      return await some('holdings', most, client.items(listCustomerRedeemables, { path }, options))
    }),
    part('redemptions', [], async () => {
      const most = limits.redemptions
      const query = { customer: id, order: '-created_at' as const }
      return await some('redemptions', most, client.items(listRedemptions, { query }, { limit: most + 1 }))
    }),
  ])
  const referred = await part('referrals', [], async () => {
    const codes = holdings.filter(isReferralCode).map(codeOf)
    if (codes.length > limits.codes) more.push('referrals')
    const lists = codes.slice(0, limits.codes).map(async (code) => {
      const found = client.items(listHolders, { path: { memberId: code } }, { limit: limits.friends + 1 })
      const holders = (await some('referrals', limits.friends, found)) as Holder[]
      return holders.filter(({ customer_id }) => customer_id !== id).map((holder) => ({ ...holder, code }))
    })
    return (await Promise.all(lists)).flat()
  })
  const referrers = referrersOf(customer)
  const { people, why } = await namesOf(client, [...referrers, ...referred.map(({ customer_id }) => customer_id)])
  if (why !== undefined) not_shown.push({ part: 'names', why })
  const person = (one: string) => people.get(one) ?? { id: one }
  return {
    customer,
    segments,
    holdings,
    redemptions,
    referrals: {
      referred_by: referrers.map(person),
      referred: referred.map(({ customer_id, code, created_at }) => ({
        ...person(customer_id),
        code,
        since: created_at,
      })),
    },
    more: [...new Set(more)],
    not_shown,
  }
}

interface Holder {
  customer_id: string
  created_at?: unknown
}

/** Whether a customer is in a segment. The service cannot be asked that, so its customers of that very instant are listed. */
async function isIn(client: Client, { id, created_at }: Customer, segment: object, lists: RowsFirst): Promise<boolean> {
  const { id: segment_id } = segment as { id: string }
  const query = { segment_id, ...(created_at !== undefined && { created_at: around(created_at) }) }
  for await (const item of lists.of(client.items(listCustomers, { query }, { limit: 1000 }))) {
    if ((item as Customer).id === id) return true
  }
  return false
}

function around(instant: string) {
  const ms = Date.parse(instant)
  return { after: new Date(ms - 1000).toISOString(), before: new Date(ms + 1000).toISOString() }
}

function isReferralCode(holding: object): boolean {
  return (holding as { holder_role?: unknown }).holder_role === 'REFERRER'
}

/** The code of what a customer holds; its id where the service leaves out the code. */
function codeOf(holding: object): string {
  const { redeemable, redeemable_id } = holding as {
    redeemable?: { voucher?: { code?: string } }
    redeemable_id: string
  }
  return redeemable?.voucher?.code ?? redeemable_id
}

function referrersOf({ referrals }: Customer): string[] {
  const ids = (referrals?.campaigns ?? []).map(({ referrer_id }) => referrer_id)
  return [...new Set(ids.filter((id) => typeof id === 'string'))].slice(0, limits.friends)
}

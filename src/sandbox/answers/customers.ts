// Customers as the service shows them: the stored facts, and what they redeemed, hold, bought and recommended.
// Source: docs/service/customers.md#fields.
import { withoutNull } from '../../base/record.ts'
import type { Context, Tables } from '../http/route.ts'
import { customerFactsOf, type HeldCards } from '../stores/customer-summary.ts'
import { customers, type StoredCustomer, type StoredSegment } from '../stores/customers.ts'

/** Shows a customer. Members that are not set are absent; the counters are those of this instant. */
export function customerAnswer(customer: StoredCustomer, context: Pick<Context, 'project' | 'store'>) {
  const facts = customerFactsOf(context.store, context.project.id, customer.id)
  return { ...customerFacts(customer), ...countersOf(facts), system_metadata: {} }
}

/** Returns what a file of customers tells of each, beside the stored facts. */
export function customerTotals({ id }: { id: string }, context: Pick<Context, 'project' | 'store'>) {
  const facts = customerFactsOf(context.store, context.project.id, id)
  const { summary, loyalty } = countersOf(facts)
  return { ...summary, loyalty, last_order_date: facts.orders.last_order_date }
}

/** Shows a customer without the counters, as the events of other things do: they grow with what the customer did. */
export function customerFacts(customer: StoredCustomer) {
  const { id, source_id, created_at, metadata, address, ...fields } = customer
  const place = withoutNull((address ?? {}) as Record<string, unknown>)
  return {
    ...withoutNull(fields),
    id,
    source_id,
    name: customer.name ?? null,
    ...(Object.keys(place).length > 0 && { address: place }),
    ...(Object.keys(metadata).length > 0 && { metadata }),
    created_at,
    object: 'customer',
  }
}

/** Shows a segment; who is in a static one is asked with the list of customers. */
export function segmentAnswer({ customers: _, ...segment }: StoredSegment) {
  return segment
}

/** Shows the customer who holds a code, without counters; undefined while nobody does, or when that customer was deleted. */
export function holderAnswer({ holder_id }: { holder_id: string | null }, context: Tables) {
  const holder = holder_id === null ? undefined : context.in(customers).get(holder_id)
  return holder && customerFacts(holder)
}

/** Shows the customer of something else in short, with the ids, name and e-mail address; unset metadata is absent. */
export function briefCustomer({ id, source_id, name = null, email = null, metadata }: StoredCustomer) {
  const hasMetadata = Object.keys(metadata).length > 0
  return { id, source_id, name, email, ...(hasMetadata && { metadata }), object: 'customer' }
}

type Facts = ReturnType<typeof customerFactsOf>

function countersOf({ redemptions, cards, orders, referred, received }: Facts) {
  const { redeemed_amount, redeemed_points, ...counts } = redemptions
  const points = leftOn(cards, 'LOYALTY_CARD')
  const { total_amount, total_count, last_order_amount } = orders
  return {
    summary: {
      redemptions: {
        // ASSUMED A1051: every attempt is a redemption of the total, also one that failed or was rolled back later.
        total_redeemed: counts.total_failed + counts.total_succeeded,
        ...counts,
        gift: { redeemed_amount, amount_to_go: leftOn(cards, 'GIFT_VOUCHER') },
        loyalty_card: { redeemed_points, points_to_go: points },
      },
      orders: {
        total_amount,
        total_count,
        average_amount: total_count === 0 ? 0 : Math.round(total_amount / total_count),
        last_order_amount,
      },
    },
    loyalty: {
      points,
      referred_customers: friendsIn(referred),
      campaigns: campaignsOf(cards, referred),
    },
    referrals: {
      total: received.length,
      campaigns: received.map(({ created_at, customer_id: _, campaign: __, ...told }) => ({
        ...told,
        date: created_at,
      })),
    },
  }
}

/** By name, what is left on the loyalty cards of a campaign, and how many friends converted there. */
function campaignsOf(cards: Facts['cards'], referred: Facts['referred']) {
  const loyalty = cards.filter(({ type }) => type === 'LOYALTY_CARD')
  const names = new Set([...loyalty, ...referred].flatMap(({ campaign }) => campaign ?? []))
  return Object.fromEntries(
    [...names].map((name) => {
      const held = loyalty.filter(({ campaign }) => campaign === name)
      const loyalty_tier = held.find(({ tier_id }) => tier_id !== null)?.tier_id
      const referred_customers = friendsIn(referred.filter(({ campaign }) => campaign === name))
      return [name, { points: leftOn(held, 'LOYALTY_CARD'), referred_customers, ...(loyalty_tier && { loyalty_tier }) }]
    }),
  )
}

function leftOn(cards: readonly HeldCards[], type: HeldCards['type']): number {
  return cards.reduce((total, card) => total + (card.type === type ? card.balance : 0), 0)
}

function friendsIn(conversions: Facts['referred']): number {
  return new Set(conversions.map(({ customer_id }) => customer_id)).size
}

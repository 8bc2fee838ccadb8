// The tier of a member: decided again after every change of points and at night, and announced.
// Source: docs/service/loyalty-tiers.md#qualification; docs/service/loyalty-tiers.md#events.

import type { TierChange } from '../../../contract/loyalty-tiers.ts'
import { campaignOf } from '../../answers/campaign-facts.ts'
import { holderAnswer } from '../../answers/customers.ts'
import { loyaltyTierAnswer, memberTierAnswer, settingsOfTiers, tierOf, tiersOf } from '../../answers/loyalty.ts'
import type { Context } from '../../http/route.ts'
import { job } from '../../jobs/job.ts'
import { nextStay, type Standing, type TierStay } from '../../rules/balances/loyalty-tiers.ts'
import { dayAt, endOfDay, startOfDay } from '../../rules/calendar/day.ts'
import { is, isBetween } from '../../storage/conditions.ts'
import { customers } from '../../stores/customers.ts'
import { earningRules, loyaltyTiers, type StoredLoyaltyTier, type StoredStay } from '../../stores/loyalty.ts'
import { loyaltyTransactions } from '../../stores/transactions.ts'
import { type StoredVoucher, vouchers } from '../../stores/vouchers.ts'
import { earnPoints } from './earn.ts'
import { withNextDue } from './next-due.ts'

/** Decides about the tier of a member after a change of points. */
export const memberJob = job(({ voucher_id }: { voucher_id: string }, context) => {
  const card = context.in(vouchers).get(voucher_id)
  if (card) settleTier(card, context)
  return undefined
})

/**
 * Decides which tier the holder of a card is in now, stores it with the card, and announces a change. Returns the card.
 *
 * `card` must be the current stored card; other changes the caller made to it are stored with a change of the tier only.
 */
export function settleTier(card: StoredVoucher, context: Context, decide = nextStay): StoredVoucher {
  const settings = settingsOfTiers(card, context)
  if (!settings || !card.campaign_id) return card
  const stay = decide(tiersOf(card.campaign_id, context), settings, card.tier, standingOf(card, context))
  if (stay === card.tier) return card
  const { tier: before, ...rest } = card
  const tier = stay && storedStay(before, stay, context)
  const settled = withNextDue({ ...rest, ...(tier && { tier }) }, context)
  context.in(vouchers).update(settled)
  announce(card, settled, context)
  return settled
}

function standingOf(card: StoredVoucher, context: Context): Standing {
  const { timezone } = context.project
  return {
    today: dayAt(context.now, timezone),
    balance: card.loyalty_card?.balance ?? 0,
    collected: ({ first, last }) =>
      context
        .in(loyaltyTransactions)
        .all([
          is(loyaltyTransactions, 'voucher_id', card.id),
          isBetween(loyaltyTransactions, 'created_at', startOfDay(first, timezone), endOfDay(last, timezone)),
        ])
        .filter(({ type }) => collecting.has(type))
        .reduce((sum, { details }) => sum + (details.balance.points ?? 0), 0),
  }
}

// ASSUMED A1763: what rules and people add counts as collected, and pending points from the day they become active; points
// that come from another card or back from a redemption do not, and nothing subtracts.
const collecting: ReadonlySet<string> = new Set(['POINTS_ACCRUAL', 'POINTS_ADDITION', 'PENDING_POINTS_ACTIVATION'])

function storedStay(before: StoredStay | undefined, stay: TierStay, { now }: Pick<Context, 'now'>): StoredStay {
  return before?.tier_id === stay.tier_id
    ? { ...stay, created_at: before.created_at, updated_at: now }
    : { ...stay, created_at: now, updated_at: null }
}

function announce(before: StoredVoucher, after: StoredVoucher, context: Context): void {
  const customer = holderAnswer(after, context)
  if (!customer) return
  const [from, to] = [tierOf(before, context), tierOf(after, context)]
  const about = { customer, ...campaignOf(after, context) }
  const created_at = context.now
  const [left, held] = [memberTierAnswer(before, context), memberTierAnswer(after, context)]
  if (from && to && from.id !== to.id) {
    const change = to.points.from > from.points.from ? 'upgraded' : 'downgraded'
    emit(change, { ...about, loyalty_tier_from: left, loyalty_tier_to: held, created_at }, customer.id, context)
    react(change, to, customer.id, context)
    return
  }
  const tier = to ?? from
  if (!tier) return
  if (from && to && !isOver(before, context)) {
    const { expiration_date = null } = after.tier ?? {}
    const told = { ...about, loyalty_tier: held, created_at, expiration_date }
    context.emit('customer.loyalty.tier.expiration.changed', customer.id, told)
    return
  }
  const change = from ? (to ? 'prolonged' : 'left') : 'joined'
  emit(change, { ...about, loyalty_tier: held ?? loyaltyTierAnswer(tier), created_at }, customer.id, context)
  react(change, tier, customer.id, context)
}

function isOver({ tier }: StoredVoucher, { now, project }: Context): boolean {
  return tier?.expiration_date !== undefined && tier.expiration_date < dayAt(now, project.timezone)
}

function emit(change: TierChange, data: Record<string, unknown>, customerId: string, context: Context): void {
  context.emit(`customer.loyalty.tier.${change}`, customerId, data)
}

/** The job that adds points for a change of a tier. */
export const tierEventKind = 'loyalty.tier.happened'

interface Happened {
  event: string
  event_id: string
  tier_id: string
  customer_id: string
}

function react(change: TierChange, tier: StoredLoyaltyTier, customer_id: string, context: Context): void {
  const event = `customer.loyalty.tier.${change}`
  if (context.in(earningRules).count([is(earningRules, 'event', event)]) === 0) return
  const happened: Happened = { event, event_id: context.id('ev_'), tier_id: tier.id, customer_id }
  context.later(tierEventKind, happened)
}

/** Adds points by the earning rules about the tier. */
export const tierEventJob = job(({ event, event_id, tier_id, customer_id }: Happened, context) => {
  const customer = context.in(customers).get(customer_id)
  const tier = context.in(loyaltyTiers).get(tier_id)
  if (!customer || !tier) return undefined
  const told = { id: event_id, type: event }
  earnPoints({ event, tier, customer, details: { event: told }, cause: { event: told } }, context)
  return undefined
})

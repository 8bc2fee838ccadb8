// Counts and budgets: earlier redemptions, plus this attempt.
// Source: docs/service/validation-rules.md#counts-and-budgets.
import { timeZoneOf } from '../../../base/time/time-zone.ts'
import type { RedemptionQuery, RuleContext, RuleSubject } from './context.ts'

const periods = ['', '.daily', '.weekly', '.monthly'] as const
type Period = (typeof periods)[number]

/** Targets that count redemptions or add up orders; each counting target also exists per day, week and month. */
export const countSubjects: Readonly<Record<string, RuleSubject>> = Object.fromEntries([
  ...periods.flatMap((period) => [
    [`redemption.count.per_customer${period}`, perCustomer(period)],
    [
      `campaign.redemptions.count${period}`,
      countSubject((context) => timesRedeemed(context, ofCampaign(context), period)),
    ],
    [`campaign.redemptions.customers_count${period}`, countSubject((context) => customers(context, period))],
    ...(period
      ? [[`redemption.count${period}`, countSubject((context) => timesRedeemed(context, ofOne(context), period))]]
      : []),
  ]),
  // ASSUMED A641: the budget of orders counts them before discounts.
  [
    'campaign.orders.amount',
    countSubject((context) => past(context, ofCampaign(context)).orders_amount + (context.order?.amount ?? 0)),
  ],
  [
    'campaign.orders.amount_discounted',
    countSubject((context) => past(context, ofCampaign(context)).orders_amount_discounted + context.discountAmount),
  ],
])

function countSubject(read: (context: RuleContext) => number): RuleSubject {
  return { kind: 'redemption', values: 'number', read: (context) => ({ value: read(context) }) }
}

function perCustomer(period: Period): RuleSubject {
  return {
    kind: 'redemption',
    values: 'number',
    read(context) {
      if (!context.customer) return { missing: 'customer' }
      const { id } = context.customer
      // A customer without an id is new to the service: this is the first redemption.
      if (id === undefined) return { value: 1 }
      return { value: timesRedeemed(context, { ...ofOne(context), customer_id: id }, period) }
    },
  }
}

function timesRedeemed(context: RuleContext, query: RedemptionQuery, period: Period): number {
  return past(context, query, period).count + 1
}

/** Distinct customers; this one counts once, however often they redeemed before. */
function customers(context: RuleContext, period: Period): number {
  const query = ofCampaign(context)
  const id = context.customer?.id
  const cameBefore = id !== undefined && past(context, { ...query, customer_id: id }, period).count > 0
  return past(context, { ...query, countsCustomers: true }, period).customers_count + (cameBefore ? 0 : 1)
}

function past(context: RuleContext, query: RedemptionQuery, period: Period = '') {
  return context.redemptions(period === '' ? query : { ...query, since: startOf(period, context) })
}

function ofOne({ redeemable }: RuleContext): RedemptionQuery {
  if (redeemable.object === 'campaign') return { campaign_id: redeemable.id }
  return { object: redeemable.object, id: redeemable.id }
}

/** ASSUMED A642: a campaign count on an object without a campaign counts that object alone. */
function ofCampaign(context: RuleContext): RedemptionQuery {
  return context.campaign ? { campaign_id: context.campaign.id } : ofOne(context)
}

/** Returns when the current day, week or month began, by the wall clock of the project's zone. */
function startOf(period: Exclude<Period, ''>, { now, timeZone, weekStartsOn }: RuleContext): string {
  const zone = timeZoneOf(timeZone)
  const wall = new Date(zone.wallAt(Date.parse(now)))
  wall.setUTCHours(0, 0, 0, 0)
  if (period === '.monthly') wall.setUTCDate(1)
  if (period === '.weekly') wall.setUTCDate(wall.getUTCDate() - ((wall.getUTCDay() - weekStartsOn + 7) % 7))
  return new Date(zone.instantAt(wall.getTime())).toISOString()
}

// Rules about the entire order: its amounts, and all its lines together.
// Source: docs/service/validation-rules.md#targets; docs/service/validation-rules.md#amounts-in-rules.
import { sum } from '../../../base/list.ts'
import { ownValue } from '../../../base/record.ts'
import { timeZoneOf } from '../../../base/time/time-zone.ts'
import type { Metadata } from '../../../contract/fields.ts'
import { amountDue, type OrderLine, type OrderState, unitPrice } from '../pricing/order.ts'
import {
  type ConditionValues,
  idOf,
  type RedemptionQuery,
  type RuleContext,
  type RuleSubject,
  type SubjectValue,
} from './context.ts'
import { orderLines } from './order-lines.ts'

/** Targets that read the amounts of an order, or all its lines at once. */
const orderSubjects: Readonly<Record<string, RuleSubject>> = {
  // The amount changes along a stack: what is left before this incentive, and after it
  // (docs/service/validation-rules.md#amounts-in-rules).
  'order.amount': amountOf(({ order }) => leftOf(order)),
  'order.total_amount': {
    kind: 'order',
    values: 'number',
    // For an order with an amount but no total, the incentive was refused, and that refusal is what matters.
    read: ({ order, orderAfter }) =>
      order?.amount !== undefined && !orderAfter ? { each: [] } : readAmount(order, leftOf(orderAfter)),
  },
  'order.initial_amount': amountOf(({ order, initialOrder }) => (initialOrder ?? order)?.amount),
  // ASSUMED A652: items are counted in units, so three pieces on one line are 3.
  'order.items.count': ofLines('number', (lines) => ({ value: sum(lines, (line) => line.quantity) })),
  'order.items.price_any': ofLines('number', (lines) => ({ any: lines.map(unitPrice) })),
  'order.items.price_each': ofLines('number', (lines) => ({ each: lines.map(unitPrice) })),
  'order.items.metadata_any': ofMetadata(
    (values) => ({ any: values }),
    (line) => line.metadata,
  ),
  'order.items.metadata_each': ofMetadata(
    (values) => ({ each: values }),
    (line) => line.metadata,
  ),
  'product.metadata': ofMetadata(
    (values) => ({ any: values }),
    (line) => line.product?.metadata,
  ),
}

function amountOf(amount: (context: RuleContext) => number | undefined): RuleSubject {
  return { kind: 'order', values: 'number', read: (context) => readAmount(context.order, amount(context)) }
}

function readAmount(order: OrderState | undefined, value: number | undefined): SubjectValue {
  return value === undefined ? { missing: order ? 'amount' : 'order' } : { value }
}

function leftOf(order: OrderState | undefined): number | undefined {
  return order?.amount === undefined ? undefined : amountDue(order)
}

function ofLines(values: ConditionValues, read: (lines: readonly OrderLine[]) => SubjectValue): RuleSubject {
  return {
    kind: 'order',
    values,
    read(context) {
      const found = orderLines(context)
      return 'missing' in found ? found : read(found.lines)
    },
  }
}

function ofMetadata(
  quantified: (values: unknown[]) => SubjectValue,
  metadataOf: (line: OrderLine) => Record<string, unknown> | undefined,
): RuleSubject {
  return {
    kind: 'order',
    values: 'any',
    property: true,
    read(context, property) {
      const found = orderLines(context)
      return 'missing' in found ? found : quantified(found.lines.map((line) => ownValue(metadataOf(line), property)))
    },
  }
}

// Counts and budgets: earlier redemptions, plus this attempt.
// Source: docs/service/validation-rules.md#counts-and-budgets.

const periods = ['', '.daily', '.weekly', '.monthly'] as const
type Period = (typeof periods)[number]

/** Targets that count redemptions or add up orders; each counting target also exists per day, week and month. */
const countSubjects: Readonly<Record<string, RuleSubject>> = Object.fromEntries([
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

// The targets of rules, by their wire name.
// Source: docs/service/validation-rules.md#targets; docs/service/validation-rules.md#refused-rules.

/** Every supported target that reads the context without sub-rules; those with sub-rules are in order-lines.ts. */
export const ruleSubjects: Readonly<Record<string, RuleSubject>> = {
  'customer.segment': {
    kind: 'customer',
    values: 'reference',
    audience: true,
    read: ({ customer, isInSegment }) =>
      customer ? { belongsTo: (segment) => isInSegment(idOf(segment) ?? '') } : { missing: 'customer' },
  },
  // ASSUMED A1770: the conditions of a tier name it by its id, as those of a segment do.
  'customer.loyalty.tier': {
    kind: 'customer',
    values: 'reference',
    audience: true,
    read: ({ customer, isInTier }) =>
      customer ? { belongsTo: (tier) => isInTier(idOf(tier) ?? '') } : { missing: 'customer' },
  },
  'customer.metadata': {
    kind: 'customer',
    values: 'any',
    audience: true,
    property: true,
    read: ({ customer }, property) =>
      customer ? { value: ownValue(customer.metadata, property) } : { missing: 'customer' },
  },
  'publication.redeemable_by_linked_customer': {
    kind: 'customer',
    values: 'flag',
    read: ({ customer, isHolder }) => (customer ? { value: isHolder } : { missing: 'customer' }),
  },
  'order.metadata': {
    kind: 'order',
    values: 'any',
    property: true,
    read: ({ order }, property) => (order ? { value: ownValue(order.metadata, property) } : { missing: 'order' }),
  },
  'redemption.metadata': inMetadata((context) => context.metadata),
  'custom_event.metadata': inMetadata((context) => context.eventMetadata),
  'redemption.gift.amount': redemptionSubject((context) => context.giftCredits),
  'redemption.reward.pay_with_points.points_used': redemptionSubject((context) => context.pointsUsed),
  'redemption.api_key': {
    kind: 'redemption',
    values: 'reference',
    read: ({ apiKey }) => ({ belongsTo: (key) => apiKey !== undefined && idOf(key) === apiKey }),
  },
  ...orderSubjects,
  ...countSubjects,
}

function inMetadata(metadataOf: (context: RuleContext) => Metadata | undefined): RuleSubject {
  return {
    kind: 'redemption',
    values: 'any',
    property: true,
    read: (context, property) => ({ value: ownValue(metadataOf(context), property) }),
  }
}

function redemptionSubject(read: (context: RuleContext) => number | undefined): RuleSubject {
  return { kind: 'redemption', values: 'number', read: (context) => ({ value: read(context) }) }
}

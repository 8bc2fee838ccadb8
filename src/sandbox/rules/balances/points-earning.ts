// Points that a customer earns by an earning rule for an order or an event.
// Source: docs/service/pricing.md#rounding; docs/service/loyalty.md#earning.
import type { Metadata } from '../../../contract/fields.ts'
import type { RuleContext } from '../conditions/context.ts'
import type { Customer } from '../eligibility/customer.ts'
import { type ValidityLimits, validityState } from '../eligibility/validity.ts'
import { type ApplicableEntry, entryMatches } from '../pricing/applicable.ts'
import { decimal, roundHalfUp } from '../pricing/money.ts'
import { amountDue, type OrderLine, type OrderState, subtotal } from '../pricing/order.ts'

/** `points` for every full `every` of a quantity; amounts are in the smallest currency unit. */
export interface PointsForEvery {
  every: number
  points: number
  /** Key in the metadata, for metadata calculations. */
  property?: string
  /** Product, SKU or collection that counts, for calculations on items; absent means all lines. */
  object?: ApplicableEntry['object']
  id?: string
}

export type CalculationType = keyof typeof calculations

/** How a rule converts an order or an event to points. */
export type Earning =
  | { type: 'FIXED'; points: number }
  | ({ type: 'PROPORTIONAL'; calculation_type: CalculationType } & Partial<
      Record<'order' | 'order_items' | 'customer' | 'custom_event', Record<string, PointsForEvery>>
    >)

/** A rule of a loyalty campaign. `event` is `order.paid` or the name of a custom event. */
export interface EarningRule extends ValidityLimits {
  id: string
  event: string
  active?: boolean | null
  loyalty: Earning
}

/** The facts that points depend on. */
export interface EarningContext {
  order?: OrderState | undefined
  customer?: Customer | undefined
  eventMetadata?: Metadata | undefined
  isInCollection: RuleContext['isInCollection']
}

type Amount = number | undefined

const calculations = {
  ORDER_AMOUNT: { in: 'order', of: 'amount', read: ({ order }) => order?.amount },
  ORDER_TOTAL_AMOUNT: { in: 'order', of: 'total_amount', read: ({ order }) => order && amountDue(order) },
  ORDER_METADATA: { in: 'order', of: 'metadata', read: ({ order }, every) => numberIn(order?.metadata, every) },
  ORDER_ITEMS_QUANTITY: { in: 'order_items', of: 'quantity', read: overLines((line) => line.quantity) },
  ORDER_ITEMS_AMOUNT: { in: 'order_items', of: 'amount', read: overLines((line) => line.amount ?? 0) },
  ORDER_ITEMS_SUBTOTAL_AMOUNT: { in: 'order_items', of: 'subtotal_amount', read: overLines(subtotal) },
  CUSTOMER_METADATA: {
    in: 'customer',
    of: 'metadata',
    read: ({ customer }, every) => numberIn(customer?.metadata, every),
  },
  CUSTOM_EVENT_METADATA: {
    in: 'custom_event',
    of: 'metadata',
    read: ({ eventMetadata }, every) => numberIn(eventMetadata, every),
  },
} as const satisfies Record<
  string,
  {
    in: 'order' | 'order_items' | 'customer' | 'custom_event'
    of: string
    read: (context: EarningContext, every: PointsForEvery) => Amount
  }
>

/** Returns whether a rule reacts to an event now: its own event, active, within its dates and windows. */
export function reactsTo(rule: EarningRule, event: string, now: string, timeZone: string): boolean {
  return rule.event === event && rule.active !== false && validityState(rule, now, timeZone) === 'open'
}

/**
 * Computes the points of a rule: an integer, 0 when the order or the event has nothing to count.
 *
 * Only full multiples count: 5 points for every 10.00 give 10 for 29.99.
 */
export function earnedPoints(earning: Earning, context: EarningContext): number {
  if (earning.type === 'FIXED') return wholePoints(earning.points)
  const every = forEvery(earning)
  const amount = every && calculations[earning.calculation_type].read(context, every)
  if (!every || amount === undefined || every.every <= 0) return 0
  return wholePoints(Math.floor(decimal(amount / every.every)) * every.points)
}

/** Returns why an earning cannot be stored, or undefined: an earning that could not yield points as intended is refused. */
export function earningProblem(earning: Earning): string | undefined {
  if (earning.type === 'FIXED') return isPositive(earning.points) ? undefined : '.loyalty.points must be > 0'
  if (earning.type !== 'PROPORTIONAL') return '.loyalty.type must be one of FIXED, PROPORTIONAL'
  const type: string | undefined = earning.calculation_type
  if (type === undefined) return ".loyalty should have required property 'calculation_type'"
  if (!Object.hasOwn(calculations, type)) return `Calculation '${type}' is not supported by the embedded service`

  const { in: group, of } = calculations[earning.calculation_type]
  const every = forEvery(earning)
  if (!every) return `.loyalty.${group} must have required property '${of}'`
  if (!isPositive(every.every)) return `.loyalty.${group}.${of}.every must be > 0`
  if (!isPositive(every.points)) return `.loyalty.${group}.${of}.points must be > 0`
  return of === 'metadata' && !every.property
    ? `.loyalty.${group}.${of} must have required property 'property'`
    : undefined
}

function forEvery(earning: Extract<Earning, { type: 'PROPORTIONAL' }>): PointsForEvery | undefined {
  const { in: group, of } = calculations[earning.calculation_type]
  return earning[group]?.[of]
}

function overLines(of: (line: OrderLine) => number): (context: EarningContext, every: PointsForEvery) => Amount {
  return ({ order, isInCollection }, { object, id }) => {
    const counts = (line: OrderLine) => !object || !id || entryMatches({ isInCollection }, { object, id }, line)
    return order?.items.filter(counts).reduce((total, line) => total + of(line), 0)
  }
}

function numberIn(metadata: Metadata | undefined, { property = '' }: PointsForEvery): Amount {
  const value = metadata && Object.hasOwn(metadata, property) ? metadata[property] : undefined
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined
}

function wholePoints(points: number): number {
  return Math.max(0, roundHalfUp(points))
}

function isPositive(value: unknown): boolean {
  return typeof value === 'number' && Number.isFinite(value) && value > 0
}

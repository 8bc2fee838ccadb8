// Exports of customers, their orders, redemptions and publications. Source: docs/service/exports.md#columns.

import { customerTotals } from '../../answers/customers.ts'
import { campaigns } from '../../stores/campaigns.ts'
import { customers, type StoredCustomer } from '../../stores/customers.ts'
import { orders, type StoredOrder } from '../../stores/orders.ts'
import { publications, type StoredPublication } from '../../stores/publications.ts'
import { redemptions, type StoredRedemption } from '../../stores/redemptions.ts'
import { vouchers } from '../../stores/vouchers.ts'
import {
  type ColumnValue,
  exportKind,
  fieldValue,
  type LookupContext,
  majorUnits,
  orderedBy,
  plainColumns,
} from './columns.ts'

const inAddress = ['city', 'state', 'line_1', 'line_2', 'country', 'postal_code'] as const

const redemptionTotals = [
  'total_redeemed',
  'total_failed',
  'total_succeeded',
  'total_rolled_back',
  'total_rollback_failed',
  'total_rollback_succeeded',
] as const

type Totals = ReturnType<typeof customerTotals>

/** Counted once for all cells of a row. */
const counted = new WeakMap<StoredCustomer, Totals>()

function total(of: (totals: Totals) => unknown): ColumnValue<StoredCustomer> {
  return (customer, look) => {
    const totals = counted.get(customer) ?? customerTotals(customer, look)
    counted.set(customer, totals)
    return of(totals)
  }
}

/** Customers, with their totals of the moment in which the row is written. Amounts are in major currency units. */
export const customerExports = exportKind<StoredCustomer>({
  from: [customers],
  columns: {
    ...plainColumns('name', 'id', 'description', 'email', 'source_id', 'created_at', 'updated_at'),
    ...Object.fromEntries(
      inAddress.map((name): [string, ColumnValue<StoredCustomer>] => [
        `address_${name}`,
        ({ address }) => address && fieldValue(address as object, name),
      ]),
    ),
    ...plainColumns('phone', 'birthdate'),
    ...Object.fromEntries(
      redemptionTotals.map((name) => [`redemptions_${name}`, total(({ redemptions }) => redemptions[name])]),
    ),
    orders_total_amount: total(({ orders }) => majorUnits(orders.total_amount)),
    orders_total_count: total(({ orders }) => orders.total_count),
    orders_average_amount: total(({ orders }) => majorUnits(orders.average_amount)),
    orders_last_order_amount: total(({ orders }) => majorUnits(orders.last_order_amount)),
    orders_last_order_date: total(({ last_order_date }) => last_order_date),
    loyalty_points: total(({ loyalty }) => loyalty.points),
    loyalty_referred_customers: total(({ loyalty }) => loyalty.referred_customers),
  },
  hasMetadata: true,
  defaults: ['name', 'source_id'],
  orders: orderedBy('name', 'id', 'email', 'source_id', 'created_at', 'updated_at'),
})

const money = ['amount', 'discount_amount', 'items_discount_amount', 'total_discount_amount', 'total_amount'] as const

/** Orders. Amounts are in major currency units. */
export const orderExports = exportKind<StoredOrder>({
  from: [orders],
  columns: {
    ...plainColumns('id', 'source_id', 'created_at', 'updated_at', 'status'),
    ...Object.fromEntries(
      money.map((name): [string, ColumnValue<StoredOrder>] => [name, (order) => majorUnits(fieldValue(order, name))]),
    ),
    ...plainColumns('customer_id', 'referrer_id'),
  },
  hasMetadata: true,
  defaults: ['id', 'source_id', 'status'],
  orders: orderedBy('created_at', 'updated_at', 'status'),
})

/** Redemptions and rollbacks, failed ones included. Amounts are in major currency units. */
export const redemptionExports = exportKind<StoredRedemption>({
  from: [redemptions],
  columns: {
    ...plainColumns('id', 'object'),
    date: ({ created_at }) => created_at,
    voucher_code: codeOf,
    campaign: ({ campaign_id }, look) => campaign_id && look.in(campaigns).get(campaign_id)?.name,
    promotion_tier_id: ({ related_object_type, related_object_id }) =>
      related_object_type === 'promotion_tier' ? related_object_id : undefined,
    ...plainColumns('customer_id'),
    customer_source_id: (redemption, look) => customerOf(redemption, look)?.source_id,
    customer_name: (redemption, look) => customerOf(redemption, look)?.name,
    ...plainColumns('tracking_id'),
    order_id: ({ order }) => order?.id,
    order_amount: ({ order }) => majorUnits(order?.amount),
    gift_amount: ({ gift }) => gift && majorUnits(fieldValue(gift as object, 'amount')),
    loyalty_points: ({ loyalty_card }) => loyalty_card && fieldValue(loyalty_card as object, 'points'),
    ...plainColumns('result', 'failure_code', 'failure_message'),
  },
  hasMetadata: true,
  defaults: ['id', 'object', 'voucher_code', 'customer_id', 'date', 'result'],
  orders: orderedBy('id', 'voucher_code', 'tracking_id', 'customer_id', 'created_at'),
})

/** Publications, each with the first of its codes. */
export const publicationExports = exportKind<StoredPublication>({
  from: [publications],
  columns: {
    // The published default has the column under this name.
    code: ({ voucher_code }) => voucher_code,
    ...plainColumns('voucher_code', 'customer_id'),
    customer_source_id: ({ customer_id }, look) => look.in(customers).get(customer_id)?.source_id,
    date: ({ created_at }) => created_at,
    ...plainColumns('channel'),
    campaign: ({ campaign_id }, look) => campaign_id && look.in(campaigns).get(campaign_id)?.name,
    // There are no lotteries here, so the column is empty.
    ...plainColumns('is_winner'),
  },
  hasMetadata: true,
  defaults: ['voucher_code', 'customer_id', 'date', 'channel'],
  orders: orderedBy('id', 'voucher_code', 'tracking_id', 'customer_id', 'created_at', 'channel'),
})

function codeOf({ related_object_type, related_object_id }: StoredRedemption, look: LookupContext): unknown {
  return related_object_type === 'voucher' ? look.in(vouchers).get(related_object_id)?.code : undefined
}

function customerOf({ customer_id }: StoredRedemption, look: LookupContext): StoredCustomer | undefined {
  return customer_id === null ? undefined : look.in(customers).get(customer_id)
}

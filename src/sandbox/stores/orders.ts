// Orders that the service stores: those of redemptions, and those created on their own.

import type { Order } from '../rules/pricing/order.ts'
import { collection, type Stored } from '../storage/collection.ts'

/** An order as on the wire; its lines and discounts are the starting point of a new evaluation. */
export interface StoredOrder extends Stored, Omit<Order, keyof Stored> {
  customer_id?: string | null
  /** The redemptions it was paid with, by id. */
  redemptions?: Record<string, OrderRedemption>
}

/** A redemption as its order mentions it. */
export interface OrderRedemption {
  date: string
  related_object_type: string
  related_object_id: string
  /** The campaign. */
  related_object_parent_id?: string
  /** The parts of a parent. */
  stacked?: string[]
  rollback_id?: string
  rollback_date?: string
  /** The roll-backs of the parts. */
  rollback_stacked?: string[]
}

/** Orders, by their own id or by the shop's. */
export const orders = collection<StoredOrder>('orders', 'order', 'ord_', {
  key: 'source_id',
  indexed: { customer_id: 'text', status: 'text' },
  many: ['status'],
  filterable: { amount: 'number', total_amount: 'number', referrer_id: 'text' },
})

/** How the id of a line begins. Source: docs/service/pricing.md#order-in-answers. */
export const lineIdPrefix = 'ordli_'

/** Orders that were paid once, by the id of the order: none earns twice, whatever becomes of its status. */
export const orderPayments = collection<Stored>('order_payments', 'order_payment', 'ord_')

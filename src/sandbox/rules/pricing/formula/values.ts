// The values a formula may name: amounts of the order and of one line, in major units, and metadata by key.

import type { Metadata } from '../../../../contract/fields.ts'
import type { Customer } from '../../eligibility/customer.ts'
import type { OrderLine, OrderState } from '../order.ts'

/** The context of a formula. Formulas use MAJOR units; the order here is in minor units. */
export interface FormulaContext {
  order?: OrderState | undefined
  /** The line a formula on items is evaluated for. */
  line?: OrderLine | undefined
  customer?: Customer | undefined
  /** The request's own `metadata`. */
  metadata: Metadata
  /** Metadata of the voucher, or of the tier. */
  redeemableMetadata: Metadata
}

/** Names of values; each returns undefined when the context does not have it. */
export const values: Readonly<Record<string, (context: FormulaContext) => number | undefined>> = {
  ORDER_AMOUNT: ({ order }) => major(order?.amount),
  // ASSUMED A611: items are lines and units are pieces, so two lines of three pieces are 2 and 6.
  ORDER_ITEMS_QUANTITY: ({ order }) => order?.items.length,
  ORDER_UNITS_QUANTITY: ({ order }) => order?.items.reduce((sum, line) => sum + line.quantity, 0),
  ORDER_ITEM_PRICE: ({ line }) => major(line?.price),
  ORDER_ITEM_AMOUNT: ({ line }) => major(line?.amount),
  ORDER_ITEM_SUBTOTAL: ({ line }) => major(line && subtotal(line)),
  ORDER_ITEM_UNITS_QUANTITY: ({ line }) => line?.quantity,
}

/** Names with a key in quotes: `CUSTOMER_METADATA("age")`. */
export const metadataValues: Readonly<Record<string, (context: FormulaContext) => Metadata | undefined>> = {
  CUSTOMER_METADATA: ({ customer }) => customer?.metadata,
  ORDER_METADATA: ({ order }) => order?.metadata,
  REDEMPTION_METADATA: ({ metadata }) => metadata,
  REDEEMABLE_METADATA: ({ redeemableMetadata }) => redeemableMetadata,
}

function subtotal(line: OrderLine): number | undefined {
  return line.amount === undefined ? undefined : line.amount - line.discount_amount
}

function major(minor: number | undefined): number | undefined {
  return minor === undefined ? undefined : minor / 100
}

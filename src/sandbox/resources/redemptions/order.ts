// The order of a redemption: what is stored of it, and how a rollback reverts its discounts.
// Source: docs/service/pricing.md#order-in-answers; docs/service/pricing.md#stored-orders; docs/service/redemptions.md#orders.
import type { z } from 'zod'
import type { order, orderItem, order as orderSchema } from '../../../contract/order.ts'
import type { Context } from '../../http/route.ts'
import { type Catalogue, calculateOrder, type OrderState } from '../../rules/pricing/order.ts'
import { orders, type StoredOrder } from '../../stores/orders.ts'
import { products } from '../../stores/products.ts'
import type { OrderAdditions, StoredRedemption } from '../../stores/redemptions.ts'
import { amountOf } from '../evaluation/request.ts'
import { orderFacts, type SavedOrder, storeOrder } from '../orders/save.ts'
import { upsertProduct, upsertSku } from '../products/upsert.ts'

/** Stores the order as the redeemables left it: paid, unless the request says otherwise. Throws 400 (metadata). */
export function saveOrder(
  said: z.output<typeof orderSchema> | undefined,
  calculated: OrderState,
  customerId: string | undefined,
  context: Context,
): SavedOrder {
  const before = calculated.created_at === undefined ? undefined : context.in(orders).get(calculated.id ?? '')
  const order = orderFacts(
    {
      ...calculated,
      id: before?.id ?? context.id(orders.prefix),
      source_id: before ? (before.source_id ?? undefined) : calculated.source_id,
      created_at: before?.created_at ?? context.now,
      status: said?.status ?? 'PAID',
      zeros: undefined,
    },
    {
      customer_id: customerId ?? before?.customer_id ?? null,
      updated_at: before ? context.now : null,
      ...(before?.redemptions && { redemptions: before.redemptions }),
    },
  )
  return storeOrder(before, order, context)
}

/** Shows the order as one redeemable left it, under the id it is stored by. */
export function orderAfter(state: OrderState, kept: StoredOrder): NonNullable<StoredRedemption['order']> {
  const { id, source_id, created_at, status, customer_id = null, updated_at } = kept
  return {
    // A discount of zero is told here, unlike in a validation.
    applied_discount_amount: 0,
    total_applied_discount_amount: 0,
    ...orderFacts(
      { ...state, id, source_id: source_id ?? undefined, created_at, status, customer_id: customer_id ?? undefined },
      { customer_id, ...(updated_at != null && { updated_at }) },
    ),
  }
}

/** Notes on a stored order which redemptions it was paid with. */
export function noteRedemptions(
  kept: StoredOrder,
  redeemed: readonly StoredRedemption[],
  context: Context,
): StoredOrder {
  const notes = redeemed.map(
    ({ id, date, related_object_type, related_object_id, campaign_id, related_redemptions }) => {
      const stacked = related_redemptions?.redemptions?.map((child) => child.id)
      return [
        id,
        {
          date,
          related_object_type,
          related_object_id,
          ...(campaign_id !== null && { related_object_parent_id: campaign_id }),
          ...(stacked && { stacked }),
        },
      ]
    },
  )
  const order = { ...kept, redemptions: { ...kept.redemptions, ...Object.fromEntries(notes) } }
  context.in(orders).update(order)
  return order
}

/** What a redemption added to the lines of an order besides discounts; undefined without free units. */
export function addedUnits(before: OrderState | undefined, after: OrderState): OrderAdditions | undefined {
  const lines = after.items.map((line, at) => {
    const old = before?.items[at]
    return {
      quantity: line.quantity - (old?.quantity ?? 0),
      discount_quantity: line.discount_quantity - (old?.discount_quantity ?? 0),
      amount: (line.amount ?? 0) - (old?.amount ?? 0),
    }
  })
  const isNothing = lines.every(({ quantity, discount_quantity }) => quantity === 0 && discount_quantity === 0)
  return isNothing ? undefined : { amount: (after.amount ?? 0) - (before?.amount ?? 0), lines }
}

/** Notes on a stored order that a redemption was rolled back, with those that were made together with it. */
export function noteRollbacks(
  kept: StoredOrder,
  { id, date, redemption = '' }: StoredRedemption,
  together: readonly StoredRedemption[],
  context: Context,
): StoredOrder {
  const note = kept.redemptions?.[redemption]
  if (!note) return kept
  const told = {
    ...note,
    rollback_id: id,
    rollback_date: String(date),
    ...(together.length > 0 && { rollback_stacked: together.map((rollback) => rollback.id) }),
  }
  const order = { ...kept, redemptions: { ...kept.redemptions, [redemption]: told } }
  context.in(orders).update(order)
  return order
}

/** Cancels the order of a redemption and removes the effects of that redemption from it; later discounts stay. */
export function cancelOrder(
  redemption: StoredRedemption,
  catalogue: Catalogue,
  context: Context,
): StoredOrder | undefined {
  const stored = context.in(orders).get(redemption.order?.id ?? '')
  if (!stored) return undefined
  const state = calculateOrder({ ...catalogue, order: () => stored }, stored)
  if (!state) return undefined
  const undone = withoutRedemption(state, redemption)
  const canceled = orderFacts(
    { ...undone, id: stored.id, created_at: stored.created_at, status: 'CANCELED' },
    {
      customer_id: stored.customer_id ?? null,
      updated_at: context.now,
      ...(stored.redemptions && { redemptions: stored.redemptions }),
    },
  )
  return storeOrder(stored, canceled, context).order
}

function withoutRedemption(state: OrderState, { order, undo }: StoredRedemption): OrderState {
  const less = (value: number, taken = 0) => Math.max(0, value - taken)
  const lines = (order?.items ?? []) as Array<{ applied_discount_amount?: number }>
  const items = state.items.map((line, at) => {
    const added = undo?.lines[at]
    return {
      ...line,
      gotUnits: line.discount_quantity > (added?.discount_quantity ?? 0),
      discount_amount: less(line.discount_amount, lines[at]?.applied_discount_amount),
      quantity: less(line.quantity, added?.quantity),
      discount_quantity: less(line.discount_quantity, added?.discount_quantity),
      amount: line.amount === undefined ? undefined : less(line.amount, added?.amount),
    }
  })
  return {
    ...state,
    amount: state.amount === undefined ? undefined : less(state.amount, undo?.amount),
    initial_amount: undo ? undefined : state.initial_amount,
    discount_amount: less(state.discount_amount, order?.applied_discount_amount),
    items: items.filter((line, at) => line.quantity > 0 || state.items[at]?.quantity === 0),
  }
}

// Products and SKUs in a redemption's order that the request asks to store.
// Source: docs/service/pricing.md#line-prices.

type Item = z.output<typeof orderItem>

/** Stores or changes what lines mark with `override: true`; nothing else of a request changes the catalogue. */
export function saveOverrides(said: z.output<typeof order> | undefined, context: Context): void {
  for (const item of said?.items ?? []) {
    const isSku = item.related_object === 'sku'
    if (item.product?.override === true)
      upsertProduct(bodyOf(item.product, item.product_id, isSku ? undefined : item.source_id), context)
    if (item.sku?.override === true) keepSku(item, item.sku, isSku, context)
  }
}

function keepSku(item: Item, { sku, ...given }: NonNullable<Item['sku']>, isSku: boolean, context: Context): void {
  const named = item.product_id ?? item.product?.id ?? item.product?.source_id
  const product = named == null ? undefined : context.in(products).find(named)
  // ASSUMED A281: a SKU without a stored product cannot be stored and is used for this order only.
  if (product) upsertSku(product, { ...bodyOf(given, item.sku_id, isSku ? item.source_id : undefined), sku }, context)
}

function bodyOf(
  { id, source_id, ...fields }: Pick<NonNullable<Item['product']>, 'id' | 'source_id' | 'name' | 'price' | 'metadata'>,
  lineId: string | null | undefined,
  lineSourceId: string | null | undefined,
) {
  const ownId = id ?? lineId
  const { name, price, metadata } = fields
  return {
    ...(ownId != null && { id: ownId }),
    source_id: source_id ?? lineSourceId,
    ...(name !== undefined && { name }),
    ...(price !== undefined && { price: price === null ? null : amountOf(price) }),
    ...(metadata && { metadata }),
  }
}

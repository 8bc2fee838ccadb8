// Calculates the order of a request: finds prices, multiplies lines, adds up totals.
// Source: docs/service/pricing.md#line-prices; docs/service/pricing.md#order-sums;
// docs/service/pricing.md#given-amounts; docs/service/pricing.md#stored-orders.

import { sum } from '../../../base/list.ts'
import { withoutNull } from '../../../base/record.ts'
import type { Metadata } from '../../../contract/fields.ts'
import { roundHalfUp } from './money.ts'
import type { Product, ProductReference, Sku } from './product.ts'

/** A line as a request may specify it: leniently, quantities may be texts. */
export interface OrderItemRequest {
  /** Only a stored line has one. */
  id?: string
  object?: string
  product_id?: string | null
  sku_id?: string | null
  source_id?: string | null
  related_object?: 'product' | 'sku'
  quantity?: number | string
  price?: number
  amount?: number
  initial_quantity?: number
  initial_amount?: number
  discount_quantity?: number
  discount_amount?: number
  product?: Partial<Product> & { override?: boolean }
  sku?: Partial<Sku> & { override?: boolean }
  metadata?: Metadata
}

export interface OrderRequest {
  id?: string
  source_id?: string | null
  status?: string
  amount?: number
  initial_amount?: number
  /** Earlier order-level discounts, on a stored order. */
  discount_amount?: number
  items?: OrderItemRequest[]
  metadata?: Metadata
  referrer_id?: string | null
  /** The customer that the order names, apart from the one of the request. */
  customer?: { id?: string | null; source_id?: string | null }
}

/** An order stored by the service; a new evaluation starts from its lines and discounts. */
export interface Order extends Omit<OrderRequest, 'customer'> {
  id: string
  status: string
  created_at: string
  updated_at?: string | null
}

/** A line during calculation: every counter present, including zero. `orderAnswer` returns the wire form. */
export interface OrderLine extends ProductReference {
  id?: string | undefined
  /** As in the request, for the echo. */
  source_id: string | undefined
  related_object: 'product' | 'sku' | undefined
  /** What is known of the product, for rules and collections; what a line tells of it, for the echo. */
  product: Product | undefined
  sku: Sku | undefined
  toldProduct?: Partial<Product> | undefined
  toldSku?: Partial<Sku> | undefined
  metadata: Metadata | undefined
  quantity: number
  initial_quantity: number
  /** Free units. */
  discount_quantity: number
  /** Undefined when unknown. */
  price: number | undefined
  amount: number | undefined
  initial_amount: number | undefined
  /** Whether `initial_quantity` and `initial_amount` are shown: free units were given, now or by an earlier redemption. */
  gotUnits: boolean
  /** All discounts on this line so far. */
  discount_amount: number
  /** The part of the current step. */
  applied_discount_amount: number
}

/** An order during calculation: every counter present, including zero. Totals are added up by `totals`. */
export interface OrderState {
  id: string | undefined
  source_id: string | undefined
  status: string | undefined
  created_at: string | undefined
  /** Undefined when neither the order nor any line has one. */
  amount: number | undefined
  /** `amount` before units were added. */
  initial_amount: number | undefined
  /** All order-level discounts so far. */
  discount_amount: number
  /** The order-level part of the current step. */
  applied_discount_amount: number
  items: OrderLine[]
  /** Whether the request (or the stored order) has an items array at all. */
  hasItems: boolean
  metadata: Metadata | undefined
  referrer_id: string | undefined
  /** The id of the stored customer that the order of the request names. */
  customer_id: string | undefined
  /** The discounts of zero that the answer of this step tells (docs/service/pricing.md#order-in-answers). */
  zeros?: 'lines' | 'all' | undefined
}

/** The part of the stored state that prices an order. */
export interface Catalogue {
  /** By id or source id. */
  product: (idOrSourceId: string) => Product | undefined
  sku: (idOrSourceId: string) => Sku | undefined
  order: (idOrSourceId: string) => Order | undefined
  customer: (by: { id: string } | { source_id: string }) => { id?: string } | undefined
  /** Makes the id of a line, where lines get one. Source: docs/service/pricing.md#order-in-answers. */
  lineId?: (() => string) | undefined
}

/**
 * Calculates the order of a request, starting from the stored order it names, if any.
 *
 * Fields of the request overwrite stored ones; earlier discounts are kept. A given `amount`, on the order or on a line,
 * is kept even when it contradicts the rest. Undefined when the request has no order.
 */
export function calculateOrder(catalogue: Catalogue, request: OrderRequest | undefined): OrderState | undefined {
  if (!request) return undefined
  const reference = request.id ?? request.source_id
  const stored = reference ? catalogue.order(reference) : undefined
  const merged: OrderRequest = { ...stored, ...request }
  // A stored amount belongs to the stored lines: new lines without an amount are added up again.
  const amount = request.amount ?? (request.items ? undefined : stored?.amount)
  const items = withIds(
    (merged.items ?? []).map((item) => calculateLine(catalogue, item)),
    stored?.items ?? [],
    catalogue.lineId,
  )
  const priced = items.some((line) => line.amount !== undefined)
  return {
    id: stored?.id ?? request.id,
    source_id: merged.source_id ?? undefined,
    status: stored ? merged.status : undefined,
    created_at: stored?.created_at,
    amount: amount ?? (priced ? sum(items, (line) => line.amount ?? 0) : undefined),
    initial_amount: request.items ? undefined : stored?.initial_amount,
    discount_amount: merged.discount_amount ?? 0,
    applied_discount_amount: 0,
    items,
    hasItems: merged.items != null,
    metadata: merged.metadata,
    referrer_id: merged.referrer_id ?? undefined,
    customer_id: customerOf(catalogue, request)?.id,
  }
}

/** Gives lines the id of the stored line that has the same product, SKU and source id, else a new one. */
function withIds(lines: OrderLine[], stored: readonly OrderItemRequest[], lineId: Catalogue['lineId']): OrderLine[] {
  const left = Map.groupBy(stored, nameOf)
  for (const line of lines) line.id ??= (left.size > 0 ? left.get(nameOf(line))?.shift()?.id : undefined) ?? lineId?.()
  return lines
}

function nameOf({ product_id, sku_id, source_id }: OrderItemRequest | OrderLine): string {
  return JSON.stringify([product_id, sku_id, source_id])
}

function customerOf(catalogue: Catalogue, { customer }: OrderRequest) {
  if (customer?.id != null) return catalogue.customer({ id: customer.id })
  return customer?.source_id == null ? undefined : catalogue.customer({ source_id: customer.source_id })
}

/** Returns the derived totals of an order; `total_amount` is what is left to pay and never negative. */
export function totals(order: OrderState) {
  const items_discount_amount = sum(order.items, (line) => line.discount_amount)
  const items_applied_discount_amount = sum(order.items, (line) => line.applied_discount_amount)
  const total_discount_amount = order.discount_amount + items_discount_amount
  return {
    items_discount_amount,
    items_applied_discount_amount,
    // Not reduced when the given amount is too small (docs/service/pricing.md#given-amounts): only the total is clamped.
    total_discount_amount,
    total_applied_discount_amount: order.applied_discount_amount + items_applied_discount_amount,
    total_amount: Math.max(0, (order.amount ?? 0) - total_discount_amount),
  }
}

/** Returns what is left to pay. */
export function amountDue(order: OrderState): number {
  return totals(order).total_amount
}

/**
 * Returns how much discounts on lines may still take together.
 *
 * Normally what is left to pay. When the given order amount is smaller than its lines, the lines count, because the
 * documents show item discounts above such an amount (docs/service/pricing.md#given-amounts).
 */
export function amountDueOnLines(order: OrderState): number {
  const lines = sum(order.items, (line) => line.amount ?? 0)
  return Math.max(0, Math.max(order.amount ?? 0, lines) - totals(order).total_discount_amount)
}

/** Returns what a line still costs; 0 when its price is unknown. */
export function subtotal(line: OrderLine): number {
  return Math.max(0, (line.amount ?? 0) - line.discount_amount)
}

/** Returns the price of one unit, from the line's amount when no price was given; undefined when neither is known. */
export function unitPrice(line: OrderLine): number | undefined {
  if (line.price !== undefined) return line.price
  return line.amount === undefined || line.quantity <= 0 ? undefined : line.amount / line.quantity
}

/** Returns a copy for the next redeemable: everything so far is kept, the `applied_*` counters start at zero. */
export function nextStep(order: OrderState): OrderState {
  return {
    ...order,
    applied_discount_amount: 0,
    items: order.items.map((line) => ({ ...line, applied_discount_amount: 0 })),
    zeros: undefined,
  }
}

/** Adds a discount to a line of a copy made by `nextStep`. */
export function discountLine(line: OrderLine, amount: number): void {
  line.discount_amount += amount
  line.applied_discount_amount += amount
}

/** Returns an order with an order-level discount applied as its own step; lines that it leaves as they are are shared. */
export function discountOrder(order: OrderState, amount: number): OrderState {
  const isKept = order.items.every((line) => line.applied_discount_amount === 0)
  const next = isKept ? order : nextStep(order)
  return { ...next, discount_amount: order.discount_amount + amount, applied_discount_amount: amount, zeros: undefined }
}

function calculateLine(catalogue: Catalogue, item: OrderItemRequest): OrderLine {
  const { product, sku } = productsOf(catalogue, item)
  const [toldProduct, toldSku] = [toldOf(item.product), toldOf(item.sku)]
  // ASSUMED A02: a line without a quantity is one unit; the documents always send one.
  const quantity = Number(item.quantity ?? 1)
  const price = item.price ?? toldSku?.price ?? sku?.price ?? toldProduct?.price ?? product?.price ?? undefined
  const amount = item.amount ?? (price === undefined ? undefined : roundHalfUp(price * quantity))
  return {
    id: item.id,
    product_id: product?.id ?? sku?.product_id ?? item.product_id ?? undefined,
    sku_id: sku?.id ?? item.sku_id ?? undefined,
    source_id: item.source_id ?? undefined,
    related_object: item.related_object,
    product: withSkuMetadata(product, sku),
    sku,
    ...(toldProduct && { toldProduct }),
    ...(toldSku && { toldSku }),
    metadata: item.metadata,
    quantity,
    initial_quantity: item.initial_quantity ?? quantity,
    discount_quantity: item.discount_quantity ?? 0,
    price,
    amount,
    initial_amount: item.initial_amount ?? amount,
    gotUnits: item.initial_quantity !== undefined,
    discount_amount: item.discount_amount ?? 0,
    applied_discount_amount: 0,
  }
}

/**
 * Merges what the catalogue and the request contain of a line's product and SKU.
 *
 * What is stored counts where both say something, unless the line overrides it. The prices and names of a line are those
 * that were sent all the same.
 */
function productsOf(catalogue: Catalogue, item: OrderItemRequest) {
  const bySource = item.source_id ?? undefined
  const skuKey =
    item.sku_id ?? item.sku?.id ?? item.sku?.source_id ?? (item.related_object === 'sku' ? bySource : undefined)
  const sku = mergeStored<Sku>(skuKey ? catalogue.sku(skuKey) : undefined, item.sku)
  const productKey =
    item.product_id ??
    item.product?.id ??
    item.product?.source_id ??
    sku?.product_id ??
    (item.related_object === 'sku' ? undefined : bySource)
  const product = mergeStored<Product>(productKey ? catalogue.product(productKey) : undefined, item.product)
  return { product, sku }
}

type Told<T> = Partial<T> & { override?: boolean }

function mergeStored<T extends Product | Sku>(stored: T | undefined, said: Told<T> | undefined): T | undefined {
  const told = toldOf(said)
  if (!told || !stored) return stored ?? (told as T | undefined)
  const [weak, strong] = said?.override === true ? [stored, told] : [told, stored]
  const metadata = { ...weak.metadata, ...strong.metadata }
  return { ...weak, ...withoutNull(strong), metadata, id: stored.id } as T
}

function toldOf<T>(said: Told<T> | undefined): Partial<T> | undefined {
  if (!said) return undefined
  const { override: _, ...told } = said
  return told as unknown as Partial<T>
}

// ASSUMED A1810: the metadata of a SKU counts as that of its product, and over it.
function withSkuMetadata(product: Product | undefined, sku: Sku | undefined): Product | undefined {
  if (!sku?.metadata || (!product && Object.keys(sku.metadata).length === 0)) return product
  return { ...product, metadata: { ...product?.metadata, ...sku.metadata } } as Product
}

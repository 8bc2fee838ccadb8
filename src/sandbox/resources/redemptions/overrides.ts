// Products and SKUs in a redemption's order that the request asks to store.
// Source: docs/service/pricing.md#line-prices.
import type { z } from 'zod'
import type { order, orderItem } from '../../../contract/order.ts'
import type { Context } from '../../http/route.ts'
import { products } from '../../stores/products.ts'
import { amountOf } from '../evaluation/request.ts'
import { upsertProduct, upsertSku } from '../products/upsert.ts'

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

// Deletes products and SKUs: to the trash bin, or with `force` for good.
// Source: docs/service/products.md#delete-a-product.
import type { Context } from '../../http/route.ts'
import { is } from '../../storage/conditions.ts'
import { binEntries, moveToBin } from '../trash-bin/store.ts'
import { type StoredSku, skus } from './sku-store.ts'
import { products, type StoredProduct } from './store.ts'

/** Deletes a product together with its SKUs. */
export function deleteProduct(product: StoredProduct, force: boolean, context: Context): void {
  // ASSUMED A165: the SKUs of a deleted product are deleted the same way, each with its own entry in the bin.
  for (const sku of context.in(skus).all([is(skus, 'product_id', product.id)])) deleteSku(sku, force, context)
  if (force) context.in(products).remove(product.id)
  else {
    const table = context.in(products)
    const name = product.name ?? product.source_id ?? product.id
    moveToBin({ declared: products, table, id: product.id, name }, context.in(binEntries), entry(context))
  }
}

/** Deletes one SKU. */
export function deleteSku(sku: StoredSku, force: boolean, context: Context): void {
  const table = context.in(skus)
  if (force) {
    table.remove(sku.id)
    return
  }
  const name = sku.sku ?? sku.source_id ?? sku.id
  moveToBin(
    { declared: skus, table, id: sku.id, name, parentId: sku.product_id },
    context.in(binEntries),
    entry(context),
  )
}

function entry(context: Context) {
  return { id: context.id(binEntries.prefix), now: context.now }
}

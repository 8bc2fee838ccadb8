// The members of a product collection: tested for one line of an order, or listed.
// Source: docs/service/products.md#product-collections.
import type { Context } from '../../http/route.ts'
import type { ProductReference } from '../../rules/pricing/product.ts'
import { compileFilters, meets } from '../../storage/filters.ts'
import type { Page } from '../../storage/table.ts'
import {
  productCollections,
  products,
  type StoredProduct,
  type StoredProductCollection,
  type StoredSku,
  skus,
} from '../../stores/products.ts'

type Sight = Pick<Context, 'in' | 'now' | 'store'>

/**
 * Returns whether a line of an order belongs to a collection; false for an unknown collection.
 *
 * A product includes its SKUs, a SKU only itself. The collection of all products includes any line, even one of a
 * product that is not in the catalogue; any other computed one a line whose own product meets the filter. The ids of the
 * line may be source ids.
 */
export function isInCollection(collectionId: string, line: ProductReference, context: Sight): boolean {
  const collection = context.in(productCollections).get(collectionId)
  if (!collection) return false
  if (holdsAll(collection)) return true
  const sku = line.sku_id === undefined ? undefined : context.in(skus).find(line.sku_id)
  const asked = sku?.product_id ?? line.product_id
  const product = asked === undefined ? undefined : context.in(products).find(asked)
  if (collection.filter === null)
    return collection.products.some(({ object, id }) => id === (object === 'sku' ? sku : product)?.id)
  if (!product && !line.product) return false
  const known = { ...product, ...line.product }
  return meets(context.store, products, known, compileFilters(products, collection.filter, context.now))
}

/** Lists the content of a collection, oldest first unless requested otherwise: products, and separately listed SKUs. */
export function membersOf(
  collection: StoredProductCollection,
  query: { limit?: number | undefined; page?: number | undefined; order?: string | undefined },
  context: Sight,
): Page<StoredProduct | StoredSku> {
  const { limit = 10, page = 1, order = 'created_at' } = query
  if (collection.filter !== null)
    return context.in(products).page([compileFilters(products, collection.filter, context.now)], order, limit, page)
  const listed = collection.products.flatMap(({ object, id }): Array<StoredProduct | StoredSku> => {
    const found = object === 'sku' ? context.in(skus).get(id) : context.in(products).get(id)
    return found ? [found] : []
  })
  const items = sortDocs(listed, order).slice((page - 1) * limit, page * limit)
  return { items, total: listed.length }
}

function holdsAll({ filter }: StoredProductCollection): boolean {
  return filter !== null && Object.keys(filter).every((name) => name === 'junction')
}

/** Same order as a table: reversed for `-`, never updated ones first. */
function sortDocs<Doc extends StoredProduct | StoredSku>(docs: readonly Doc[], order: string): Doc[] {
  const field = order.replace(/^-/, '') as 'created_at' | 'updated_at'
  const place = (doc: Doc) => `${doc[field] ?? ''} ${doc.id}`
  const rising = docs.toSorted((a, b) => (place(a) < place(b) ? -1 : 1))
  return order.startsWith('-') ? rising.toReversed() : rising
}

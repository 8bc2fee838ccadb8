// Product collections: the calls, and what they store. Source: docs/service/products.md#product-collections.
import type { z } from 'zod'
import { isRecord, withoutNull } from '../../base/record.ts'
import * as contract from '../../contract/product-collections.ts'
import {
  newProductCollection,
  type updateProductCollection as updateProductCollectionCall,
} from '../../contract/product-collections.ts'
import { existingById, findOr404, routesFor } from '../answers/existing.ts'
import { identityOf, requestOf } from '../http/fixture-object.ts'
import { invalidPayload, notFound, refused } from '../http/refusal.ts'
import {
  type BodyOf,
  type Context,
  type FixtureContext,
  pageAnswer,
  type Resource,
  route,
  type Tables,
} from '../http/route.ts'
import { membersOf } from '../resources/product-collections/members.ts'
import { storeUpdate } from '../resources/update.ts'
import { BadFilter, compileFilters } from '../storage/filters.ts'
import {
  type CollectedProduct,
  productCollections,
  products,
  type StoredProductCollection,
  skus,
} from '../stores/products.ts'
import { validationRules } from '../stores/validation-rules.ts'

const routeFor = routesFor('productCollectionId', (id, context) => existingById(productCollections, id, context))

/** Product collections, by id. */
export const productCollectionResource: Resource = {
  collections: [productCollections],
  load: { product_collections: loadProductCollection },
  routes: [
    // ASSUMED A181: collections are listed newest first, and their content oldest first.
    route(contract.listProductCollections, ({ query }, context) => pageAnswer(productCollections, query, context)),
    route(contract.createProductCollection, ({ body }, context) =>
      context.in(productCollections).insert(buildProductCollection(body, context)),
    ),
    routeFor(contract.getProductCollection, (collection) => collection),
    routeFor(contract.listCollectedProducts, (collection, context, { query }) => {
      const { items, total } = membersOf(collection, query, context)
      return { object: 'list', data_ref: 'data', data: items, total }
    }),
    routeFor(contract.updateProductCollection, (collection, context, { body }) =>
      updateProductCollection(collection, body, context),
    ),
    routeFor(contract.deleteProductCollection, deleteProductCollection),
  ],
}

type Body = z.output<typeof newProductCollection>
type CollectionUpdate = BodyOf<typeof updateProductCollectionCall>

/** Builds a new collection; stores nothing. Throws 400 for a filter that cannot be computed, 404 for an unknown product. */
function buildProductCollection(body: Body, context: Pick<Context, 'id' | 'in' | 'now'>): StoredProductCollection {
  const { name, type, filter, products: given } = body
  // ASSUMED A179: a collection has products or a filter, never both; AUTO_UPDATE without conditions means all products.
  if (type === 'STATIC' && filter !== undefined) throw staticFilter()
  if (type === 'AUTO_UPDATE' && given !== undefined)
    throw invalidPayload('Property .products is not allowed in a collection of type AUTO_UPDATE')
  mustBeComputable(filter ?? {}, context.now)
  return {
    id: context.id(productCollections.prefix),
    name,
    type,
    filter: type === 'AUTO_UPDATE' ? (filter ?? {}) : null,
    products: unique((given ?? []).map((entry) => findCollected(entry, context))),
    created_at: context.now,
    updated_at: null,
    object: 'products_collection',
  }
}

/** Reads a collection of a fixture as the service shows it. */
function loadProductCollection(wire: Record<string, unknown>, loading: FixtureContext): StoredProductCollection {
  const { products: listed, ...rest } = wire
  // The service shows an empty list together with a filter.
  const isBare = Array.isArray(listed) && listed.length === 0
  const entries = Array.isArray(listed) ? listed.map((entry) => (isRecord(entry) ? withoutNull(entry) : entry)) : listed
  const body = requestOf(newProductCollection, isBare ? rest : { ...rest, products: entries })
  return { ...buildProductCollection(body, loading), ...identityOf(productCollections, wire, loading) }
}

/** Renames a collection, or replaces its filter. Throws 400 for a filter that is empty, not computable, or of a `STATIC` one. */
function updateProductCollection(
  collection: StoredProductCollection,
  { name = collection.name, filter = collection.filter ?? undefined }: CollectionUpdate,
  context: Context,
): StoredProductCollection {
  if (collection.type === 'STATIC' && filter !== undefined) throw staticFilter()
  if (filter !== undefined && filter !== collection.filter) {
    if (Object.keys(filter).length === 0) throw invalidPayload('Property .filter must NOT have fewer than 1 properties')
    mustBeComputable(filter, context.now)
  }
  return storeUpdate(productCollections, collection, { ...collection, name, filter: filter ?? null }, context).doc
}

/** Removes a collection. Throws 400 `resource_in_use` while a validation rule refers to it. */
function deleteProductCollection({ id }: StoredProductCollection, context: Context): void {
  // ASSUMED A180: a rule uses a collection when its products or its conditions contain the id.
  const user = context
    .in(validationRules)
    .all()
    .find(({ rules, applicable_to }) => JSON.stringify([rules, applicable_to]).includes(JSON.stringify(id)))
  if (user) throw refused('resource_in_use', `The collection is used by validation rule ${user.id}`)
  context.in(productCollections).remove(id)
}

function staticFilter() {
  return invalidPayload('Property .filter is not allowed in a collection of type STATIC')
}

function findCollected(
  { id, product_id, object }: NonNullable<Body['products']>[number],
  context: Tables,
): CollectedProduct {
  if (object === 'product') {
    const product = findOr404(products, id, context)
    return { id: product.id, product_id: null, object }
  }
  const sku = context.in(skus).find(id)
  const isOwn = product_id === undefined || context.in(products).find(product_id)?.id === sku?.product_id
  if (!sku || !isOwn) throw notFound('sku', id)
  return { id: sku.id, product_id: sku.product_id, object }
}

function mustBeComputable(filter: Record<string, unknown>, now: string): void {
  try {
    compileFilters(products, filter, now)
  } catch (error) {
    if (!(error instanceof BadFilter)) throw error
    throw invalidPayload(error.message.replace('.filters', '.filter'))
  }
}

function unique(entries: readonly CollectedProduct[]): CollectedProduct[] {
  return [...new Map(entries.map((entry) => [entry.id, entry])).values()]
}

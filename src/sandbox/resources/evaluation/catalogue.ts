// Products, SKUs, their collections, and segments, as the rules ask about them.

import type { Snapshot } from '../../rules/model.ts'
import { isInSegment } from '../customers/segment.ts'
import { isInCollection } from '../product-collections/members.ts'
import { skus } from '../products/sku-store.ts'
import { products } from '../products/store.ts'
import type { Sight } from './snapshot.ts'

/** The part of a snapshot that prices orders and sorts products and customers into groups. */
export function catalogueOf(context: Sight): Pick<Snapshot, 'product' | 'sku' | 'isInCollection' | 'isInSegment'> {
  return {
    product: (idOrSourceId) => context.in(products).find(idOrSourceId),
    sku: (idOrSourceId) => context.in(skus).find(idOrSourceId),
    isInCollection: (collectionId, line) => isInCollection(collectionId, line, context),
    isInSegment: (segmentId, customer) => isInSegment(segmentId, customer, context),
  }
}

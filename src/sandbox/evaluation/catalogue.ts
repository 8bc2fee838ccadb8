// Products, SKUs, their collections, and segments, as the rules ask about them.
import type { Snapshot } from '../rules/model.ts'
import type { Sight } from './snapshot.ts'

/** The part of a snapshot that prices orders and sorts products and customers into groups. */
export function catalogueOf(_context: Sight): Pick<Snapshot, 'product' | 'sku' | 'isInCollection' | 'isInSegment'> {
  return {
    product: () => undefined,
    sku: () => undefined,
    isInCollection: () => false,
    isInSegment: () => false,
  }
}

// The rules' view of the catalogue. Wire names; prices are integers in the smallest currency unit.
import type { Metadata } from '../../../contract/fields.ts'

export interface Product {
  id: string
  source_id?: string | null
  name?: string | null
  price?: number | null
  metadata?: Metadata
}

export interface Sku {
  id: string
  product_id: string
  source_id?: string | null
  sku?: string | null
  price?: number | null
  metadata?: Metadata
}

export interface ProductReference {
  product_id?: string | undefined
  sku_id?: string | undefined
  /** What the order tells of its product, over what is stored. */
  product?: Partial<Product> | undefined
  /** The order asked for that, also where the catalogue says something else. */
  overridesProduct?: boolean
}

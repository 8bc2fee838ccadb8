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
  /** What is stored of its product and what the order tells of it. */
  product?: Partial<Product> | undefined
}

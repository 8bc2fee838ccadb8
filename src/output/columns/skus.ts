// The columns of a SKU. Source: docs/service/products.md#sku-fields.
import { sku } from '../../contract/answers/products.ts'
import { columnsOf } from '../columns-of.ts'

/** A SKU. `price` is in the smallest currency unit, exactly as the service sends it. */
export const skuColumns = columnsOf(sku, {
  first: 'id* source_id* product_id sku* price* currency* attributes* image_url metadata created_at*',
})

// The columns of a SKU. Source: docs/service/products.md#sku-fields.
import { sku } from '../../contract/answers/products.ts'
import { columnsOf } from '../columns-of.ts'

/** A SKU. `price` is in the smallest currency unit, exactly as the service sends it. */
export const skuColumns = columnsOf(sku, {
  first: {
    id: true,
    source_id: true,
    product_id: false,
    sku: true,
    price: true,
    currency: true,
    attributes: true,
    image_url: false,
    metadata: false,
    created_at: true,
  },
})

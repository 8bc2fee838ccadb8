// The columns of products, their collections, categories and orders. Source: docs/service/products.md#product-fields; docs/service/orders.md#fields.
import { order } from '../../../contract/answers/orders.ts'
import { product, productCollection } from '../../../contract/answers/products.ts'
import { category } from '../../../contract/answers/rules.ts'
import { columnsOf } from '../../columns-of.ts'

/** A product; prices are in the smallest currency unit. */
export const productColumns = columnsOf(product, { first: 'id* source_id* name* price* attributes*' })

/** A product collection; its filter and its products are cells of JSON. */
export const collectionColumns = columnsOf(productCollection, { first: 'id* name* type* products* filter*' })

/** A category; what has a lower hierarchy is applied earlier. */
export const categoryColumns = columnsOf(category, { first: 'id* name* hierarchy* stacking_rules_type=stacking*' })

/** An order; amounts are in the smallest currency unit. */
export const orderColumns = columnsOf(order, {
  first: `
    id* source_id* status* amount* total_discount_amount=discounted* total_amount=to_pay* customer_id* created_at*
  `,
})

// The columns of products and orders. Source: docs/service/products.md#product-fields; docs/service/orders.md#fields.
import { order } from '../../../contract/answers/orders.ts'
import { product } from '../../../contract/answers/products.ts'
import { columnsOf } from '../../columns-of.ts'

/** A product; prices are in the smallest currency unit. */
export const productColumns = columnsOf(product, {
  first: { id: true, source_id: true, name: true, price: true, attributes: true },
})

/** An order; amounts are in the smallest currency unit. */
export const orderColumns = columnsOf(order, {
  first: {
    id: true,
    source_id: true,
    status: true,
    amount: true,
    total_discount_amount: 'discounted',
    total_amount: 'to_pay',
    customer_id: true,
    created_at: true,
  },
})

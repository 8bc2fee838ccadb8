// Every kind of export that the sandbox has data for.

import type { ExportKind } from './columns.ts'
import { customerExports, orderExports, publicationExports, redemptionExports } from './customers.ts'
import { productExports, skuExports } from './products.ts'
import { pointsExports, transactionExports } from './transactions.ts'
import { voucherExports } from './vouchers.ts'

/** Kinds by `exported_object`. */
export const exportKinds: Readonly<Record<string, ExportKind>> = {
  voucher: voucherExports,
  redemption: redemptionExports,
  publication: publicationExports,
  customer: customerExports,
  order: orderExports,
  points_expiration: pointsExports,
  voucher_transactions: transactionExports,
  product: productExports,
  sku: skuExports,
}

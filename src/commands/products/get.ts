import { Args } from '@oclif/core'
import { readCommand } from '../../cli/declared.ts'
import { getProduct } from '../../contract/products.ts'
import { productColumns } from '../../output/columns/resources/catalogue.ts'

export default readCommand({
  summary: 'Show one product with its SKUs',
  examples: [
    'promo products get house-blend --profile sandbox',
    "promo products get house-blend --json --query 'skus.skus[].sku' --profile sandbox",
  ],
  endpoint: getProduct,
  columns: productColumns,
  args: { product: Args.string({ description: 'a product, by id or source id', ignoreStdin: true, required: true }) },
  request: ({ args }) => ({ path: { productId: args.product } }),
})

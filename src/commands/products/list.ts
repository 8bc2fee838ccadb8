import { Flags } from '@oclif/core'
import { listCommand } from '../../cli/declared.ts'
import { listProducts } from '../../contract/products.ts'
import { catalogueOrder } from '../../contract/skus.ts'
import { productColumns } from '../../output/columns/resources/catalogue.ts'

export default listCommand({
  summary: 'List products',
  examples: [
    'promo products list --profile sandbox',
    'promo products list --order -updated_at --csv --profile sandbox',
  ],
  endpoint: listProducts,
  columns: productColumns,
  noun: 'products',
  flags: {
    order: Flags.option({
      description: 'the order of the rows; a leading - means descending',
      options: catalogueOrder.options,
    })(),
  },
  request: ({ flags }) => ({ query: { order: flags.order } }),
})

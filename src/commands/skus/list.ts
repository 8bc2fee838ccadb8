import { listCommand } from '../../cli/declared/list.ts'
import { argument, count } from '../../cli/flags/kinds.ts'

import { orderFlag } from '../../cli/flags/order.ts'
import { time, timeRangeFrom } from '../../cli/flags/time.ts'
import { listSkus } from '../../contract/skus.ts'

import { skuColumns } from '../../output/columns/skus.ts'

export default listCommand('List the SKUs of a product', {
  description:
    'A table shows one page and says if there is more; the other formats are complete unless --limit is given.',
  examples: [
    'promo skus list house-blend --profile sandbox',
    'promo skus list house-blend --order -updated_at --start-date 2026-01-01 --csv --profile sandbox',
  ],
  calls: [listSkus],
  columns: skuColumns,
  noun: 'SKUs',
  args: { product: argument('a product, by id or source id') },
  flags: {
    page: count('start with this page (1-100)', 1, 100),
    ...orderFlag(listSkus),
    'start-date': time({
      description: 'only from this time on, like 2026-01-05, today or 7d',
    }),
    'end-date': time({ description: 'only up to this time; a day counts to its end' }),
  },
  request: ({ args, flags, clock }) => {
    const { page, order, 'start-date': start, 'end-date': end } = flags
    const start_date = start === undefined ? undefined : new Date(timeRangeFrom(start, clock).fromMs).toISOString()
    const end_date = end === undefined ? undefined : new Date(timeRangeFrom(end, clock).untilMs).toISOString()
    return { path: { productId: args.product }, query: { page, order, start_date, end_date } }
  },
})

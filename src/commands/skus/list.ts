import { Args, Flags } from '@oclif/core'
import { PromoCommand } from '../../cli/command.ts'
import { listFlags, outputFlags, serviceFlags } from '../../cli/flags/flags.ts'
import { timeRangeFrom } from '../../cli/flags/time.ts'
import { wholeNumber } from '../../cli/flags/values.ts'
import { listing } from '../../cli/result/listing.ts'
import { catalogueOrder, listSkus } from '../../contract/skus.ts'
import { skuColumns } from '../../output/columns/skus.ts'

export default class List extends PromoCommand {
  static override summary = 'List the SKUs of a product'
  static override description =
    'A table shows one page and says if there is more; the other formats are complete unless --limit is given.'
  static override examples = [
    '<%= config.bin %> skus list house-blend --profile sandbox',
    '<%= config.bin %> skus list house-blend --order -updated_at --start-date 2026-01-01 --csv --profile sandbox',
  ]
  static override calls = [listSkus]
  static override columns = skuColumns
  static override args = {
    product: Args.string({ description: 'a product, by id or source id', ignoreStdin: true, required: true }),
  }
  static override flags = {
    ...serviceFlags,
    ...outputFlags,
    ...listFlags,
    page: Flags.custom<number>({ parse: async (text) => wholeNumber(text, 1, 100) })({
      description: 'start with this page (1-100)',
      helpValue: 'N',
    }),
    order: Flags.option({
      description: 'the order of the rows; a leading - means descending',
      options: catalogueOrder.options,
    })(),
    'start-date': Flags.string({
      description: 'not before this time: a day (in UTC), an instant, or an age like 7d',
      helpValue: 'TIME',
    }),
    'end-date': Flags.string({ description: 'not after this time; a day counts to its end', helpValue: 'TIME' }),
  }

  async run() {
    const { args, flags } = await this.input(List)
    const { page, order, 'start-date': start, 'end-date': end } = flags
    const now = this.host.now()
    const start_date = start === undefined ? undefined : new Date(timeRangeFrom(start, now).fromMs).toISOString()
    const end_date = end === undefined ? undefined : new Date(timeRangeFrom(end, now).untilMs).toISOString()
    const client = await this.connect(flags)
    const request = { path: { productId: args.product }, query: { page, order, start_date, end_date } }
    const { pages, more } = listing(client, listSkus, request, flags)
    await this.emitPages(pages, List.columns, flags, { nothing: 'no SKUs found', more })
  }
}

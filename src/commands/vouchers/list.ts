import { Flags } from '@oclif/core'
import { PromoCommand } from '../../cli/command.ts'
import { listFlags, outputFlags, serviceFlags } from '../../cli/flags/flags.ts'
import { listing } from '../../cli/result/listing.ts'
import { listVouchers, voucherOrders } from '../../contract/vouchers.ts'
import { voucherColumns } from '../../output/columns/vouchers.ts'

export default class List extends PromoCommand {
  static override summary = 'List vouchers, newest first'
  static override description =
    'A table shows one page and says if there is more; the other formats are complete unless --limit is given.'
  static override examples = [
    '<%= config.bin %> vouchers list --profile sandbox',
    '<%= config.bin %> vouchers list --campaign "Spring mailing" --csv --all --out vouchers.csv --profile sandbox',
  ]
  static override calls = [listVouchers]
  static override columns = voucherColumns
  static override flags = {
    ...serviceFlags,
    ...outputFlags,
    ...listFlags,
    campaign: Flags.string({ description: 'only vouchers of this campaign, by name' }),
    'campaign-id': Flags.string({ description: 'only vouchers of this campaign, by id' }),
    category: Flags.string({ description: 'only vouchers of this category, by name' }),
    customer: Flags.string({ description: 'only vouchers held by this customer, by id or source id' }),
    code: Flags.string({ description: 'only the voucher with this code' }),
    active: Flags.boolean({ allowNo: true, description: 'only vouchers that are on (or, with --no-active, off)' }),
    order: Flags.option({
      description: 'the order of the rows; a leading - means descending',
      options: voucherOrders,
    })(),
  }

  async run() {
    const { flags } = await this.input(List)
    const client = await this.connect(flags)
    const { 'campaign-id': campaign_id, active, campaign, category, customer, code, order } = flags
    const filters =
      active === undefined ? undefined : { active: { conditions: { [active ? '$enabled' : '$disabled']: true } } }
    const { pages, more } = listing(
      client,
      listVouchers,
      { query: { campaign, campaign_id, category, customer, code, order, filters } },
      flags,
    )
    await this.emitPages(pages, List.columns, flags, { nothing: 'no vouchers found', more })
  }
}

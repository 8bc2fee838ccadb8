import { Flags } from '@oclif/core'
import { PromoCommand } from '../../../cli/command.ts'
import { filtersFrom } from '../../../cli/flags/filters.ts'
import { callFlags, listFlags } from '../../../cli/flags/flags.ts'
import { listing } from '../../../cli/result/listing.ts'
import { isPlainTable } from '../../../cli/result/output.ts'
import { withNames } from '../../../cli/topics/customers/names.ts'
import { referralCode, referralCodeArgs } from '../../../cli/topics/referrals/code.ts'
import { getCustomer } from '../../../contract/customers.ts'
import { listCampaignHolders, listHolders } from '../../../contract/referrals.ts'
import { holderColumns } from '../../../output/columns/holders.ts'

/** What people look for. */
const inTable = ['id', 'customer.name', 'customer.email', 'holder_role', 'created_at']

export default class List extends PromoCommand {
  static override summary = 'List the customers of a referral code, its owner included'
  static override description =
    'A table shows one page with the names of the customers, and says if there is more; the other formats are complete unless --limit is given.'
  static override examples = [
    'promo referrals holders list FRIEND-001 --profile sandbox',
    'promo referrals holders list FRIEND-001 --role REFEREE --csv --profile sandbox',
  ]
  static override calls = [listHolders, listCampaignHolders, getCustomer]
  static override columns = holderColumns
  static override args = referralCodeArgs
  static override flags = {
    ...callFlags,
    ...listFlags,
    role: Flags.option({
      description: 'only holders with this role',
      options: ['OWNER', 'REFERRER', 'REFEREE'] as const,
    })(),
    customer: Flags.string({ description: 'only this customer, by id', helpValue: 'ID' }),
    order: Flags.option({
      default: '-id' as const,
      description: 'the order of the rows; a leading - means newest first',
      options: ['id', '-id'] as const,
    })(),
  }

  async run() {
    const { args, flags } = await this.input(List)
    const path = referralCode(args)
    const endpoint = path.campaignId === undefined ? listHolders : listCampaignHolders
    const { role, customer, order } = flags
    const filters = [...(role ? [`holder_role=${role}`] : []), ...(customer ? [`customer_id=${customer}`] : [])]
    const query = { order, ...(filters.length > 0 && { filters: filtersFrom(filters) }) }
    const client = await this.connect(flags)
    const { pages, more } = listing(client, endpoint, { path, query }, flags, this.messages(flags).say)
    const words = { nothing: 'no holders found', more }
    if (!isPlainTable(flags)) {
      return await this.emitPages(pages, List.columns, flags, words)
    }
    const warn = (text: string) => this.messages(flags).warn(text)
    await this.emitPages(
      withNames(client, pages, warn),
      List.columns,
      { ...flags, columns: flags.columns ?? inTable },
      words,
    )
  }
}

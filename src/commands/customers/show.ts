import { shellWord } from '../../base/shell-word.ts'
import { PromoCommand } from '../../cli/command.ts'
import { callFlags } from '../../cli/flags/flags.ts'
import { argument } from '../../cli/flags/kinds.ts'
import { customerCalls } from '../../cli/request/customers/flag.ts'
import { oneCustomer } from '../../cli/request/customers/one.ts'
import { overviewOf } from '../../cli/topics/customers/overview.ts'
import { sectionsOf } from '../../cli/topics/customers/page.ts'
import { voucherStates } from '../../cli/topics/vouchers/state.ts'
import { getCampaign, listCampaigns } from '../../contract/campaigns.ts'
import { listCustomerRedeemables } from '../../contract/customers.ts'
import { listRedemptions } from '../../contract/redemptions.ts'
import { listHolders } from '../../contract/referrals.ts'
import { listSegments } from '../../contract/segments.ts'
import { overviewColumns } from '../../output/columns/resources/customers.ts'
import { warnAfterRows } from '../../output/warn-after-rows.ts'

export default class Show extends PromoCommand {
  static override summary = 'Show a customer on one page: segments, vouchers and cards, redemptions, referrals'
  static override description =
    "Finds the customer by id, source id, name, e-mail address, phone number, code, order or redemption. If several match, they are listed and none is chosen (exit 3). Shows the newest 20 vouchers and cards, 10 redemptions, and who referred whom. A part that the credentials may not read is named. JSON and YAML have the service's own objects."
  static override examples = [
    'promo customers show customer6@example.com --profile sandbox',
    'promo customers show CLUB-006 --profile sandbox',
    'promo customers show shop-1001 --json --query "holdings[].redeemable.voucher.code" --profile sandbox',
  ]
  static override calls = [
    listCustomerRedeemables,
    listRedemptions,
    listSegments,
    listHolders,
    getCampaign,
    listCampaigns,
    ...customerCalls,
  ]
  static override columns = overviewColumns
  static override args = {
    customer: argument('a customer: an id, source id, name, e-mail address, phone number, code, order or redemption'),
  }
  static override flags = { ...callFlags }

  async run() {
    const { args, flags } = await this.input(Show)
    const { show } = this
    await show.check(Show.columns)
    const client = await this.connect()
    const lists = warnAfterRows()
    const { say, warn } = show
    const overview = await overviewOf(client, await oneCustomer(client, args.customer, warn), lists)
    for (const { part, why } of overview.not_shown) warn(`warning: ${part} not shown: ${why}`)
    const isPage = show.isTable && flags.columns === undefined
    if (isPage) {
      const stateOf = voucherStates({ client, nowMs: this.host.now(), warn })
      await show.sections(await sectionsOf(overview, stateOf), lists)
    } else await show.one(overview, Show.columns, lists)
    const who = shellWord(overview.customer.id)
    for (const [part, topic] of listedWhole) {
      if (overview.more.includes(part)) say(`all ${part}: promo ${topic} list --customer ${who} --all`)
    }
  }
}

/** The parts of which the newest are shown, and the topics that list all of them. */
const listedWhole = [
  ['holdings', 'vouchers'],
  ['redemptions', 'redemptions'],
] as const

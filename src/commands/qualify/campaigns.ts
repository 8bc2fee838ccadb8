import { Flags } from '@oclif/core'
import { itemsOf } from '../../api/list-answer.ts'
import { checkedRequest } from '../../api/request/request.ts'
import { PromoCommand } from '../../cli/command.ts'
import { bodyFlags, callFlags } from '../../cli/flags/flags.ts'
import { count } from '../../cli/flags/kinds.ts'
import { cartFlags, cartFrom } from '../../cli/request/cart.ts'
import { shapeOf } from '../../cli/result/output.ts'
import { showAnswer } from '../../cli/topics/validation/show.ts'
import { campaignState } from '../../cli/topics/vouchers/state.ts'
import { qualificationContext, qualificationOrder, qualifyCampaigns } from '../../contract/qualifications.ts'
import { EXIT } from '../../errors.ts'
import { checkShape } from '../../output/check.ts'
import { campaignColumns } from '../../output/columns/campaigns.ts'

export default class Campaigns extends PromoCommand {
  static override summary = 'List the campaigns a customer with a cart qualifies for (exit 12: none)'
  static override description =
    'Lists discount, gift card and referral campaigns whose rules are met, never their codes. A rule that needs data which was not given counts as not met.'
  static override examples = [
    'promo qualify campaigns --customer source_id=shop-1001 --amount 5000 --profile sandbox',
    'promo qualify campaigns --customer source_id=shop-1001 --audience-rules-only --query "data[].name" --profile sandbox',
  ]
  static override calls = [qualifyCampaigns]
  static override columns = campaignColumns
  static override exits = [EXIT.no]
  static override flags = {
    ...callFlags,
    'audience-rules-only': Flags.boolean({ description: 'check only the rules about the customer' }),
    limit: count({ description: 'how many campaigns to list (1-50)', least: 1, most: 50 }),
    order: Flags.option({
      description: 'the order of the rows; a leading - means descending',
      options: qualificationOrder.options,
    })(),
    ...cartFlags,
    ...bodyFlags,
  }

  async run() {
    const { flags } = await this.input(Campaigns)
    const body = await cartFrom(flags, qualificationContext, this.host)
    const { limit, order } = flags
    const query = { ...(flags['audience-rules-only'] && { audienceRulesOnly: true }), limit, order }
    checkedRequest(qualifyCampaigns, { query, body })
    await checkShape(shapeOf(flags, this.host), Campaigns.columns)
    const client = await this.connect(flags)
    const answer = await client.call(qualifyCampaigns, { query, body })
    const now = this.host.now()
    const rows = itemsOf(qualifyCampaigns, answer).map((row) => ({ ...row, state: campaignState(row, now) }))
    await showAnswer({ answer, rows, columns: Campaigns.columns, nothing: 'no campaign qualifies' }, flags, this.host)
    if (rows.length === 0) this.exitCode = EXIT.no
  }
}

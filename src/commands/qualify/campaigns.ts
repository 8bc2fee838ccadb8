import { itemsOf } from '../../api/list-answer.ts'
import { readCommand } from '../../cli/declared/read.ts'
import { bodyFlags } from '../../cli/flags/flags.ts'
import { count, switchFlag } from '../../cli/flags/kinds.ts'
import { orderFlag } from '../../cli/flags/order.ts'
import { cartFlags, cartFrom } from '../../cli/request/cart.ts'
import { campaignState } from '../../cli/topics/vouchers/state.ts'
import { qualificationContext, qualifyCampaigns } from '../../contract/qualifications.ts'
import { EXIT } from '../../errors.ts'
import { campaignColumns } from '../../output/columns/campaigns.ts'

export default readCommand('List the campaigns a customer with a cart qualifies for (exit 12: none)', {
  description:
    'Lists discount, gift card and referral campaigns whose rules are met, never their codes. A rule that needs data which was not given counts as not met.',
  examples: [
    'promo qualify campaigns --customer source_id=shop-1001 --amount 5000 --profile sandbox',
    'promo qualify campaigns --customer source_id=shop-1001 --audience-rules-only --query "data[].name" --profile sandbox',
  ],
  calls: [qualifyCampaigns],
  columns: campaignColumns,
  flags: {
    'audience-rules-only': switchFlag('check only the rules about the customer'),
    limit: count('how many campaigns to list (1-50)', 1, 50),
    ...orderFlag(qualifyCampaigns),
    ...cartFlags,
    ...bodyFlags,
  },
  body: (flags, run) => cartFrom(flags, qualificationContext, run),
  request: ({ flags: { limit, order, ...flags }, body }) => ({
    query: { ...(flags['audience-rules-only'] && { audienceRulesOnly: true }), limit, order },
    body,
  }),
  rows: (answer, nowMs) => ({
    rows: itemsOf(qualifyCampaigns, answer).map((row) => ({ ...row, state: campaignState(row, nowMs) })),
    nothing: 'no campaign qualifies',
  }),
  exit: { code: EXIT.no, isDue: (answer) => itemsOf(qualifyCampaigns, answer).length === 0 },
})

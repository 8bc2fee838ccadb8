import { listCommand } from '../../../cli/declared/list.ts'
import { argument } from '../../../cli/flags/kinds.ts'
import { listTierEarningRules } from '../../../contract/loyalty-tiers.ts'
import { earningRuleColumns } from '../../../output/columns/resources/loyalty.ts'

export default listCommand('List the earning rules of a program with the points that the members of a tier earn', {
  examples: [
    'promo loyalty tiers earning-rules "Bean Club" ltr_19b8d627a800000002 --profile sandbox',
    'promo loyalty tiers earning-rules "Bean Club" ltr_19b8d627a800000002 --json --profile sandbox',
  ],
  calls: [listTierEarningRules],
  columns: earningRuleColumns,
  noun: 'earning rules',
  args: {
    campaign: argument('a loyalty campaign, by id or name'),
    tier: argument('a tier, by id or name', 'loyalty tier'),
  },
  request: ({ args }) => ({ path: { campaignId: args.campaign, loyaltyTierId: args.tier }, query: {} }),
})

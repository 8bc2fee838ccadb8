import { listCommand } from '../../../cli/declared/list.ts'
import { argument } from '../../../cli/flags/kinds.ts'
import { listTierRewards } from '../../../contract/loyalty-tiers.ts'
import { tierRewardColumns } from '../../../output/columns/resources/loyalty.ts'

export default listCommand('List what a program offers to the members of a tier', {
  description: 'The price is that of the program; what it becomes in the tier is shown by `loyalty tiers get`.',
  examples: [
    'promo loyalty tiers offers "Bean Club" ltr_19b8d627a800000002 --profile sandbox',
    'promo loyalty tiers offers "Bean Club" ltr_19b8d627a800000002 --csv --profile sandbox',
  ],
  calls: [listTierRewards],
  columns: tierRewardColumns,
  noun: 'offers',
  told: () => (row) => {
    const { assignment } = row as { assignment?: { id: string } }
    return assignment ? { id: assignment.id } : {}
  },
  args: {
    campaign: argument('a loyalty campaign, by id or name'),
    tier: argument('a tier, by id or name', 'loyalty tier'),
  },
  request: ({ args }) => ({ path: { campaignId: args.campaign, loyaltyTierId: args.tier } }),
})

import { readCommand } from '../../../cli/declared/read.ts'
import { argument } from '../../../cli/flags/kinds.ts'
import { getLoyaltyTier } from '../../../contract/loyalty-tiers.ts'
import { loyaltyTierColumns } from '../../../output/columns/resources/loyalty.ts'

export default readCommand(
  'Show a tier of a loyalty program: its range of points, and what points and prices become in it',
  {
    examples: [
      'promo loyalty tiers get "Bean Club" ltr_19b8d627a800000002 --profile sandbox',
      'promo loyalty tiers get "Bean Club" ltr_19b8d627a800000002 --json --query \'earning_rules\' --profile sandbox',
    ],
    calls: [getLoyaltyTier],
    columns: loyaltyTierColumns,
    args: {
      campaign: argument('a loyalty campaign, by id or name'),
      tier: argument('a tier, by id or name', 'loyalty tier'),
    },
    request: ({ args }) => ({ path: { campaignId: args.campaign, loyaltyTierId: args.tier } }),
  },
)

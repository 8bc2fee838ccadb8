import { listCommand } from '../../../cli/declared/list.ts'
import { argument } from '../../../cli/flags/kinds.ts'
import { orderFlag } from '../../../cli/flags/order.ts'
import { listLoyaltyTiers } from '../../../contract/loyalty-tiers.ts'
import { loyaltyTierColumns } from '../../../output/columns/resources/loyalty.ts'

export default listCommand('List the tiers of a loyalty program, newest first', {
  description:
    'A customer has the tier of each program under loyalty.campaigns, by which customers list says who is in them.',
  examples: [
    'promo loyalty tiers list "Bean Club" --profile sandbox',
    'promo loyalty tiers list "Bean Club" --order created_at --csv --profile sandbox',
    `promo customers list --format text --query '[?loyalty.campaigns."Bean Club"].[source_id, loyalty.campaigns."Bean Club".loyalty_tier]' --profile sandbox`,
  ],
  calls: [listLoyaltyTiers],
  columns: loyaltyTierColumns,
  noun: 'tiers',
  args: { campaign: argument('a loyalty campaign, by id or name') },
  flags: orderFlag(listLoyaltyTiers),
  request: ({ args, flags }) => ({
    path: { campaignId: args.campaign },
    query: { order: flags.order },
  }),
})

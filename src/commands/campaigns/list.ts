import { listCommand } from '../../cli/declared/list.ts'
import { choiceFlag } from '../../cli/flags/kinds.ts'
import { orderFlag } from '../../cli/flags/order.ts'
import { toldCampaignState } from '../../cli/topics/vouchers/state.ts'
import { listCampaigns } from '../../contract/campaigns.ts'
import { campaignTypes } from '../../contract/new-campaign.ts'
import { campaignColumns } from '../../output/columns/campaigns.ts'

export default listCommand('List campaigns, newest first', {
  description:
    'A table shows one page and says if there is more; the other formats are complete unless --limit is given. The last example sorts them by their end; campaigns without one come first.',
  examples: [
    'promo campaigns list --profile sandbox',
    'promo campaigns list --type LOYALTY_PROGRAM --json --profile sandbox',
    'promo campaigns list --csv --no-header --columns expiration_date,name --profile sandbox | sort',
  ],
  calls: [listCampaigns],
  columns: campaignColumns,
  told: toldCampaignState,
  noun: 'campaigns',
  flags: {
    type: choiceFlag('only of this type', campaignTypes),
    ...orderFlag(listCampaigns),
  },
  request: ({ flags }) => ({ query: { campaign_type: flags.type, order: flags.order } }),
})

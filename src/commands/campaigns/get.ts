import { readCommand } from '../../cli/declared/read.ts'
import { argument } from '../../cli/flags/kinds.ts'
import { toldCampaignState } from '../../cli/topics/vouchers/state.ts'
import { getCampaign } from '../../contract/campaigns.ts'
import { campaignColumns } from '../../output/columns/campaigns.ts'

export default readCommand('Show one campaign', {
  examples: [
    'promo campaigns get "Bean Club" --profile sandbox',
    'promo campaigns get "Bean Club" --json --query \'vouchers_count\' --profile sandbox',
  ],
  calls: [getCampaign],
  columns: campaignColumns,
  told: toldCampaignState,
  args: { campaign: argument('a campaign, by id or name') },
  request: ({ args }) => ({ path: { campaignId: args.campaign } }),
})

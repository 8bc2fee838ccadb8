import { Args } from '@oclif/core'
import { readCommand } from '../../cli/declared.ts'
import { toldCampaignState } from '../../cli/topics/vouchers/state.ts'
import { getCampaign } from '../../contract/campaigns.ts'
import { campaignColumns } from '../../output/columns/campaigns.ts'

export default readCommand({
  summary: 'Show one campaign',
  examples: [
    'promo campaigns get "Bean Club" --profile sandbox',
    'promo campaigns get "Bean Club" --json --query \'vouchers_count\' --profile sandbox',
  ],
  endpoint: getCampaign,
  columns: campaignColumns,
  told: toldCampaignState,
  args: { campaign: Args.string({ description: 'a campaign, by id or name', ignoreStdin: true, required: true }) },
  request: ({ args }) => ({ path: { campaignId: args.campaign } }),
})

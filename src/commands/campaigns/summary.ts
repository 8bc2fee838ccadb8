import { readCommand } from '../../cli/declared.ts'
import { argument } from '../../cli/flags/kinds.ts'
import { getCampaignSummary } from '../../contract/campaigns.ts'
import { campaignSummaryColumns } from '../../output/columns/resources/campaign-summary.ts'

export default readCommand({
  summary: 'Show what happened in a campaign: redemptions, roll-backs, publications, amounts',
  examples: [
    'promo campaigns summary "Bean Club" --profile sandbox',
    'promo campaigns summary "Bean Club" --csv --profile sandbox',
  ],
  endpoint: getCampaignSummary,
  columns: campaignSummaryColumns,
  args: { campaign: argument('a campaign, by id or name') },
  request: ({ args }) => ({ path: { campaignId: args.campaign } }),
})

import { Args } from '@oclif/core'
import { readCommand } from '../../cli/declared.ts'
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
  args: { campaign: Args.string({ description: 'a campaign, by id or name', ignoreStdin: true, required: true }) },
  request: ({ args }) => ({ path: { campaignId: args.campaign } }),
})

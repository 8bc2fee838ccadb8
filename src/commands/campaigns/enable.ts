import { writeCommand } from '../../cli/declared/write.ts'
import { argument } from '../../cli/flags/kinds.ts'
import { quotedValue } from '../../cli/prompt/asked-value.ts'
import { enableCampaign, getCampaign } from '../../contract/campaigns.ts'
import { campaignColumns } from '../../output/columns/campaigns.ts'

export default writeCommand('Switch a campaign on, and with it its vouchers', {
  examples: [
    'promo campaigns enable "Bean Club" --yes --profile sandbox',
    'promo campaigns enable "Bean Club" --dry-run --profile sandbox',
  ],
  calls: [enableCampaign, getCampaign],
  columns: campaignColumns,
  args: { campaign: argument('a campaign, by id or name') },
  request: ({ args }) => ({ path: { campaignId: args.campaign } }),
  question: ({ args }) => `enable campaign ${quotedValue(args.campaign)} and its vouchers`,
  done: ({ args }) => `enabled campaign "${args.campaign}"`,
})

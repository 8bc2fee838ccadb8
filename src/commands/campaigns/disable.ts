import { writeCommand } from '../../cli/declared/write.ts'
import { argument } from '../../cli/flags/kinds.ts'
import { quotedValue } from '../../cli/prompt/asked-value.ts'
import { disableCampaign, getCampaign } from '../../contract/campaigns.ts'
import { campaignColumns } from '../../output/columns/campaigns.ts'

export default writeCommand('Switch a campaign off, and with it its vouchers', {
  examples: [
    'promo campaigns disable "Bean Club" --yes --profile sandbox',
    'promo campaigns disable "Bean Club" --dry-run --profile sandbox',
  ],
  calls: [disableCampaign, getCampaign],
  columns: campaignColumns,
  args: { campaign: argument('a campaign, by id or name') },
  request: ({ args }) => ({ path: { campaignId: args.campaign } }),
  question: ({ args }) => `disable campaign ${quotedValue(args.campaign)} and its vouchers`,
  done: ({ args }) => `disabled campaign "${args.campaign}"`,
})

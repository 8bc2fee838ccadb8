import { writeCommand } from '../../cli/declared/write.ts'
import { argument, switchFlag } from '../../cli/flags/kinds.ts'
import { quotedValue } from '../../cli/prompt/asked-value.ts'
import { inBackground } from '../../cli/topics/async/background.ts'
import { deleteCampaign, getCampaign } from '../../contract/campaigns.ts'

export default writeCommand('Delete a campaign and its vouchers', {
  description:
    'It goes to the bin, where its name stays taken; with --force it is deleted permanently. Asks for confirmation.',
  examples: [
    'promo campaigns delete "Spring mailing" --yes --profile sandbox',
    'promo campaigns delete "Spring mailing" --dry-run --profile sandbox',
  ],
  calls: [deleteCampaign, getCampaign],
  columns: inBackground,
  args: { campaign: argument('a campaign, by id or name') },
  flags: { force: switchFlag('delete permanently, without the bin') },
  request: ({ args, flags }) => ({ path: { campaignId: args.campaign }, query: flags.force ? { force: true } : {} }),
  question: ({ args }) => `delete campaign ${quotedValue(args.campaign)} and its vouchers`,
  done: ({ args }) => `deleted campaign "${args.campaign}"`,
})

import { writeCommand } from '../../cli/declared.ts'
import { argument } from '../../cli/flags/kinds.ts'
import { updateCampaign } from '../../contract/campaigns.ts'
import { campaignColumns } from '../../output/columns/campaigns.ts'

export default writeCommand({
  summary: 'Change a campaign; what is not named stays',
  description: 'Its vouchers follow in the background.',
  examples: [
    'promo campaigns update "Bean Club" --set description="For regulars" --dry-run --profile sandbox',
    'promo campaigns update "Bean Club" --body \'{"metadata":{"owner":"ada"}}\' --dry-run --profile sandbox',
  ],
  endpoint: updateCampaign,
  columns: campaignColumns,
  args: { campaign: argument('a campaign, by id or name') },
  asks: { body: { or: ['set'], question: 'the changes as JSON, or @FILE:' } },
  takesBody: 'any',
  request: ({ args, body }) => ({ path: { campaignId: args.campaign }, body }),
})

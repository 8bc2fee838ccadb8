import { writeCommand } from '../../cli/declared.ts'
import { createCampaign } from '../../contract/campaigns.ts'
import { campaignColumns } from '../../output/columns/campaigns.ts'

export default writeCommand({
  summary: 'Create a campaign from a JSON document or single fields',
  description: 'With more than one code it is ready only when its creation_status is DONE.',
  examples: [
    'promo campaigns create --set name=Spring --set type=STATIC --set voucher.type=DISCOUNT_VOUCHER --set voucher.discount.type=PERCENT --set voucher.discount.percent_off=10 --dry-run --profile sandbox',
    'promo campaigns create --body @campaign.json --dry-run --profile sandbox',
  ],
  endpoint: createCampaign,
  columns: campaignColumns,
  asks: { body: { or: ['set'], question: 'the campaign as JSON, or @FILE:' } },
  takesBody: true,
  request: ({ body }) => ({ body }),
})

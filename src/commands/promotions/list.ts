import { listCommand } from '../../cli/declared/list.ts'
import { switchFlag, textFlag } from '../../cli/flags/kinds.ts'
import { orderFlag } from '../../cli/flags/order.ts'
import { listCampaignTiers, listPromotionTiers } from '../../contract/promotions.ts'
import { tierColumns } from '../../output/columns/resources/promotions.ts'

export default listCommand('List promotion tiers, newest first, or those of one campaign', {
  examples: [
    'promo promotions list --profile sandbox',
    'promo promotions list --campaign "Terrace season" --profile sandbox',
    'promo promotions list --available --csv --profile sandbox',
  ],
  calls: [listPromotionTiers, listCampaignTiers],
  chosen: ({ flags }) => (flags.campaign === undefined ? listPromotionTiers : listCampaignTiers),
  columns: tierColumns,
  noun: 'promotion tiers',
  flags: {
    campaign: textFlag('only of this campaign, by id or name', 'ID', { exclusive: ['available', 'order'] }),
    available: switchFlag('only tiers that can be used now'),
    ...orderFlag(listPromotionTiers),
  },
  request: ({ flags }) =>
    flags.campaign === undefined
      ? { query: { is_available: flags.available || undefined, order: flags.order } }
      : ({ path: { campaignId: flags.campaign } } as object),
})

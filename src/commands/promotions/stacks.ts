import { listCommand } from '../../cli/declared/list.ts'
import { textFlag } from '../../cli/flags/kinds.ts'
import { orderFlag } from '../../cli/flags/order.ts'
import { listCampaignStacks, listPromotionStacks } from '../../contract/promotion-stacks.ts'
import { stackColumns } from '../../output/columns/resources/promotions.ts'

export default listCommand('List promotion stacks: tiers that apply together', {
  examples: [
    'promo promotions stacks --profile sandbox',
    'promo promotions stacks --campaign "Terrace season" --json --profile sandbox',
  ],
  calls: [listPromotionStacks, listCampaignStacks],
  chosen: ({ flags }) => (flags.campaign === undefined ? listPromotionStacks : listCampaignStacks),
  columns: stackColumns,
  noun: 'promotion stacks',
  flags: { campaign: textFlag('only of this campaign, by id or name', 'ID'), ...orderFlag(listPromotionStacks) },
  request: ({ flags }) => ({
    ...(flags.campaign !== undefined && { path: { campaignId: flags.campaign } }),
    query: { order: flags.order },
  }),
})

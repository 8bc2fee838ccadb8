import { writeCommand } from '../../cli/declared.ts'
import { argument } from '../../cli/flags/kinds.ts'
import { disablePromotionTier, getPromotionTier } from '../../contract/promotions.ts'
import { tierColumns } from '../../output/columns/resources/promotions.ts'

export default writeCommand({
  summary: 'Switch a promotion tier off',
  examples: [
    'promo promotions disable promo_19b8d627a800000001 --profile sandbox',
    'promo promotions disable promo_19b8d627a800000001 --dry-run --profile sandbox',
  ],
  endpoint: disablePromotionTier,
  undo: { reads: getPromotionTier },
  columns: tierColumns,
  args: { tier: argument('the id of a promotion tier') },
  request: ({ args }) => ({ path: { promotionTierId: args.tier } }),
})

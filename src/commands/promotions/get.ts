import { readCommand } from '../../cli/declared.ts'
import { argument } from '../../cli/flags/kinds.ts'
import { getPromotionTier } from '../../contract/promotions.ts'
import { tierColumns } from '../../output/columns/resources/promotions.ts'

export default readCommand({
  summary: 'Show one promotion tier',
  examples: [
    'promo promotions get promo_19b8d627a800000001 --profile sandbox',
    'promo promotions get promo_19b8d627a800000001 --json --query action.discount --profile sandbox',
  ],
  endpoint: getPromotionTier,
  columns: tierColumns,
  args: { tier: argument('the id of a promotion tier') },
  request: ({ args }) => ({ path: { promotionTierId: args.tier } }),
})

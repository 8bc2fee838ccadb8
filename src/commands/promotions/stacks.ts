import { listCommand } from '../../cli/declared.ts'
import { orderFlag } from '../../cli/flags/order.ts'
import { listPromotionStacks } from '../../contract/promotion-stacks.ts'
import { stackColumns } from '../../output/columns/resources/promotions.ts'

export default listCommand('List promotion stacks: tiers that apply together', {
  examples: ['promo promotions stacks --profile sandbox', 'promo promotions stacks --json --profile sandbox'],
  endpoint: listPromotionStacks,
  columns: stackColumns,
  noun: 'promotion stacks',
  flags: orderFlag(listPromotionStacks),
  request: ({ flags }) => ({ query: { order: flags.order } }),
})

import { listCommand } from '../../cli/declared.ts'
import { switchFlag } from '../../cli/flags/kinds.ts'
import { orderFlag } from '../../cli/flags/order.ts'
import { listPromotionTiers } from '../../contract/promotions.ts'
import { tierColumns } from '../../output/columns/resources/promotions.ts'

export default listCommand('List promotion tiers, newest first', {
  examples: ['promo promotions list --profile sandbox', 'promo promotions list --available --csv --profile sandbox'],
  endpoint: listPromotionTiers,
  columns: tierColumns,
  noun: 'promotion tiers',
  flags: {
    available: switchFlag('only tiers that can be used now'),
    ...orderFlag(listPromotionTiers),
  },
  request: ({ flags }) => ({ query: { is_available: flags.available || undefined, order: flags.order } }),
})

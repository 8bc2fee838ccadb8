import { Flags } from '@oclif/core'
import { listCommand } from '../../cli/declared.ts'
import { listPromotionTiers } from '../../contract/promotions.ts'
import { tierColumns } from '../../output/columns/resources/promotions.ts'

export default listCommand({
  summary: 'List promotion tiers, newest first',
  examples: ['promo promotions list --profile sandbox', 'promo promotions list --available --csv --profile sandbox'],
  endpoint: listPromotionTiers,
  columns: tierColumns,
  noun: 'promotion tiers',
  flags: {
    available: Flags.boolean({ description: 'only tiers that can be used now' }),
    order: Flags.option({
      description: 'the order of the rows; a leading - means descending',
      options: ['created_at', '-created_at', 'updated_at', '-updated_at', 'hierarchy', '-hierarchy'] as const,
    })(),
  },
  request: ({ flags }) => ({ query: { is_available: flags.available || undefined, order: flags.order } }),
})

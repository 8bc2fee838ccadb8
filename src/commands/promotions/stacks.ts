import { Flags } from '@oclif/core'
import { listCommand } from '../../cli/declared.ts'
import { listPromotionStacks } from '../../contract/promotion-stacks.ts'
import { stackColumns } from '../../output/columns/resources/promotions.ts'

export default listCommand({
  summary: 'List promotion stacks: tiers that apply together',
  examples: ['promo promotions stacks --profile sandbox', 'promo promotions stacks --json --profile sandbox'],
  endpoint: listPromotionStacks,
  columns: stackColumns,
  noun: 'promotion stacks',
  flags: {
    order: Flags.option({
      description: 'the order of the rows; a leading - means descending',
      options: ['created_at', '-created_at', 'updated_at', '-updated_at'] as const,
    })(),
  },
  request: ({ flags }) => ({ query: { order: flags.order } }),
})

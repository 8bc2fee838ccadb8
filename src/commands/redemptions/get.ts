import { readCommand } from '../../cli/declared.ts'
import { argument } from '../../cli/flags/kinds.ts'
import { told } from '../../cli/topics/redemptions/told.ts'
import { getRedemption } from '../../contract/redemptions.ts'
import { redemptionColumns } from '../../output/columns/resources/redemptions.ts'

export default readCommand('Show one redemption, rollback or failed attempt', {
  examples: [
    'promo redemptions get r_19b8d627a800000001 --profile sandbox',
    "promo redemptions get r_19b8d627a800000001 --json --query 'order.total_amount' --profile sandbox",
  ],
  endpoint: getRedemption,
  columns: redemptionColumns,
  told: () => told,
  several: { noun: 'redemption', key: 'id' },
  args: { id: argument('the id of a redemption') },
  request: ({ args }) => ({ path: { redemptionId: args.id } }),
})

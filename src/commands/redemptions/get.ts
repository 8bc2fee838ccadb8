import { Args } from '@oclif/core'
import { readCommand } from '../../cli/declared.ts'
import { told } from '../../cli/topics/redemptions/told.ts'
import { getRedemption } from '../../contract/redemptions.ts'
import { redemptionColumns } from '../../output/columns/resources/redemptions.ts'

export default readCommand({
  summary: 'Show one redemption, rollback or failed attempt',
  examples: [
    'promo redemptions get r_19b8d627a800000001 --profile sandbox',
    "promo redemptions get r_19b8d627a800000001 --json --query 'order.total_amount' --profile sandbox",
  ],
  endpoint: getRedemption,
  columns: redemptionColumns,
  told: () => told,
  args: { id: Args.string({ description: 'the id of a redemption', ignoreStdin: true, required: true }) },
  request: ({ args }) => ({ path: { redemptionId: args.id } }),
})

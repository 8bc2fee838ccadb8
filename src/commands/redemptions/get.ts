import { readCommand } from '../../cli/declared/read.ts'
import { argument } from '../../cli/flags/kinds.ts'
import { told } from '../../cli/topics/redemptions/told.ts'
import { getCampaign } from '../../contract/campaigns.ts'
import { getRedemption, listRedemptions } from '../../contract/redemptions.ts'
import { getValidationRule } from '../../contract/validation-rules.ts'
import { redemptionColumns } from '../../output/columns/resources/redemptions.ts'

export default readCommand('Show one redemption, rollback or failed attempt', {
  examples: [
    'promo redemptions get r_19b8d627a800000001 --profile sandbox',
    'promo redemptions get r_19b8d627a800000001 --explain --profile sandbox',
    "promo redemptions get r_19b8d627a800000001 --json --query 'order.total_amount' --profile sandbox",
  ],
  calls: [getRedemption, getCampaign, getValidationRule, listRedemptions],
  columns: redemptionColumns,
  told: () => told,
  explains: async () => (await import('../../cli/reasons/redemption.ts')).explainRedemption,
  several: { noun: 'redemption', key: 'id' },
  args: { id: argument('the id of a redemption') },
  request: ({ args }) => ({ path: { redemptionId: args.id } }),
})

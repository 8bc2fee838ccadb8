import { listCommand } from '../../cli/declared/list.ts'
import { redemptionFilters } from '../../cli/topics/redemptions/filters.ts'
import { told } from '../../cli/topics/redemptions/told.ts'
import { redemptionColumns } from '../../output/columns/resources/redemptions.ts'

export default listCommand('List redemptions, rollbacks and failed attempts, newest first', {
  description:
    'In a table, `outcome` says what was taken or why it was refused; CSV has kind, taken and failure_code. Amounts of a rollback are negative. A redemption of several codes has a row of its own, and a row for each code that names it.',
  examples: [
    'promo redemptions list --voucher GIFT-001 --profile sandbox',
    'promo redemptions list --customer shop-1001 --result FAILURE --created-after 7d --csv --profile sandbox',
  ],
  ...redemptionFilters,
  columns: redemptionColumns,
  noun: 'redemptions',
  told: () => told,
})

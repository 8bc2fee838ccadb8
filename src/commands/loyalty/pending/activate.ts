import { writeCommand } from '../../../cli/declared/write.ts'
import { argument } from '../../../cli/flags/kinds.ts'
import { activatePendingPoints } from '../../../contract/pending-points.ts'
import { balanceColumns } from '../../../output/columns/resources/redemptions.ts'

export default writeCommand('Add pending points to their loyalty card now', {
  examples: [
    'promo loyalty pending activate CLUB-001 lopp_19b8d627a800000001 --dry-run --profile sandbox',
    'promo loyalty pending activate CLUB-001 lopp_19b8d627a800000001 --dry-run --json --profile sandbox',
  ],
  calls: [activatePendingPoints],
  instead: 'promo loyalty points remove --help',
  columns: balanceColumns,
  args: { card: argument('the code or the id of a loyalty card'), id: argument('the id of the pending points') },
  request: ({ args }) => ({ path: { memberId: args.card, pendingPointsId: args.id } }),
})

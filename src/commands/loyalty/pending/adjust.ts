import { Flags } from '@oclif/core'
import { writeCommand } from '../../../cli/declared/write.ts'
import { argument } from '../../../cli/flags/kinds.ts'
import { adjustPendingPoints } from '../../../contract/pending-points.ts'
import { pendingBalanceColumns } from '../../../output/columns/resources/loyalty.ts'

export default writeCommand('Add to pending points, or subtract from them, for example after a partial return', {
  description: 'At least one point must be left; to remove all of them, cancel them. A repeated call counts twice.',
  examples: [
    'promo loyalty pending adjust CLUB-001 lopp_19b8d627a800000001 --points=-5 --dry-run --profile sandbox',
    'promo loyalty pending adjust CLUB-001 lopp_19b8d627a800000001 --points 10 --dry-run --profile sandbox',
  ],
  calls: [adjustPendingPoints],
  instead: (ids) => `promo loyalty pending adjust ${ids} --points N --dry-run`,
  columns: pendingBalanceColumns,
  args: { card: argument('the code or the id of a loyalty card'), id: argument('the id of the pending points') },
  flags: {
    points: Flags.integer({
      description: 'the points to add; a negative number takes away: --points=-5',
      required: true,
    }),
  },
  request: ({ args, flags }) => ({
    path: { memberId: args.card, pendingPointsId: args.id },
    body: { points: flags.points },
  }),
})

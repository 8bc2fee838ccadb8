import { Args } from '@oclif/core'
import { writeCommand } from '../../../cli/declared.ts'
import { activatePendingPoints } from '../../../contract/pending-points.ts'
import { balanceColumns } from '../../../output/columns/resources/redemptions.ts'

export default writeCommand({
  summary: 'Put pending points onto their loyalty card now',
  examples: [
    'promo loyalty pending activate CLUB-001 lopp_19b8d627a800000001 --dry-run --profile sandbox',
    'promo loyalty pending activate CLUB-001 lopp_19b8d627a800000001 --dry-run --json --profile sandbox',
  ],
  endpoint: activatePendingPoints,
  columns: balanceColumns,
  args: {
    card: Args.string({ description: 'the code or the id of a loyalty card', ignoreStdin: true, required: true }),
    id: Args.string({ description: 'the id of the pending points', ignoreStdin: true, required: true }),
  },
  request: ({ args }) => ({ path: { memberId: args.card, pendingPointsId: args.id } }),
})

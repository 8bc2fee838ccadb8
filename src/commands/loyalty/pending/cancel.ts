import { writeCommand } from '../../../cli/declared/write.ts'
import { argument } from '../../../cli/flags/kinds.ts'
import { quotedValue } from '../../../cli/prompt/asked-value.ts'
import { cancelPendingPoints } from '../../../contract/pending-points.ts'

export default writeCommand('Cancel pending points, for example after a return: they are never added to the card', {
  description: 'The service does not cancel them by itself when an order is returned. Asks for confirmation.',
  examples: [
    'promo loyalty pending cancel CLUB-001 lopp_19b8d627a800000001 --dry-run --profile sandbox',
    'promo loyalty pending cancel CLUB-001 lopp_19b8d627a800000001 --yes --dry-run --profile sandbox',
  ],
  calls: [cancelPendingPoints],
  instead: 'promo loyalty points add --help',
  args: { card: argument('the code or the id of a loyalty card'), id: argument('the id of the pending points') },
  request: ({ args }) => ({ path: { memberId: args.card, pendingPointsId: args.id } }),
  question: ({ args }) => `cancel pending points ${quotedValue(args.id)} of loyalty card ${quotedValue(args.card)}`,
  done: ({ args }) => `canceled pending points "${args.id}"`,
})

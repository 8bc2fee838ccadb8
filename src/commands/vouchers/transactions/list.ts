import { shellWord } from '../../../base/shell-word.ts'
import { listCommand } from '../../../cli/declared/list.ts'
import { argument, choiceFlag } from '../../../cli/flags/kinds.ts'
import { listVoucherTransactions } from '../../../contract/voucher-transactions.ts'
import { creditTransactionColumns } from '../../../output/columns/transactions.ts'

export default listCommand('List the credit transactions of a gift card, newest first', {
  description:
    'Amounts are in the smallest currency unit. `loyalty transactions list --card` does it for the points of a loyalty card.',
  examples: [
    'promo vouchers transactions list GIFT-008 --profile sandbox',
    'promo vouchers transactions list GIFT-008 --csv --all --profile sandbox',
  ],
  calls: [listVoucherTransactions],
  columns: creditTransactionColumns,
  noun: 'transactions',
  args: { code: argument('the code or the id of a gift card') },
  flags: {
    order: choiceFlag('the order of the rows; a leading - means descending', ['id', '-id'], { default: '-id' }),
  },
  told({ isTable, warn }, { args: { code } }) {
    let mayTell = isTable
    return (transaction) => {
      if (mayTell && (transaction as { type?: string }).type?.startsWith('POINTS_')) {
        mayTell = false
        warn(
          `it is a loyalty card, whose points are listed by: promo loyalty transactions list --card ${shellWord(code)}`,
        )
      }
      return { for: purposeOf(transaction) }
    }
  },
  request: ({ args, flags }) => ({ path: { code: args.code }, query: { order: flags.order } }),
})

/** Returns the order that a change belongs to, and the reason of one made by hand: seldom both. */
function purposeOf(transaction: object): string {
  const { reason, details } = transaction as {
    reason?: string | null
    details?: { order?: { source_id?: string | null; id?: string } | null } | null
  }
  const order = details?.order
  return [order?.source_id ?? order?.id, reason].filter((text) => text).join(': ')
}

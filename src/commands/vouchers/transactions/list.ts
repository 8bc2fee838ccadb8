import { shellWord } from '../../../base/shell-word.ts'
import { listCommand } from '../../../cli/declared.ts'
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
  endpoint: listVoucherTransactions,
  columns: creditTransactionColumns,
  noun: 'transactions',
  told: () => (transaction) => ({ for: purposeOf(transaction) }),
  args: { code: argument('the code or the id of a gift card') },
  flags: {
    order: choiceFlag('the order of the rows; a leading - means descending', ['id', '-id'], { default: '-id' }),
  },
  toldPages: (pages, { args }, { warn }) => warnIfPoints(pages, args.code, warn),
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

/** Says where points are listed, if these are points. */
async function* warnIfPoints(pages: AsyncIterable<object[]>, code: string, warn: (line: string) => void) {
  let isTold = false
  for await (const page of pages) {
    yield page
    if (isTold || !(page as { type?: string }[]).some(({ type }) => type?.startsWith('POINTS_'))) continue
    isTold = true
    warn(`it is a loyalty card, whose points are listed by: promo loyalty transactions list --card ${shellWord(code)}`)
  }
}

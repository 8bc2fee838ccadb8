import { argument } from '../../../cli/flags/kinds.ts'
import { exportCommand } from '../../../cli/topics/exports/command.ts'
import { transactionExportBody, transactionExportFlags } from '../../../cli/topics/exports/transactions.ts'
import { exportVoucherTransactions } from '../../../contract/voucher-transactions.ts'

export default exportCommand('Export the transactions of a gift card, and optionally wait for the CSV file', {
  examples: [
    'promo vouchers transactions export GIFT-008 --profile sandbox',
    'promo vouchers transactions export GIFT-008 --since 2026-02-01 --wait --profile sandbox',
  ],
  args: { code: argument('the code of a gift card') },
  flags: { ...transactionExportFlags },
  calls: [exportVoucherTransactions],
  started: ({ args, flags }, clock) => ({
    endpoint: exportVoucherTransactions,
    request: { path: { code: args.code }, body: transactionExportBody(flags, clock) },
  }),
})

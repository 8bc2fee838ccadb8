import { PromoCommand } from '../../../cli/command.ts'
import { callFlags, writeFlags } from '../../../cli/flags/flags.ts'
import { argument } from '../../../cli/flags/kinds.ts'
import { clockOf } from '../../../cli/request/days.ts'
import { startExport, waitDescription } from '../../../cli/topics/exports/start.ts'
import { transactionExportBody, transactionExportFlags } from '../../../cli/topics/exports/transactions.ts'
import { getExport } from '../../../contract/exports.ts'
import { exportVoucherTransactions } from '../../../contract/voucher-transactions.ts'
import { exportColumns } from '../../../output/columns/exports.ts'

export default class Export extends PromoCommand {
  static override summary = 'Export the transactions of a gift card, and optionally wait for the CSV file'
  static override description = waitDescription
  static override examples = [
    'promo vouchers transactions export GIFT-008 --profile sandbox',
    'promo vouchers transactions export GIFT-008 --since 2026-02-01 --wait --profile sandbox',
  ]
  static override effect = 'write' as const
  static override calls = [exportVoucherTransactions, getExport]
  static override columns = exportColumns
  static override args = { code: argument('the code of a gift card') }
  static override flags = { ...callFlags, ...transactionExportFlags, ...writeFlags }

  async run() {
    const { args, flags } = await this.input(Export)
    const body = transactionExportBody(flags, await clockOf(flags, this.host))
    await startExport(flags, exportVoucherTransactions, { path: { code: args.code }, body }, this)
  }
}

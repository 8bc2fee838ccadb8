import { Args } from '@oclif/core'
import { PromoCommand } from '../../cli/command.ts'
import { confirmFlags, dryRunFlag, outputFlags, serviceFlags } from '../../cli/flags/flags.ts'
import { startAction, waitForActionFlags } from '../../cli/topics/async/action.ts'
import { csvFrom } from '../../cli/topics/async/csv-file.ts'
import { getAsyncAction } from '../../contract/async-actions.ts'
import { importVouchersCsv } from '../../contract/bulk.ts'
import { asyncActionColumns, startedActionColumns } from '../../output/columns/resources/project.ts'

export default class Import extends PromoCommand {
  static override summary = 'Import vouchers from a CSV file, in one request'
  static override description =
    'The service works on the file in the background; --wait shows what came of it. A code that exists is changed. For files above 10 MB, and to know the outcome of every row, use `vouchers create --from`.'
  static override examples = [
    'printf "Code,Voucher Type,Discount Type,Value\\nTEN-1,DISCOUNT_VOUCHER,PERCENT,10\\n" > vouchers.csv; promo vouchers import vouchers.csv --wait --yes --profile sandbox',
    'printf "Code,Voucher Type,Discount Type,Value\\nTEN-1,DISCOUNT_VOUCHER,PERCENT,10\\n" | promo vouchers import - --dry-run --profile sandbox',
  ]
  static override effect = 'write' as const
  static override calls = [importVouchersCsv, getAsyncAction]
  static override columns = [startedActionColumns, asyncActionColumns]
  static override args = {
    file: Args.string({ description: 'a CSV file, or - for stdin', ignoreStdin: true, required: true }),
  }
  static override flags = { ...serviceFlags, ...outputFlags, ...waitForActionFlags, ...confirmFlags, ...dryRunFlag }

  async run() {
    const { args, flags } = await this.input(Import)
    const { content, rows } = await csvFrom(args.file, this.host)
    const start = {
      endpoint: importVouchersCsv,
      request: { body: { file: content } },
      action: `import ${rows} of vouchers, and change those whose code exists`,
    }
    this.exitCode = await startAction(flags, start, this)
  }
}

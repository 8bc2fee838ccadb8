import { Args } from '@oclif/core'
import { exportCommand } from '../../cli/topics/exports/command.ts'
import { type ExportKindName, exportBody, exportFlags, exportKinds } from '../../cli/topics/exports/kinds.ts'
import { createExport } from '../../contract/exports.ts'

export default exportCommand('Export vouchers, redemptions, customers and more, and optionally wait for the CSV file', {
  description: 'Unlike a listing, an export has every row, however many there are.',
  examples: [
    'promo exports create vouchers --wait --out vouchers.csv --profile sandbox',
    'promo exports create redemptions --filter result=FAILURE --created-after 30d --fields id,voucher_code,date,failure_code --wait --profile sandbox',
    'promo exports create customers --order -created_at --profile sandbox',
  ],
  args: {
    kind: Args.string({
      description: 'what to export',
      ignoreStdin: true,
      options: Object.keys(exportKinds),
      required: true,
    }),
  },
  flags: exportFlags,
  calls: [createExport],
  started: ({ args, flags }, clock) => ({
    endpoint: createExport,
    request: { body: exportBody(args.kind as ExportKindName, flags, clock) },
  }),
})

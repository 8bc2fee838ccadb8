import { Args, Flags } from '@oclif/core'
import { names, repeatable } from '../../cli/flags/kinds.ts'
import { exportCommand } from '../../cli/topics/exports/command.ts'
import { type ExportKindName, exportBody, exportKinds } from '../../cli/topics/exports/kinds.ts'
import { createExport } from '../../contract/exports.ts'

export default exportCommand({
  summary: 'Export vouchers, redemptions, customers and more, and optionally wait for the CSV file',
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
  flags: {
    fields: names({
      description: 'the columns of the file; the service names those it has when one is unknown',
      helpValue: 'a,b',
    }),
    order: Flags.string({
      description: 'the field to order the rows by; a leading - means descending',
      helpValue: 'FIELD',
    }),
    filter: repeatable({
      description: 'only rows whose field has one of the values, or fits an operator: all filters must match',
      helpValue: 'field=a,b',
    }),
    'campaign-id': Flags.string({ description: 'only the vouchers of this campaign, by id' }),
    'created-after': Flags.string({
      description:
        'only what was created at this time or later: a day (in the time zone of the project), an instant, or an age like 7d',
      helpValue: 'TIME',
    }),
    'created-before': Flags.string({ description: 'only what was created before this time', helpValue: 'TIME' }),
  },
  calls: [createExport],
  started: ({ args, flags }, clock) => ({
    endpoint: createExport,
    request: { body: exportBody(args.kind as ExportKindName, flags, clock) },
  }),
})

import { Args, Flags } from '@oclif/core'
import { PromoCommand } from '../../cli/command.ts'
import { callFlags, writeFlags } from '../../cli/flags/flags.ts'
import { names, repeatable } from '../../cli/flags/kinds.ts'
import { clockOf } from '../../cli/request/days.ts'
import { type ExportKindName, exportBody, exportKinds } from '../../cli/topics/exports/kinds.ts'
import { startExport, waitDescription } from '../../cli/topics/exports/start.ts'
import { waitFlags } from '../../cli/topics/exports/wait.ts'
import { createExport, getExport } from '../../contract/exports.ts'
import { exportColumns } from '../../output/columns/exports.ts'

export default class Create extends PromoCommand {
  static override summary = 'Export vouchers, redemptions, customers and more, and optionally wait for the CSV file'
  static override description = `However many rows there are: an export has no last page. ${waitDescription}`
  static override examples = [
    'promo exports create vouchers --wait --out vouchers.csv --profile sandbox',
    'promo exports create redemptions --filter result=FAILURE --created-after 30d --fields id,voucher_code,date,failure_code --wait --profile sandbox',
    'promo exports create customers --order -created_at --profile sandbox',
  ]
  static override effect = 'write' as const
  static override calls = [createExport, getExport]
  static override columns = exportColumns
  static override args = {
    kind: Args.string({
      description: 'what to export',
      ignoreStdin: true,
      options: Object.keys(exportKinds),
      required: true,
    }),
  }
  static override flags = {
    ...callFlags,
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
    ...waitFlags,
    ...writeFlags,
  }

  async run() {
    const { args, flags } = await this.input(Create)
    const body = exportBody(args.kind as ExportKindName, flags, await clockOf(flags, this.host))
    await startExport(flags, createExport, { body }, this)
  }
}

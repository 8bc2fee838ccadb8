import { Args } from '@oclif/core'
import { PromoCommand } from '../../../cli/command.ts'
import { confirmFlags, dryRunFlag, outputFlags, serviceFlags } from '../../../cli/flags/flags.ts'
import { startAction, waitForActionFlags } from '../../../cli/topics/async/action.ts'
import { csvFrom } from '../../../cli/topics/async/csv-file.ts'
import { getAsyncAction } from '../../../contract/async-actions.ts'
import { importCampaignVouchersCsv } from '../../../contract/bulk.ts'
import { asyncActionColumns, startedActionColumns } from '../../../output/columns/resources/project.ts'

export default class Import extends PromoCommand {
  static override summary = 'Import codes into a campaign from a CSV file, in one request'
  static override description =
    'The service works on the file in the background; --wait shows what came of it. For files above 10 MB, and to know the outcome of every row, use `campaigns vouchers add --from`.'
  static override examples = [
    'printf "Code\\nSPRING-BEN\\nSPRING-EVE\\n" > codes.csv; promo campaigns vouchers import "Spring mailing" codes.csv --wait --yes --profile sandbox',
    'printf "Code\\nSPRING-BEN\\n" | promo campaigns vouchers import "Spring mailing" - --dry-run --profile sandbox',
  ]
  static override effect = 'write' as const
  static override calls = [importCampaignVouchersCsv, getAsyncAction]
  static override columns = [startedActionColumns, asyncActionColumns]
  static override args = {
    campaign: Args.string({ description: 'a campaign, by id or name', ignoreStdin: true, required: true }),
    file: Args.string({ description: 'a CSV file, or - for stdin', ignoreStdin: true, required: true }),
  }
  static override flags = { ...serviceFlags, ...outputFlags, ...waitForActionFlags, ...confirmFlags, ...dryRunFlag }

  async run() {
    const { args, flags } = await this.input(Import)
    const { content, rows } = await csvFrom(args.file, this.host)
    const start = {
      endpoint: importCampaignVouchersCsv,
      request: { path: { campaignId: args.campaign }, body: { file: content } },
      action: `import ${rows} of codes into campaign "${args.campaign}"`,
    }
    this.exitCode = await startAction(flags, start, this)
  }
}

import { PromoCommand } from '../../cli/command.ts'
import { outputFlags, serviceFlags } from '../../cli/flags/flags.ts'
import { argument } from '../../cli/flags/kinds.ts'
import { waitFlags } from '../../cli/flags/wait.ts'
import { type OutputFlags, showingOf } from '../../cli/result/output.ts'
import { downloadExport } from '../../cli/topics/exports/file.ts'
import { readExport } from '../../cli/topics/exports/wait.ts'
import { getExport } from '../../contract/exports.ts'
import { mustBeNamedFor, mustBeReplaceable } from '../../output/out-file.ts'

const { out, excel, 'csv-delimiter': delimiter } = outputFlags

export default class Download extends PromoCommand {
  static override summary = 'Download the CSV file of an export'
  static override description =
    'The file goes to stdout, or complete or not at all to --out. Its bytes are those of the service, unless --excel or --csv-delimiter names another form of CSV. Credentials are sent only to hosts of the service.'
  static override examples = [
    'promo loyalty transactions export CLUB-001 --json --query id --profile sandbox | xargs promo exports download --wait --profile sandbox',
    'promo exports create vouchers --json --query id --profile sandbox | xargs promo exports download --wait --out vouchers.csv --profile sandbox',
  ]
  static override calls = [getExport]
  static override args = { id: argument('the id of an export') }
  // It has no other format that could exclude this one.
  static override flags = {
    ...serviceFlags,
    out,
    excel: { ...excel, exclusive: [] },
    'csv-delimiter': delimiter,
    ...waitFlags,
  }

  async run() {
    const { args, flags } = await this.input(Download)
    if (flags.out !== undefined && flags.out !== '-') {
      mustBeNamedFor(flags.out, 'file')
      await mustBeReplaceable(flags.out)
    }
    const client = await this.connect()
    // Its result is CSV, whatever is named.
    const run = { show: showingOf({ ...flags, csv: true } as OutputFlags, this.host), host: this.host }
    await downloadExport(client, await readExport(client, args.id, flags, run), run)
  }
}

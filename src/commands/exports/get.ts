import { PromoCommand } from '../../cli/command.ts'
import { callFlags } from '../../cli/flags/flags.ts'
import { argument } from '../../cli/flags/kinds.ts'
import { shownExport } from '../../cli/topics/exports/file.ts'
import { finishedExport, waitFlags } from '../../cli/topics/exports/wait.ts'
import { getExport } from '../../contract/exports.ts'
import { EXIT } from '../../errors.ts'
import { exportColumns } from '../../output/columns/exports.ts'

export default class Get extends PromoCommand {
  static override summary = 'Show an export, now or when it is finished'
  static override description =
    'Anyone who has the address of the file can open it, so tables and CSV hide the address. With --wait, the exit code is 3 if the export failed.'
  static override examples = [
    'promo loyalty transactions export CLUB-001 --json --query id --profile sandbox | xargs promo exports get --profile sandbox',
    'promo loyalty transactions export CLUB-001 --json --query id --profile sandbox | xargs promo exports get --wait --json --query status --profile sandbox',
  ]
  static override calls = [getExport]
  static override columns = exportColumns
  static override args = { id: argument('the id of an export') }
  static override flags = { ...callFlags, ...waitFlags }

  async run() {
    const { args, flags } = await this.input(Get)
    const client = await this.connect(flags)
    const job = flags.wait
      ? await finishedExport(client, args.id, flags, this.host)
      : await client.call(getExport, { path: { exportId: args.id } })
    await this.emitOne(shownExport(job, flags), Get.columns, flags)
    if (flags.wait && job.status === 'ERROR') this.exitCode = EXIT.refused
  }
}

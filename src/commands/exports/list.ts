import { Flags } from '@oclif/core'
import { PromoCommand } from '../../cli/command.ts'
import { callFlags, listFlags } from '../../cli/flags/flags.ts'
import { listing } from '../../cli/result/listing.ts'
import { shownExport } from '../../cli/topics/exports/file.ts'
import { type ExportJob, listExports } from '../../contract/exports.ts'
import { exportColumns } from '../../output/columns/exports.ts'

export default class List extends PromoCommand {
  static override summary = 'List exports, newest first'
  static override description = 'Anyone who has the address of a file can open it, so tables and CSV hide the address.'
  static override examples = [
    'promo exports list --profile sandbox',
    'promo exports list --json --query "[?status==\'DONE\'].id" --profile sandbox',
  ]
  static override calls = [listExports]
  static override columns = exportColumns
  static override flags = {
    ...callFlags,
    ...listFlags,
    order: Flags.option({
      default: '-created_at' as const,
      description: 'the order of the rows; a leading - means descending',
      options: ['created_at', '-created_at', 'status', '-status'] as const,
    })(),
  }

  async run() {
    const { flags } = await this.input(List)
    const client = await this.connect(flags)
    const { pages, more } = listing(
      client,
      listExports,
      { query: { order: flags.order } },
      flags,
      this.messages(flags).say,
    )

    async function* shown() {
      for await (const page of pages) yield page.map((job) => shownExport(job as ExportJob, flags))
    }
    await this.emitPages(shown(), List.columns, flags, { nothing: 'no exports found', more })
  }
}

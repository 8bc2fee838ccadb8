import { formatCount } from '../../base/numbers.ts'
import { PromoCommand } from '../../cli/command.ts'
import { outputFlags } from '../../cli/flags/flags.ts'
import { argument, switchFlag } from '../../cli/flags/kinds.ts'
import { copyFlags, openCopyToRead } from '../../cli/topics/ledger/copy-file.ts'
import { exportCopy } from '../../cli/topics/ledger/export-files.ts'
import { exportedFileColumns } from '../../output/columns/balances.ts'

export default class Export extends PromoCommand {
  static override summary = 'Write the copy of `ledger pull` as files that DuckDB, Spark and BigQuery read'
  static override description =
    'One folder per table, one below it per month (in UTC). Parquet, in which integers, instants and flags keep their types, or CSV. A further export replaces the files of an earlier one.'
  static override examples = [
    'promo ledger export warehouse --parquet --profile sandbox',
    'promo ledger export warehouse --csv --profile sandbox',
  ]
  static override effect = 'local' as const
  static override columns = exportedFileColumns
  static override args = { dir: argument('the folder of the files') }
  static override flags = {
    ...outputFlags,
    ...copyFlags,
    parquet: switchFlag('write Parquet files (default, unless --csv)', { exclusive: ['csv'] }),
  }

  async run() {
    const { args, flags } = await this.input(Export)
    const folder = args.dir
    const form = flags.csv ? 'csv' : 'parquet'
    const copy = await openCopyToRead(flags, this)
    try {
      let files = 0
      const signal = this.host.stop
      async function* written() {
        for await (const table of exportCopy(copy, { folder, form, signal })) {
          files += table.files
          yield table
        }
      }
      await this.show.rows(written(), exportedFileColumns)
      this.show.say(`wrote ${formatCount(files, 'file')} to ${folder}`)
    } finally {
      copy.close()
    }
  }
}

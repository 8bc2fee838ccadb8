import { counted } from '../../base/grouped.ts'
import { PromoCommand } from '../../cli/command.ts'
import { outputFlags } from '../../cli/flags/flags.ts'
import { textFlag } from '../../cli/flags/kinds.ts'
import { copyFlags, openCopyToRead } from '../../cli/topics/ledger/copy-file.ts'
import { exportCopy } from '../../cli/topics/ledger/export-files.ts'
import { exportedFileColumns } from '../../output/columns/balances.ts'

const { csv: _, excel: __, 'csv-raw': ___, 'csv-delimiter': ____, ...otherOutput } = outputFlags
const oneForm = { exactlyOne: ['parquet', 'csv'] }

export default class Export extends PromoCommand {
  static override summary = 'Write the copy of `ledger pull` as files that DuckDB, Spark and BigQuery read'
  static override description =
    'One folder per table, one below it per month (in UTC). Integers, instants and flags keep their types in Parquet. A further export replaces the files of an earlier one.'
  static override examples = [
    'promo ledger export --parquet warehouse --profile sandbox',
    'promo ledger export --csv warehouse --profile sandbox',
  ]
  static override effect = 'local' as const
  static override columns = exportedFileColumns
  static override flags = {
    ...otherOutput,
    ...copyFlags,
    parquet: textFlag('write Parquet files into this folder', 'DIR', oneForm),
    csv: textFlag('write CSV files into this folder', 'DIR', oneForm),
  }

  async run() {
    const { flags } = await this.input(Export)
    const { parquet, csv = '', ...output } = flags
    const form = parquet === undefined ? 'csv' : 'parquet'
    const folder = parquet ?? csv
    const copy = await openCopyToRead(flags, this.host)
    try {
      let files = 0
      const signal = this.host.stop
      async function* written() {
        for await (const table of exportCopy(copy, { folder, form, signal })) {
          files += table.files
          yield table
        }
      }
      await this.emit(written(), exportedFileColumns, output)
      this.messages(flags).say(`wrote ${counted(files, 'file')} to ${folder}`)
    } finally {
      copy.close()
    }
  }
}

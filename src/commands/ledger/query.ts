import { PromoCommand } from '../../cli/command.ts'
import { outputFlags } from '../../cli/flags/flags.ts'
import { argument, count, duration } from '../../cli/flags/kinds.ts'
import { copyFlags, openCopyToRead } from '../../cli/topics/ledger/copy-file.ts'
import { queryCopy } from '../../ledger/query.ts'
import type { Column } from '../../output/column.ts'

/** The limits where the command line names none. */
const defaults = { waitMs: 60_000, megabytes: 512 }

export default class Query extends PromoCommand {
  static override summary = 'Ask the copy of `ledger pull` anything in SQL'
  static override description =
    'Takes one statement that reads, in the SQL of SQLite. `select name, sql from sqlite_schema` shows the tables. Integers are exact. Money is in the smallest currency unit.'
  static override examples = [
    'promo ledger query "select unit, kind, sum(amount) as amount from movements group by 1, 2" --profile sandbox',
    'promo ledger query "select * from redemptions where result = \'FAILURE\'" --csv --profile sandbox',
  ]
  static override effect = 'none' as const
  static override columns = { columns: [] }
  static override args = { sql: argument('the question: select …') }
  static override flags = {
    ...outputFlags,
    ...copyFlags,
    'time-limit': duration('stop when no row came for this long (default 60s)', '60s'),
    'memory-limit': count('the most megabytes of memory (default 512)', 128, 65_536),
  }

  async run() {
    const { args, flags } = await this.input(Query)
    // Opened here too, for its guards and its words.
    const copy = await openCopyToRead(flags, this)
    copy.close()
    const { waitMs, megabytes } = defaults
    const limits = {
      waitMs: flags['time-limit'] ?? waitMs,
      memoryBytes: (flags['memory-limit'] ?? megabytes) * 1024 * 1024,
    }
    const { columns, rows } = await queryCopy(copy.file, args.sql, limits, this.host.stop)
    const first = await rows.next()
    const numbers = first.done ? {} : first.value
    const set = columns.map((name): Column => (isNumeric(numbers[name]) ? { name, kind: 'number' } : { name }))
    async function* all() {
      if (first.done) return
      yield first.value
      yield* rows
    }
    await this.show.rows(all(), { columns: set }, { nothing: 'no rows' })
  }
}

function isNumeric(value: unknown): boolean {
  return typeof value === 'number' || (typeof value === 'object' && value !== null)
}

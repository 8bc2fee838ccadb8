import { Flags } from '@oclif/core'
import type { CsvForm } from '../../base/csv-form.ts'
import { rowStates } from '../../bulk/summary.ts'
import { PromoCommand } from '../../cli/command.ts'
import { bringing, readsJournal } from '../../cli/exits.ts'
import { outputFlags } from '../../cli/flags/flags.ts'
import { argument } from '../../cli/flags/kinds.ts'
import { keepHeapSmall } from '../../cli/heap.ts'
import type { OutputFlags } from '../../cli/result/output.ts'
import { jobAsks } from '../../cli/topics/jobs/find-job.ts'
import { EXIT } from '../../errors.ts'
import { reportedColumns } from '../../output/columns/jobs.ts'

export default class Report extends PromoCommand {
  static override summary = 'Write the original rows of a job, each with its outcome'
  static override description =
    'A CSV report has the delimiter, line ends and encoding of the input. It can be used as input: its promo_ columns are ignored. So you can correct the rows of --only failed and send them again. A folder of shards is one report, in the order of the input. If shards are missing, the others are reported and the exit code is 6.'
  static override examples = [
    'promo jobs report 20261121-k3v9qd --csv',
    'promo jobs report 20261121-k3v9qd --only failed --only unknown --csv --out again.csv',
    'promo jobs report /mnt/shared/leak-2026 --jsonl',
  ]
  static override effect = 'none' as const
  static override exits = [EXIT.unknown]
  static override columns = reportedColumns
  static override args = {
    job: bringing(
      readsJournal,
      argument('the id of a job, its beginning or end, "latest", or the folder of its --journal'),
    ),
  }
  static override asks = jobAsks
  static override flags = {
    ...outputFlags,
    only: Flags.option({
      description: 'only rows with this outcome',
      multiple: true,
      multipleNonGreedy: true,
      options: rowStates,
    })(),
  }

  async run() {
    const { args, flags } = await this.input(Report)
    const { jobsCalled } = await import('../../cli/topics/jobs/find-job.ts')
    const { reportColumnSet, reportOf } = await import('../../cli/topics/jobs/report.ts')
    const { mergedByLine, missingShards } = await import('../../cli/topics/jobs/shards.ts')
    keepHeapSmall()
    const jobs = await jobsCalled(args.job, this.host)
    const missing = missingShards(jobs, args.job)
    const isOnTerminal = this.host.stdout.isTTY === true && flags.out === undefined
    const isFlat = this.show.isTabular
    const columns = isFlat ? reportColumnSet(jobs, !isOnTerminal) : { columns: [] }

    function* records() {
      for (const { record } of mergedByLine(jobs.map((job) => reportOf(job, flags.only)))) yield record
    }
    const { show } = this
    const csvForm = reportForm(show.shape.csvForm, jobs[0]?.header.csv, flags)
    Object.assign(show.shape, csvForm && { csvForm })
    await show.rows(records(), columns, { nothing: 'no such rows' })
    if (missing.length === 0) return
    // ASSUMED A500: a report without some shards is written, and ends with 6: from here, the outcome of their rows is unknown.
    show.warn(`shards missing: ${missing.join(', ')}; their rows are not in this report`)
    this.exitCode = EXIT.unknown
  }
}

/** The form of the input, so that what opened the one opens the other; of `--excel`, only its delimiter is left open. */
function reportForm(given: CsvForm | undefined, input: CsvForm | undefined, flags: OutputFlags): CsvForm | undefined {
  if (given === undefined || input === undefined) return given ?? input
  // No spreadsheet splits a .csv file at tabs by itself.
  const isKept = flags.excel && flags['csv-delimiter'] === undefined && [',', ';'].includes(input.delimiter)
  return isKept ? { ...given, delimiter: input.delimiter } : given
}

import { PromoCommand } from '../../cli/command.ts'
import { confirmFlags, outputFlags } from '../../cli/flags/flags.ts'
import { switchFlag } from '../../cli/flags/kinds.ts'
import { jobArgument, jobAsks } from '../../cli/topics/jobs/find-job.ts'
import { EXIT } from '../../errors.ts'
import { discardedColumns } from '../../output/columns/jobs.ts'

export default class Discard extends PromoCommand {
  static override summary = 'Give up a job for good, and keep the report of its rows'
  static override description =
    'For a stopped job that cannot or should not be resumed: the same command line then begins a new one. Its rows and outcomes stay in a file beside the journal, which can be used as input. The journal is removed, so the job cannot be resumed, retried or undone. What it sent stays. A damaged journal is renamed. All shards of a folder are discarded.'
  static override examples = [
    'promo jobs discard 20261121-k3v9qd --dry-run',
    'promo jobs discard 20261121-k3v9qd --yes --json',
    'promo jobs discard /mnt/shared/leak-2026 --yes',
  ]
  static override effect = 'local' as const
  static override columns = discardedColumns
  static override exits = [EXIT.held]
  static override args = jobArgument
  static override asks = jobAsks
  static override flags = {
    yes: confirmFlags.yes,
    'dry-run': switchFlag('show what would be removed, and remove nothing'),
    ...outputFlags,
  }

  async run() {
    const { args } = await this.input(Discard)
    const { jobFilesCalled } = await import('../../cli/topics/jobs/find-job.ts')
    const { discardJobs } = await import('../../cli/topics/jobs/discard.ts')
    await this.show.check(Discard.columns)
    const files = await jobFilesCalled(args.job, this.host)
    await this.show.rows(discardJobs(files, this), Discard.columns, {
      nothing: 'no jobs found',
    })
    if (this.isDryRun) this.show.say('dry run: nothing was discarded')
  }
}

import { PromoCommand } from '../../cli/command.ts'
import { resumeFlags } from '../../cli/flags/flags.ts'
import { jobArgument, jobAsks } from '../../cli/topics/jobs/find-job.ts'

export default class Undo extends PromoCommand {
  static override summary = 'Undo a job: send the inverse of what it changed'
  static override description =
    'Vouchers are switched back, only where the job really changed them and nobody has since: a voucher that was off before stays off, and so does one that was switched on and off again meanwhile (skipped, exit 3). Points and credits are moved back, with a source id for each row; redemptions are rolled back by the ids in the journal. For any other job it says which command does it. Rows whose outcome is unknown are counted, listed and left alone, and make the exit code 6. The undo is a job of its own: run the same command line again to resume it. A job that has been undone can no longer be resumed. Of a folder of shards, one after another is undone.'
  static override examples = ['promo jobs undo 20261121-k3v9qd --dry-run', 'promo jobs undo 20261121-k3v9qd --yes']
  static override effect = 'write' as const
  static override calls = 'any' as const
  static override args = jobArgument
  static override asks = jobAsks
  static override flags = resumeFlags

  async run() {
    const { args, flags } = await this.input(Undo)
    const { forEachShard } = await import('../../cli/topics/jobs/each-shard.ts')
    const { undoJob } = await import('../../cli/topics/jobs/undo.ts')
    const { host, source, config } = this
    this.exitCode = await forEachShard(args.job, flags, host, (job) => undoJob(job, flags, { host, source, config }))
  }
}

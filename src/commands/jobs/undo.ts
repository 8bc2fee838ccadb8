import { PromoCommand } from '../../cli/command.ts'
import { resumeFlags } from '../../cli/flags/flags.ts'
import { jobArgument, jobAsks } from '../../cli/topics/jobs/find-job.ts'

export default class Undo extends PromoCommand {
  static override summary = 'Undo a job: send the inverse of what it changed'
  static override description =
    'Vouchers are switched back only where the job changed them and nobody has since; others are skipped (exit 3). Points and credits are moved back, redemptions rolled back. For any other job it names the command that does it. Rows with an unknown outcome are left alone (exit 6). The undo is a job: the same command line resumes it. An undone job cannot be resumed.'
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

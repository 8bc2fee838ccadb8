import { PromoCommand } from '../../cli/command.ts'
import { resumeFlags } from '../../cli/flags/flags.ts'
import { jobArgument, jobAsks } from '../../cli/topics/jobs/find-job.ts'
import { partFlags } from '../../cli/topics/jobs/part.ts'

export default class Undo extends PromoCommand {
  static override summary = 'Undo a job: send the inverse of what it changed'
  static override description =
    'Vouchers are switched back where the job changed them and nobody has since; others are skipped (exit 3). Points and credits are moved back, redemptions rolled back. Other jobs name the command that does it. Rows with an unknown outcome are left alone (exit 6). The undo is a job, which its line resumes; an undone job cannot be. After a part (--only, --state), the rest can be undone.'
  static override examples = [
    'promo jobs undo 20261121-k3v9qd --dry-run',
    'promo jobs undo 20261121-k3v9qd --yes',
    'promo jobs undo 20261121-k3v9qd --only half.csv',
  ]
  static override effect = 'write' as const
  static override calls = 'any' as const
  static override args = jobArgument
  static override asks = jobAsks
  static override flags = { ...partFlags, ...resumeFlags }

  async run() {
    const { args, flags } = await this.input(Undo)
    const { undoJobs } = await import('../../cli/topics/jobs/undo.ts')
    this.exitCode = await undoJobs(args.job, flags, this)
  }
}

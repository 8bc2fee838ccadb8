import { PromoCommand } from '../../cli/command.ts'
import { resumeFlags } from '../../cli/flags/flags.ts'
import { stoppedJobArgument } from '../../cli/topics/jobs/find-job.ts'
import { EXIT } from '../../errors.ts'

export default class Resume extends PromoCommand {
  static override summary = 'Resume a job where it stopped'
  static override description =
    'The profile, the input and the requests come from the job, pace and output from this command line. Rows with an outcome are not sent again. The rows are in the journal, so the input file may be gone; if it has changed, nothing is sent (exit 9). The shards of a folder are resumed one after another.'
  static override examples = [
    'promo jobs resume',
    'promo jobs resume 20261121-k3v9qd',
    'promo jobs resume 20261121-k3v9qd --rate 20/s --yes --jsonl',
  ]
  static override effect = 'write' as const
  static override calls = 'any' as const
  static override exits = [EXIT.no]
  static override args = stoppedJobArgument
  static override flags = resumeFlags

  async run() {
    const { args, flags } = await this.input(Resume)
    const { stoppedJob } = await import('../../cli/topics/jobs/find-job.ts')
    const { forEachShard } = await import('../../cli/topics/jobs/each-shard.ts')
    const { resumeJob } = await import('../../cli/topics/jobs/resume-job.ts')
    const called = args.job ?? (await stoppedJob(this)).name
    this.exitCode = await forEachShard(called, this, (job) => resumeJob(job, { again: 'rest', flags }, this))
  }
}

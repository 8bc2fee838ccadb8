import { Flags } from '@oclif/core'
import { isRepeatable } from '../../api/outcome/retry.ts'
import type { RecordedState } from '../../bulk/journal/outcome-store.ts'
import { PromoCommand } from '../../cli/command.ts'
import { resumeFlags } from '../../cli/flags/flags.ts'
import { jobArgument } from '../../cli/topics/jobs/find-job.ts'
import type { Repeat } from '../../contract/endpoint.ts'
import { EXIT } from '../../errors.ts'

const statesOf = {
  temporary: ['exhausted'],
  unknown: ['unknown'],
  failed: ['failed', 'conflict'],
} as const satisfies Record<string, readonly RecordedState[]>

const reasons = ['temporary', 'unknown', 'failed'] as const

export default class Retry extends PromoCommand {
  static override summary = 'Try rows of a job again that did not end well'
  static override description =
    'temporary: the service was away or too busy. unknown: nobody knows whether it was applied; where that could happen twice (events), it is asked for in words, or answered by --yes. failed: refused, or the code was taken; for when the cause lay elsewhere.'
  static override examples = [
    '<%= config.bin %> jobs retry 20261121-k3v9qd --only temporary',
    '<%= config.bin %> jobs retry 20261121-k3v9qd --only temporary --only unknown --yes --jsonl',
  ]
  static override effect = 'write' as const
  static override calls = 'any' as const
  static override exits = [EXIT.no]
  static override args = jobArgument
  static override flags = {
    only: Flags.option({
      description: 'which rows: those that failed for a while, with an unknown outcome, or refused; may be repeated',
      multiple: true,
      multipleNonGreedy: true,
      options: reasons,
      required: true,
    })(),
    ...resumeFlags,
  }

  async run() {
    const { args, flags } = await this.input(Retry)
    const { findJob, readableJob } = await import('../../cli/topics/jobs/find-job.ts')
    const { resumeJob } = await import('../../cli/topics/jobs/resume-job.ts')
    const { only, ...manner } = flags
    const job = readableJob(await findJob(args.job, this.host))
    const isTwice = only.includes('unknown') && !isRepeatable(job.header.repeat as Repeat)
    const caution = isTwice ? { caution: 'though they may have been applied before and would then count twice' } : {}
    const again = reasons.filter((reason) => only.includes(reason)).flatMap((reason) => [...statesOf[reason]])
    const { host, source, config } = this
    this.exitCode = await resumeJob(job, { again, flags: manner, ...caution }, { host, source, config })
  }
}

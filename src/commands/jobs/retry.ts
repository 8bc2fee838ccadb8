import { Flags } from '@oclif/core'
import { isRepeatable } from '../../api/outcome/retry.ts'
import type { RecordedState } from '../../bulk/journal/outcome-store.ts'
import { PromoCommand } from '../../cli/command.ts'
import { resumeFlags } from '../../cli/flags/flags.ts'
import { jobArgument, jobAsks } from '../../cli/topics/jobs/find-job.ts'
import type { Repeat } from '../../contract/endpoint.ts'
import { EXIT } from '../../errors.ts'

const statesOf = {
  temporary: ['exhausted'],
  unknown: ['unknown'],
  failed: ['failed', 'conflict'],
} as const satisfies Record<string, readonly RecordedState[]>

const reasons = ['temporary', 'unknown', 'failed'] as const

export default class Retry extends PromoCommand {
  static override summary = 'Retry the rows of a job that did not end well'
  static override description =
    'temporary: the service was unavailable or too busy. unknown: the row may or may not have been applied; if it could be applied twice (events), promo asks first, unless --yes is given. failed: refused, or the code was taken; use it when the cause was not in the row itself.'
  static override examples = [
    'promo jobs retry 20261121-k3v9qd --only temporary',
    'promo jobs retry 20261121-k3v9qd --only temporary --only unknown --yes --jsonl',
  ]
  static override effect = 'write' as const
  static override calls = 'any' as const
  static override exits = [EXIT.no]
  static override args = jobArgument
  static override asks = jobAsks
  static override flags = {
    only: Flags.option({
      description: 'only temporary failures, unknown outcomes or refusals',
      multiple: true,
      multipleNonGreedy: true,
      options: reasons,
      required: true,
    })(),
    ...resumeFlags,
  }

  async run() {
    const { args, flags } = await this.input(Retry)
    const { forEachShard } = await import('../../cli/topics/jobs/each-shard.ts')
    const { resumeJob } = await import('../../cli/topics/jobs/resume-job.ts')
    const { only, ...manner } = flags
    const again = reasons.filter((reason) => only.includes(reason)).flatMap((reason) => [...statesOf[reason]])
    this.exitCode = await forEachShard(args.job, this, (job) => {
      const isTwice = only.includes('unknown') && !isRepeatable(job.header.repeat as Repeat)
      const caution = isTwice ? { caution: 'which may have been applied before and would then count twice' } : {}
      return resumeJob(job, { again, flags: manner, ...caution }, this)
    })
  }
}

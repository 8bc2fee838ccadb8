import { Flags } from '@oclif/core'
import { counted } from '../../cli/bulk/definition.ts'
import { PromoCommand } from '../../cli/command.ts'
import { usesJobsFolder } from '../../cli/exits.ts'
import { confirmFlags, outputFlags } from '../../cli/flags/flags.ts'
import { durationMs } from '../../cli/flags/values.ts'
import { confirmWrite } from '../../cli/prompt/confirm.ts'
import { shapeOf } from '../../cli/result/output.ts'
import { checkShape } from '../../output/check.ts'
import { leftoverColumns } from '../../output/columns/jobs.ts'

// ASSUMED A503: for a month, users may still ask what a job did, or want to undo it.
const monthMs = 30 * 86_400_000

export default class Prune extends PromoCommand {
  static override summary = 'Remove the journals of finished jobs, and files that killed processes left'
  static override description =
    'A job with rows left is kept unless --unfinished is given; a running job is always kept. A removed job can no longer be reported or undone, and if it sent a file of events, the same command line would send them again.'
  static override examples = [
    '<%= config.bin %> jobs prune --dry-run',
    '<%= config.bin %> jobs prune --older-than 7d --yes',
  ]
  static override effect = 'local' as const
  static override columns = leftoverColumns
  static override exits = [usesJobsFolder]
  static override flags = {
    'older-than': Flags.custom<number>({ parse: async (text) => durationMs(text) })({
      description: 'only jobs that no process has worked on for this long (default 30d)',
      helpValue: '30d',
    }),
    unfinished: Flags.boolean({ description: 'also jobs with rows left, and damaged jobs' }),
    yes: confirmFlags.yes,
    'dry-run': Flags.boolean({ description: 'show what would be removed, and remove nothing' }),
    ...outputFlags,
  }

  async run() {
    const { flags } = await this.input(Prune)
    const { leftovers, remove } = await import('../../cli/topics/jobs/prune.ts')
    const { host } = this
    const messages = this.messages(flags)
    await checkShape(shapeOf(flags, host), Prune.columns)
    const olderThanMs = flags['older-than'] ?? monthMs
    const found = await leftovers(host, { olderThanMs, unfinished: flags.unfinished ?? false })
    const jobs = found.filter(({ kind }) => kind === 'job')
    const guards = jobs.filter((job) => job.guards).length
    if (jobs.length > 0 && !flags['dry-run']) {
      const warning = guards === 0 ? '' : ` (${guards} of them keep events from being sent twice)`
      const action = `remove ${counted(jobs.length, 'job')} for good${warning}`
      await confirmWrite({ flags, host, action })
    }

    async function* removed() {
      for (const leftover of found) {
        if (flags['dry-run'] || (await remove(leftover, host))) yield leftover
        else messages.warn(`"${leftover.path}" is in use again and was kept`)
      }
    }
    await this.emit(removed(), Prune.columns, flags, { nothing: 'nothing to remove' })
    if (flags['dry-run']) messages.say('dry run: nothing was removed')
  }
}

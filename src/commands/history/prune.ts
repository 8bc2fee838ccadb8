import { Flags } from '@oclif/core'
import { counted } from '../../cli/bulk/definition.ts'
import { PromoCommand } from '../../cli/command.ts'
import { usesJobsFolder } from '../../cli/exits.ts'
import { confirmFlags, outputFlags } from '../../cli/flags/flags.ts'
import { durationMs } from '../../cli/flags/values.ts'
import { confirmWrite } from '../../cli/prompt/confirm.ts'
import { shapeOf } from '../../cli/result/output.ts'
import { oldDays, removeDay } from '../../cli/topics/history/changes.ts'
import { checkShape } from '../../output/check.ts'
import { historyDayColumns } from '../../output/columns/jobs.ts'

// ASSUMED A1401: questions about a change come within a quarter of a year.
const quarterMs = 90 * 86_400_000

export default class Prune extends PromoCommand {
  static override summary = 'Remove old days from the history of this computer'
  static override description =
    'Entire days in UTC are removed, never the current one. Jobs and their reports stay: jobs prune removes them.'
  static override examples = [
    '<%= config.bin %> history prune --dry-run',
    '<%= config.bin %> history prune --older-than 30d --yes',
  ]
  static override effect = 'local' as const
  static override columns = historyDayColumns
  static override exits = [usesJobsFolder]
  static override flags = {
    'older-than': Flags.custom<number>({ parse: async (text) => durationMs(text) })({
      description: 'only days that ended this long ago (default 90d)',
      helpValue: '90d',
    }),
    yes: confirmFlags.yes,
    'dry-run': Flags.boolean({ description: 'show what would be removed, and remove nothing' }),
    ...outputFlags,
  }

  async run() {
    const { flags } = await this.input(Prune)
    const { host } = this
    await checkShape(shapeOf(flags, host), Prune.columns)
    const days = await oldDays(host, flags['older-than'] ?? quarterMs)
    const isDry = flags['dry-run'] ?? false
    if (days.length > 0 && !isDry) {
      await confirmWrite({ flags, host, action: `remove ${counted(days.length, 'day')} of the history for good` })
    }
    async function* removed() {
      for (const day of days) {
        if (!isDry) await removeDay(day)
        yield day
      }
    }
    await this.emit(removed(), Prune.columns, flags, { nothing: 'nothing to remove' })
    if (isDry) this.messages(flags).say('dry run: nothing was removed')
  }
}

import { formatCount } from '../../base/numbers.ts'
import { pruneCommand } from '../../cli/prune-command.ts'
import type { HistoryDay } from '../../cli/session/recorded-changes.ts'
import { historyDayColumns } from '../../output/columns/jobs.ts'

export default pruneCommand<HistoryDay>('Remove old days from the history of this computer', {
  description:
    'Entire days in UTC are removed, never the current one. Jobs and their reports stay: jobs prune removes them.',
  examples: ['promo history prune --dry-run', 'promo history prune --older-than 30d --yes'],
  columns: historyDayColumns,
  // ASSUMED A1401: questions about a change come within a quarter of a year.
  age: { days: 90, description: 'only days that ended this long ago' },
  async find(host, olderThanMs) {
    const { oldDays, removeDay } = await import('../../cli/session/recorded-changes.ts')
    const items = await oldDays(host, olderThanMs)
    const asked = items.length === 0 ? undefined : `${formatCount(items.length, 'day')} of the history for good`
    return { items, asked, remove: (day) => removeDay(day).then(() => true) }
  },
})

import { listCommand } from '../../cli/declared/list.ts'
import { time, timeRangeFrom } from '../../cli/flags/time.ts'
import { listAsyncActions } from '../../contract/async-actions.ts'
import { asyncActionColumns } from '../../output/columns/resources/project.ts'

export default listCommand('List background jobs of the service, newest first', {
  description: 'Lists the newest 100 at most; --before reaches further back.',
  examples: ['promo async list --profile sandbox', 'promo async list --limit 5 --json --profile sandbox'],
  calls: [listAsyncActions],
  columns: asyncActionColumns,
  noun: 'background jobs',
  flags: {
    before: time({
      description: 'only jobs from before this time, like 2026-01-05 or 7d',
    }),
  },
  request: ({ flags: { before }, clock }) => ({
    query: {
      limit: 100,
      ...(before !== undefined && { end_date: new Date(timeRangeFrom(before, clock).fromMs).toISOString() }),
    },
  }),
})

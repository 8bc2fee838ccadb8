import { formatCount } from '../../base/numbers.ts'
import { switchFlag } from '../../cli/flags/kinds.ts'
import { pruneCommand } from '../../cli/prune-command.ts'
import type { Leftover } from '../../cli/topics/jobs/prune.ts'
import { leftoverColumns } from '../../output/columns/jobs.ts'

export default pruneCommand<Leftover>('Remove the journals of finished jobs, and files that killed processes left', {
  description:
    'A job with rows left is kept unless --unfinished is given; a running job is always kept. A removed job can no longer be reported or undone. If it sent a file of events, the same command line would send them again.',
  examples: ['promo jobs prune --dry-run', 'promo jobs prune --older-than 7d --yes'],
  columns: leftoverColumns,
  // ASSUMED A503: for a month, users may still ask what a job did, or want to undo it.
  age: { days: 30, description: 'only jobs untouched for this long' },
  flags: { unfinished: switchFlag('also unfinished and damaged jobs') },
  async find(host, olderThanMs, { unfinished }) {
    const { leftovers } = await import('../../cli/topics/jobs/prune.ts')
    const { items, remove } = await leftovers(host, { olderThanMs, unfinished: unfinished === true })
    const jobs = items.filter(({ kind }) => kind === 'job')
    const guards = jobs.filter((job) => job.guards).length
    const warning = guards === 0 ? '' : ` (${guards} of them keep events from being sent twice)`
    const asked = jobs.length === 0 ? undefined : `${formatCount(jobs.length, 'job')} for good${warning}`
    return { items, asked, remove }
  },
})

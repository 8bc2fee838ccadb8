import { dirname, resolve } from 'node:path'
import { PromoCommand } from '../../cli/command.ts'
import { outputFlags } from '../../cli/flags/flags.ts'
import { switchFlag } from '../../cli/flags/kinds.ts'
import { jobArgument, jobAsks } from '../../cli/topics/jobs/find-job.ts'
import { EXIT } from '../../errors.ts'
import { jobDetailColumns } from '../../output/columns/jobs.ts'

export default class Show extends PromoCommand {
  static override summary = 'Show a job: its command, its progress, what went wrong, and what to do next'
  static override description =
    'The journal is only read, so a running job is not disturbed. With --follow, its progress is shown until it ends; Ctrl-C does not stop the job. A folder of shards is one job, with a line for each shard. If some are missing, the others are shown and the exit code is 6.'
  static override examples = [
    'promo jobs show 20261121-k3v9qd',
    'promo jobs show 20261121-k3v9qd --follow',
    'promo jobs show /mnt/shared/leak-2026 --json',
  ]
  static override effect = 'none' as const
  static override exits = [EXIT.unknown]
  static override columns = jobDetailColumns
  static override args = jobArgument
  static override asks = jobAsks
  static override flags = {
    ...outputFlags,
    follow: switchFlag('show the progress of a running job until it ends'),
  }

  async run() {
    const { args, flags } = await this.input(Show)
    const { jobsCalled } = await import('../../cli/topics/jobs/find-job.ts')
    const { jobsIn, undoneBy } = await import('../../cli/bulk/known-jobs.ts')
    const { statusOf } = await import('../../cli/topics/jobs/state.ts')
    const { forPeople, shownJob, shownShards } = await import('../../cli/topics/jobs/shown-job.ts')
    const { missingShards, togetherOf } = await import('../../cli/topics/jobs/shards.ts')
    await this.show.check(Show.columns)
    const [first, ...others] = await jobsCalled(args.job, this.host)
    if (first === undefined) return
    const all = [first, ...others]
    const [oldest] = all.toSorted((one, other) => (one.header.created_at < other.header.created_at ? -1 : 1))
    const later = await jobsIn(this.host, { after: oldest })
    const jobs = all.map((job) => ({ job, undo: undoneBy(job, later) }))
    const isFolder = dirname(first.file.path) === resolve(args.job)
    const missing = isFolder ? missingShards(all, args.job) : []
    const now = () => jobs.map(({ job, undo }) => ({ job, undo, status: statusOf(job, undo) }))
    if (flags.follow) {
      const { followJob } = await import('../../cli/topics/jobs/follow.ts')
      const total = jobs.reduce((sum, { job }) => sum + job.header.rows.total, 0)
      await followJob(() => togetherOf(now().map(({ status }) => status)), total, this)
    }
    const { default: Class } = await this.source.load(first.header.command.replaceAll(':', '/'))
    const statuses = now()
    const [{ undo, status }] = statuses as [(typeof statuses)[number]]
    const shown = others.length === 0 ? shownJob(first, undo, status, Class) : shownShards(args.job, statuses, Class)
    const isForPeople = this.show.isTable && flags.columns === undefined
    await this.show.one(isForPeople ? forPeople(shown) : shown, Show.columns)
    if (missing.length === 0) return
    // As for a report (A500): the outcome of their rows is unknown. Each computer may have the folder of its own shard.
    this.show.warn(`shards missing: ${missing.join(', ')}; their rows are not counted`)
    if (others.length > 0) this.exitCode = EXIT.unknown
  }
}

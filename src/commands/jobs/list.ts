import { PromoCommand } from '../../cli/command.ts'
import { usesJobsFolder } from '../../cli/exits.ts'
import { listFlags, outputFlags } from '../../cli/flags/flags.ts'
import { textFlag } from '../../cli/flags/kinds.ts'
import { newestOf } from '../../cli/result/listing.ts'
import { jobColumns, shardColumns } from '../../output/columns/jobs.ts'

export default class List extends PromoCommand {
  static override summary =
    'List the bulk jobs on this computer, newest first, with their progress and the process that runs them'
  static override description =
    'running: a process is working on it. stopped: rows are left, which jobs resume sends. finished: every row has an outcome. undone: another job has undone it. damaged: its file cannot be read. A table shows the newest 50; the other formats are complete unless --limit is given.'
  static override examples = [
    'promo jobs list',
    'promo jobs list --json --query "[?state==\'stopped\'].id"',
    'promo jobs list --journal /mnt/shared/leak-2026',
  ]
  static override effect = 'none' as const
  static override columns = [jobColumns, shardColumns]
  static override exits = [usesJobsFolder]
  static override flags = {
    ...outputFlags,
    limit: listFlags.limit,
    all: listFlags.all,
    journal: textFlag('list the shards in this folder, instead of all jobs', 'DIR'),
  }

  async run() {
    const { flags } = await this.input(List)
    const { jobsIn } = await import('../../cli/bulk/known-jobs.ts')
    const { jobRecord } = await import('../../cli/topics/jobs/job-record.ts')
    const { most, more } = newestOf('jobs', flags, this.show)
    // One more shows that there are more.
    const jobs = await jobsIn(this.host, { journal: flags.journal, most: most + 1 })
    // The undo of a job is in the state folder, wherever the job itself is.
    const undos = flags.journal === undefined ? jobs : await jobsIn(this.host)

    function* records() {
      for (const job of jobs.slice(0, most)) yield jobRecord(job, undos)
    }
    const columns = flags.journal === undefined ? jobColumns : shardColumns
    await this.show.rows(records(), columns, {
      nothing: 'no jobs found',
      more: () => more(jobs.length),
    })
  }
}

import { listNames } from '../base/name-list.ts'
import { formatCount } from '../base/numbers.ts'
import { emptyCounts } from '../bulk/summary.ts'
import { problemsIn } from '../cli/bulk/outcome-records.ts'
import { PromoCommand } from '../cli/command.ts'
import { usesJobsFolder } from '../cli/exits.ts'
import { listFlags, outputFlags } from '../cli/flags/flags.ts'
import { textFlag } from '../cli/flags/kinds.ts'
import { time, timeRangeFrom } from '../cli/flags/time.ts'
import { newestOf } from '../cli/result/listing.ts'
import type { Change } from '../cli/session/history.ts'
import { isOfProject } from '../cli/session/project.ts'
import { changesOf } from '../cli/session/recorded-changes.ts'
import { jobsAbout } from '../cli/topics/history/jobs-about.ts'
import { historyColumns } from '../output/columns/jobs.ts'

export default class History extends PromoCommand {
  static override summary =
    'Show what this computer changed, who, when and why, with values and request ids; newest first'
  static override description =
    'Every write that was tried has a line; a job has one line with its counts. began means: its process still runs, or was killed, so the write may have been applied. Who is PROMO_ACTOR or the user of the computer; why is --reason or PROMO_REASON. Secrets are never recorded. A table shows the newest 50; the other formats are complete. `history undo` sends the inverse of one change.'
  static override examples = [
    'promo history --since 1d',
    'promo history --subject CLUB-001',
    'promo history --profile live --json --query "[?outcome==\'unknown\'].[command, subject, request_id]"',
  ]
  static override effect = 'none' as const
  static override columns = historyColumns
  static override exits = [usesJobsFolder]
  static override flags = {
    ...outputFlags,
    since: time({ description: 'only from this time on, like 2026-01-05, today or 7d' }),
    subject: textFlag('only changes of this object, as the column subject names it', 'ID'),
    profile: textFlag('only changes made with this profile', 'NAME', { char: 'p' }),
    limit: listFlags.limit,
    all: listFlags.all,
  }

  async run() {
    const { flags } = await this.input(History)
    const { since, profile, subject } = flags
    const sinceMs = since === undefined ? undefined : timeRangeFrom(since, await this.clock()).fromMs
    const isTable = this.show.isTable
    const { most, more } = newestOf('changes', flags, this.show)
    // One more shows that there are more.
    const jobs = subject === undefined ? undefined : await jobsAbout(subject, this.host)
    const states = ({ job }: Change) => (job === undefined ? [] : (jobs?.outcomesIn(job) ?? []))
    const served = this.host.profile
    const { changes, damaged } = await changesOf(this.host, {
      sinceMs,
      profile,
      where: (change: Change) =>
        (served === undefined || isOfProject(change, served)) &&
        (subject === undefined || isOf(change, subject) || states(change).length > 0),
      most: most + 1,
    })
    const shown = changes.slice(0, most).map((change) => {
      const of = states(change)
      if (of.length === 0) return change
      const outcomes = `${subject}: ${[...new Set(of)].join(', ')}, of ${formatCount(change.rows ?? 0, 'row')}`
      return { ...change, subject: isTable ? outcomes : (subject as string) }
    })
    await this.show.rows(isTable ? shown.map(forPeople) : shown, History.columns, {
      nothing: 'no changes found',
      more: () => more(changes.length),
    })
    if (jobs !== undefined && jobs.unread.size > 0) {
      const which = `${formatCount(jobs.unread.size, 'job')} whose journals are not in the state folder, or damaged`
      this.show.warn(`not looked into: ${which}: ${listNames([...jobs.unread])}`)
    }
    if (damaged > 0) this.show.warn(`warning: ${formatCount(damaged, 'line')} of the history cannot be read`)
  }
}

/** Whether a change is of an object: what it is called in the command line, in the answer or in the path of the call. */
function isOf({ subject, path = '' }: Change, name: string): boolean {
  return (
    subject === name ||
    subject?.split(' ').includes(name) === true ||
    path.split('/').some((part) => part === encodeURIComponent(name))
  )
}

/** A job is told by its rows, because its id says nothing, and a call without a subject by its path. */
function forPeople(change: Change): Change & { change?: string } {
  if (change.rows === undefined) {
    return { ...change, change: inShort(change), subject: change.subject ?? change.path ?? null }
  }
  const problems = problemsIn({ ...emptyCounts(), ...change.counts })
  const part = change.part_of === undefined ? [] : [`a part of ${change.part_of}`]
  return {
    ...change,
    id: change.job ?? change.id,
    subject: change.subject ?? [formatCount(change.rows, 'row'), ...part, ...problems].join(', '),
  }
}

/** `82 → 142`, `off`, or the member that changed. */
function inShort({ before, after }: Change): string {
  if (typeof after?.balance === 'number')
    return `${typeof before?.balance === 'number' ? before.balance : '?'} → ${after.balance}`
  if (after !== undefined && 'id' in after) return 'created'
  if (after === undefined) return before === undefined ? '' : 'deleted'
  if (typeof after.active === 'boolean') return after.active ? 'on' : 'off'
  const names = Object.keys(after).join(', ')
  // No longer than the other words, so that a line with an id fits 80 columns.
  return names.length <= 'created'.length ? names : 'changed'
}

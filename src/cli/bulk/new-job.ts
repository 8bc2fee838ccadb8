// The job of a command line: a new one made from its input, or the one that was stopped.

import type { Lock } from '../../base/lock.ts'
import { formatCount } from '../../base/numbers.ts'
import type { ResultName } from '../../bulk/input/report-columns.ts'
import { type JobHeader, jobFileAt, lineLockPath, newJobId } from '../../bulk/journal/job.ts'
import { removeJournalFile } from '../../bulk/journal/journal-file.ts'
import { type Shard, shardText } from '../../bulk/shard.ts'
import type { Endpoint } from '../../contract/endpoint.ts'
import { type CheckedRows, facts, spoolRows } from './checked-rows.ts'
import type { BulkDefinition, InputRows } from './definition.ts'
import {
  type CommandContext,
  decisiveFlags,
  type Earlier,
  earlierJob,
  lineChecksum,
  rowsChecksum,
  warningOfRestart,
} from './identity.ts'
import { type JobPlace, lockFor, placeOf, unlocked } from './job-place.ts'
import { jobsFolder } from './known-jobs.ts'
import { projectFacts, workOfJob } from './open-job.ts'
import { countsTwice } from './repeat-policy.ts'
import { changedInput, jobMismatch } from './same-project.ts'
import type { Destination, Work } from './work.ts'

/** Finds the job of a command line, or of the same rows, or prepares a new one; see `newWork`. */
export async function newJob<E extends Endpoint>(
  rows: InputRows,
  bulk: BulkDefinition<E>,
  commanded: CommandContext,
): Promise<Work> {
  const { plan, host } = commanded
  const { shard, isDryRun } = plan
  const { folder, isRestarted } = plan.job
  // ASSUMED A533: the same command line with the same path is the same job, whatever the file holds now; only their
  // contents distinguish two pipes, so a pipe is read before its job is searched for.
  const isPipe = rows.input === '-' && folder === undefined
  const early = isPipe ? await spoolRows(rows, bulk, plan, jobsFolder(host)) : undefined
  const line = lineOf(rows, commanded, isPipe ? rows.sha256() : null)
  const place = placeOf(line, { journal: folder, shard, host })
  const locks: Pick<Lock, 'release'>[] = [isDryRun ? unlocked : await lockFor(place.lockPath, host)]
  const lock = {
    release() {
      for (const one of locks) one.release()
    },
  }
  const resume = ({ path }: { path: string }) => workOfJob({ path, lock, again: 'rest', now: host.now })
  let kept = early
  try {
    await place.mustBeFree()
    const known = isRestarted ? undefined : await place.find()
    const isOwn = known?.header.line === line
    // A list is read again only for a job of its own: the rows of one that is not over are those that were chosen then.
    const isChanged =
      isOwn && (rows.input === 'filter' ? known.isOver : (await sumNow(rows)) !== known.header.input_sha256)
    // A finished job has nothing to resume: other rows in a file of the same name, as every week, are another job.
    if (isOwn && !(isChanged && known.isOver && folder === undefined)) {
      await kept?.close()
      if (!isChanged) return resume(known)
      const header = { ...known.header, name: jobFileAt(known.path).name }
      throw changedInput(header, shownInput(rows), known.isOver)
    }
    const isTwice = countsTwice(bulk.endpoint.repeat)
    const ofRestart = isRestarted && isTwice ? await warningOfRestart(place) : undefined
    const checked = early ?? (await spoolRows(rows, bulk, plan, place.dir))
    kept = checked
    if (isTwice && folder === undefined && !isDryRun) {
      // Two command lines must not begin a job of the same rows at the same time.
      const lock = await lockFor(lineLockPath(place.dir, rowsChecksum(checked, commanded)), host)
      locks.push({ release: () => lock.remove() })
    }
    const isReport = isTwice && checked.applied > 0
    const { same, warnings, ...repeats }: Earlier =
      isRestarted && !isTwice ? { warnings: [] } : await earlierJob({ rows, kept: checked, line }, commanded, place)
    if (same !== undefined) {
      await checked.close()
      if (same.isOver) return resume(same.file)
      // Whoever resumes it takes its own.
      lock.release()
      return {
        ...facts(checked, shard),
        same,
        begin: () => Promise.reject(new TypeError('it is begun')),
        close: async () => {},
      }
    }
    if (known !== undefined && !isOwn) {
      const header = { ...known.header, name: jobFileAt(known.path).name }
      throw jobMismatch(header, `"${place.dir}" holds the journal of another command line`)
    }
    const work = workOfSpool(checked, { lock, place, shard, now: host.now }, (to) =>
      headerOf({ rows, kept: checked, line, commanded, to, bulk }),
    )
    if (isReport)
      warnings.push(
        `${formatCount(checked.applied, 'row')} of the input, which is the report of a job, may be applied already; they count twice`,
      )
    return {
      ...work,
      ...repeats,
      ...(isReport && { repeatsRows: true as const }),
      warnings: [...work.warnings, ...(ofRestart ? [ofRestart] : []), ...warnings],
    }
  } catch (error) {
    await kept?.close()
    lock.release()
    throw error
  }
}

/** Returns the fingerprint of the input as it is now; a pipe has to be read for it. */
async function sumNow({ input, rows, sha256Now }: InputRows): Promise<string> {
  if (input === '-') for await (const _ of rows);
  return await sha256Now()
}

function shownInput({ input, name }: InputRows): string {
  return input === '-' ? 'standard input' : input === 'filter' ? 'filter' : `"${name}"`
}

/** Returns rows that become a job when they are begun, and leave no file when they are not. */
function workOfSpool(
  kept: CheckedRows,
  { lock, place, shard, now }: { lock: Pick<Lock, 'release'>; place: JobPlace; shard: Shard | null; now: () => number },
  headerFor: (to: Destination) => JobHeader,
): Work {
  let job: ReturnType<typeof workOfJob> | undefined
  return {
    ...facts(kept, shard),
    async begin(destination) {
      const to = destination()
      const header = headerFor(to)
      const path = place.pathOf(header.id)
      // Removes the job that had this place before --restart.
      await removeJournalFile(path)
      await kept.publish(path, header)
      job = workOfJob({ path, lock, again: 'rest', now })
      return await job.begin(() => to)
    },
    async close() {
      await kept.close()
      if (job) await job.close()
      else lock.release()
    },
  }
}

function lineOf(rows: InputRows, { line, plan, profile }: CommandContext, sha: string | null): string {
  // A folder of its own identifies the job; the same file may have another path on another computer.
  const input = plan.job.folder === undefined ? rows.input : 'journal'
  return lineChecksum(line, { profile, shard: plan.shard, input, inputSha256: sha })
}

function headerOf(about: {
  rows: InputRows
  kept: CheckedRows
  line: string
  commanded: CommandContext
  to: Destination
  bulk: Pick<BulkDefinition<Endpoint>, 'results' | 'endpoint'>
}): JobHeader {
  const { rows, kept, line, commanded, to, bulk } = about
  const { profile, host, version, undoes } = commanded
  const { shard } = commanded.plan
  const { total, others, duplicates, bad } = kept
  const { place, ...layout } = rows.layout()
  const { columns, titles, csv } = withColumns(layout, bulk.endpoint.drawn ?? [])
  const results = Object.keys(bulk.results ?? {}) as ResultName[]
  const now = new Date(host.now())
  return {
    id: newJobId(now),
    command: commanded.line.command,
    args: commanded.line.args,
    // Not `auto`: the process that resumes the job may not be a task of the scheduler.
    flags: { ...decisiveFlags(commanded.line.flags), ...(shard !== null && { shard: shardText(shard) }) },
    input: rows.input,
    input_sha256: rows.sha256(),
    plan_sha256: to.planSha256,
    ...(kept.requestsSha256 !== undefined && { requests_sha256: kept.requestsSha256 }),
    line,
    ...(place !== undefined && { place }),
    shard,
    profile,
    ...projectFacts(to),
    origin: to.origin,
    repeat: to.repeat,
    rows: { total, others, duplicates, bad },
    promo_version: version,
    created_at: now.toISOString(),
    ...undoes,
    ...(kept.shared.length > 0 && { shared_evidence: kept.shared }),
    ...(results.length > 0 && { results }),
    ...(columns && { columns }),
    ...(titles && { titles }),
    ...(csv && { csv }),
  }
}

/** Adds columns that the input does not have, because each of its rows got a value for them. */
function withColumns(
  { columns, titles, csv }: Pick<JobHeader, 'columns' | 'titles' | 'csv'>,
  drawn: readonly string[],
) {
  const added = drawn.filter((name) => columns?.includes(name) === false)
  return { columns: columns && [...columns, ...added], titles: titles && [...titles, ...added], csv }
}

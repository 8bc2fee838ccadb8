// Opens a job on the disk: the same code for its first run, for a resumed one and for a retry.

import type { DatabaseSync } from 'node:sqlite'
import { isRepeatable } from '../../api/outcome/retry.ts'
import type { Lock } from '../../base/lock.ts'
import { formatNumber } from '../../base/numbers.ts'
import { isShared } from '../../bulk/evidence.ts'
import type { Row } from '../../bulk/input/row.ts'
import { forgetCommits } from '../../bulk/journal/commit-count.ts'
import { headerIn, type JobHeader, jobFileAt, writeHeader } from '../../bulk/journal/job.ts'
import {
  type JournalOptions,
  openJournal,
  type RowSelection,
  rowsLeft,
  rowsToTake,
} from '../../bulk/journal/journal.ts'
import { openJournalFile, watchPlace } from '../../bulk/journal/journal-file.ts'
import { type OutcomeStore, outcomesIn } from '../../bulk/journal/outcome-store.ts'
import { pagesOf } from '../../bulk/journal/row-store.ts'
import { mustBeWhole } from '../../bulk/journal/whole.ts'
import { readPages } from '../../bulk/paged.ts'
import { emptySummary } from '../../bulk/summary.ts'
import type { Repeat } from '../../contract/endpoint.ts'
import { leftOpen, type RowsToRun, selectionOf, settledTally } from './repeat-policy.ts'
import { jobMismatch, mustBeOfProject } from './same-project.ts'
import type { BegunWork, Destination, Work } from './work.ts'

/** A job's file with everything needed to open it. */
export interface FoundJob {
  path: string
  lock: Pick<Lock, 'release'>
  again: RowsToRun
  now: () => number
}

/**
 * Opens a job. `close` releases the lock.
 *
 * Throws `journal` (exit 9) when the file is damaged, and `io` (exit 10).
 */
export function workOfJob({ path, lock, again, now }: FoundJob): Work & { header: JobHeader } {
  const database = openJournalFile(path)
  const header = headerIn(database)
  mustBeWhole(database, header)
  const repeat = header.repeat as Repeat
  const selection = selectionOf(again, repeat)
  const store = outcomesIn(database)
  const tally = store.tally()
  const settled = settledTally(tally, repeat)
  // A row whose request was in flight, and that must not be sent again without consent, will have an unknown outcome.
  const turned = again.includes('unknown') ? settled.counts.unknown - tally.counts.unknown : 0
  const count = again === 'rest' ? rowsLeft(settled, selection) : store.countOf(again) + turned
  const { total } = header.rows
  const { name } = jobFileAt(path)
  const begin = (to: Manner) =>
    beginJob(database, { ...header, name }, selection, to, { now, isInPlace: watchPlace(path) })
  const nothingSent: Manner = { repeat, grouped: false, ahead: false }
  return {
    header,
    total,
    count,
    duplicates: header.rows.duplicates,
    bad: header.rows.bad,
    shard: header.shard,
    others: header.rows.others,
    warnings: [],
    ...(count === 0 && {
      complete: {
        job: header.id,
        name,
        at: lastRun(store) ?? header.created_at,
        summary: emptySummary(total, { before: settled, left: 0 }),
        isPart: again !== 'rest',
        ...(again === 'rest' && !isMarkedDone(store) && { finish: () => begin(nothingSent).end('done') }),
      },
    }),
    notice: `continuing job ${header.id}: ${formatNumber(count)} of ${formatNumber(total)} rows are left`,
    sample: (size) => pagesOf(database)('actable', 0, size).map(({ row }) => row),
    all: () => allRows(database),
    rows: () => rowsToTake(database, selection),
    recorded: () => store.all(),
    async begin(destination) {
      const to = destination()
      // Asked only once: from now on the job belongs to the key of today.
      if (await mustFit({ ...header, name }, to)) writeHeader(database, { ...header, ...projectFacts(to) })
      return begin(to)
    },
    async close() {
      settleFile(database, path)
      lock.release()
    },
  }
}

function* allRows(database: DatabaseSync): Generator<Row, void, undefined> {
  const page = pagesOf(database)
  for (const found of readPages((after, limit) => page('actable', after, limit))) for (const { row } of found) yield row
}

/** How rows are sent, as far as the journal needs to know. */
type Manner = Pick<Destination, 'repeat' | 'grouped' | 'ahead'>

/** Returns whether the last run ended: it was not stopped, and not killed before it could record that. */
export function isMarkedDone(store: Pick<OutcomeStore, 'end'>): boolean {
  return store.end()?.by === 'done'
}

/** Returns when a process last worked on a job. */
function lastRun(store: OutcomeStore): string | undefined {
  const atMs = store.end()?.atMs ?? store.startedAtMs()
  return atMs === null ? undefined : new Date(atMs).toISOString()
}

function beginJob(
  database: DatabaseSync,
  { id, name, shard, rows: { total, others }, shared_evidence: shared = [] }: JobHeader & { name: string },
  selection: RowSelection,
  { repeat, grouped, ahead }: Manner,
  { now, isInPlace }: Pick<JournalOptions, 'now' | 'isInPlace'>,
): BegunWork {
  const journal = openJournal(database, {
    ...selection,
    onOpen: isRepeatable(repeat) ? { again: true } : { again: false, error: leftOpen },
    ahead,
    grouped,
    isInPlace,
    now,
  })
  return {
    job: id,
    name,
    total,
    shard,
    others,
    everyRow: () => journal.rows(),
    journal,
    isShared: (evidence) => isShared(evidence, shared),
    end: (by) => journal.end(by),
  }
}

/** Returns whether only the user could say that it is the same project. */
async function mustFit(header: JobHeader & { name: string }, to: Destination): Promise<boolean> {
  const isAgreed = await mustBeOfProject(header, to, to.consent)
  if (header.plan_sha256 === to.planSha256) return isAgreed
  throw jobMismatch(header, 'the same rows would now be sent as other requests')
}

/** Returns what the header of a job says about its project. */
export function projectFacts({ projects: [project = ''], projectId }: Destination) {
  return { project, ...(projectId !== undefined && { project_id: projectId }) }
}

/** Closes the file of a job and leaves it alone in its folder, without those that are kept next to it while it is written. */
export function settleFile(database: DatabaseSync, path: string): void {
  if (!database.isOpen) return
  try {
    database.exec('PRAGMA journal_mode = DELETE')
    forgetCommits(path)
  } catch {
    // A reader, or a full disk: the files next to it belong to it and are read with it.
  }
  database.close()
}

// Everything about one job, for programs and for people.
import { grouped } from '../../../base/grouped.ts'
import { shellWord } from '../../../base/shell-word.ts'
import { errorsIn, type RowErrors } from '../../../bulk/journal/job-errors.ts'
import { openJournalFile } from '../../../bulk/journal/journal-file.ts'
import type { ReadableJob } from '../../bulk/known-jobs.ts'
import type { CommandClass } from '../../command.ts'
import { commandText } from './command-text.ts'
import { recordOf } from './job-record.ts'
import type { JobStatus } from './state.ts'

const mostErrors = 10

/** Returns the record of a job. Throws `journal` (exit 9) when its file is damaged, and `io` (exit 10). */
export function shownJob(job: ReadableJob, undo: string | undefined, status: JobStatus, Class: CommandClass) {
  const { file, header } = job
  const { counts, changed, unchanged, inFlight } = status.tally
  const { origin, input, input_sha256, repeat, promo_version, rows } = header
  return {
    ...recordOf(job, undo, status),
    command_line: commandText(job, Class),
    origin,
    input,
    input_sha256,
    repeat,
    promo_version,
    duplicates: rows.duplicates,
    bad: rows.bad,
    counts,
    changed,
    unchanged,
    // At most: where it does no harm, rows are recorded as begun before their turn.
    in_flight: inFlight,
    errors: reasonsOf(file.path),
    next: nextSteps(job, status, Class),
  }
}

/** Returns the next steps, each under its keyword; none for a job that ended well, or that cannot be resumed. */
function nextSteps(
  { file }: ReadableJob,
  { state, endedBy, tally }: JobStatus,
  { undo }: Pick<CommandClass, 'undo'>,
): Record<string, string> {
  const job = shellWord(file.name)
  const { counts, changed } = tally
  if (state === 'running') return { follow: `promo jobs show ${job} --follow` }
  if (state === 'undone') return {}
  const reversible = undo === undefined || !('of' in undo) ? 0 : undo.of === 'changed' ? changed : counts.ok
  return {
    ...((counts.pending > 0 || (state === 'stopped' && endedBy === null)) && { resume: `promo jobs resume ${job}` }),
    ...(counts.unknown > 0 && { look: `promo jobs report ${job} --only unknown` }),
    ...(counts.exhausted > 0 && { retry: `promo jobs retry ${job} --only temporary` }),
    ...(counts.failed + counts.conflict + counts.skipped > 0 && {
      report: `promo jobs report ${job} --only failed --only conflict${counts.skipped > 0 ? ' --only skipped' : ''} --csv`,
    }),
    ...(reversible > 0 && { undo: `promo jobs undo ${job}` }),
  }
}

function reasonsOf(path: string): RowErrors[] {
  const database = openJournalFile(path, { readOnly: true })
  try {
    return errorsIn(database, mostErrors)
  } finally {
    database.close()
  }
}

/** Returns the same for people: counts of zero are omitted, and every reason is a sentence. */
export function forPeople({ counts, errors, in_flight: _, ...rest }: ReturnType<typeof shownJob>): object {
  const happened = Object.entries(counts).filter(([, rows]) => rows > 0)
  const sentences = errors.map(({ key, status, rows, line, message }) => [
    status === null ? key : `${status} ${key}`,
    `${grouped(rows)} ${rows === 1 ? 'row' : 'rows'}, the last on line ${line}: ${message}`,
  ])
  return {
    ...rest,
    counts: Object.fromEntries(happened),
    errors: Object.fromEntries(sentences),
  }
}

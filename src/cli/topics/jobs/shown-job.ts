// Everything about one job, for programs and for people.
import { errorsIn, type RowErrors } from '../../../bulk/journal/job-errors.ts'
import { openJournalFile } from '../../../bulk/journal/journal-file.ts'
import type { SoundJob } from '../../bulk/known-jobs.ts'
import type { CommandClass } from '../../run/run.ts'
import { commandText } from './command-text.ts'
import { recordOf } from './job-record.ts'
import { nextSteps } from './next-steps.ts'
import type { Standing } from './state.ts'

const mostErrors = 10

/** Gives the record of a job. Throws `journal` (exit 9) when its file is damaged, and `io` (exit 10). */
export function shownJob(job: SoundJob, undo: SoundJob | undefined, standing: Standing, Class: CommandClass) {
  const { file, header } = job
  const { counts, changed, unchanged, inFlight } = standing.tally
  const { origin, input, input_sha256, repeat, promo_version, rows } = header
  return {
    ...recordOf(job, undo, standing),
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
    // At most: where it does no harm, rows are noted as begun before their turn.
    in_flight: inFlight,
    errors: reasonsOf(file.path),
    next: nextSteps(file.name, standing),
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

/** Gives the same for people: what did not happen is left out, and every reason is a sentence. */
export function forPeople({ counts, errors, in_flight: _, ...rest }: ReturnType<typeof shownJob>): object {
  const happened = Object.entries(counts).filter(([, rows]) => rows > 0)
  const sentences = errors.map(({ key, status, rows, line, message }) => [
    status === null ? key : `${status} ${key}`,
    `${rows.toLocaleString('en')} ${rows === 1 ? 'row' : 'rows'}, the last on line ${line}: ${message}`,
  ])
  return {
    ...rest,
    counts: Object.fromEntries(happened),
    errors: Object.fromEntries(sentences),
  }
}

// Errors of promo's own files on this computer's disk.
import { isSqliteError, reasonOf, whatToDoAbout } from '../../base/sqlite.ts'
import { PromoError } from '../../errors.ts'

/** What names the folder of a journal. */
export const journalSettings = 'PROMO_STATE_DIR, or the folder of the journal,'

/**
 * Returns the error for an exception of SQLite or the file system.
 *
 * `io` (exit 10) for a disk that is full or cannot be written, `journal` (exit 9) for a file that is damaged.
 */
export function storageError(error: unknown, what = 'the rows cannot be kept in the state folder'): PromoError {
  if (error instanceof PromoError) return error
  // The file is not what was written; the first code is for a missing table.
  if (isSqliteError(error, 'error', 'corrupt', 'notADatabase')) return damagedJournal(error.message)
  const { path } = error as NodeJS.ErrnoException
  const where = path === undefined ? '' : ` (${path})`
  return new PromoError('io', `${what}: ${reasonOf(error)}${where}`, {
    hint: whatToDoAbout(error, journalSettings),
    cause: error,
  })
}

/** Returns the error for a journal with content that promo cannot have written. */
export function damagedJournal(
  reason: string,
  hint = 'check with the service what was sent, and send what is missing as a new input',
): PromoError {
  return new PromoError('journal', `the journal is damaged: ${reason}`, { hint })
}

/** Returns the error for the journal of a job that another process removed since it was found. */
export function removedJob(path: string): PromoError {
  return new PromoError('journal', `another process removed the journal "${path}"; nothing was sent`, {
    hint: 'promo jobs list',
  })
}

/** Runs work on the disk; its exceptions become a PromoError. */
export function guardStorage<Result>(work: () => Result, what?: string): Result {
  try {
    return work()
  } catch (error) {
    throw storageError(error, what)
  }
}

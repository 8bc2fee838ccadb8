// What goes wrong with a file of ours on this computer's disk.
import { isSqliteError } from '../../base/sqlite.ts'
import { EXIT, PromoError } from '../../errors.ts'

/**
 * Makes the error for what SQLite or the file system threw.
 *
 * `io` (exit 10) for a disk that is full or cannot be written, `journal` (exit 9) for a file that is damaged.
 */
export function storageError(error: unknown, what = 'the rows cannot be kept in the state folder'): PromoError {
  if (error instanceof PromoError) return error
  const reason = error instanceof Error ? error.message : String(error)
  // The file is not what it was written as; the first code is for a table that is not there.
  if (isSqliteError(error, 'error', 'corrupt', 'notADatabase')) return damaged(reason)
  return new PromoError('io', EXIT.io, `${what}: ${reason}`, {
    hint: 'free some space, or point PROMO_STATE_DIR to another disk',
    cause: error,
  })
}

/** Makes the error for a journal that says something it cannot have been told. */
export function damaged(reason: string): PromoError {
  return new PromoError('journal', EXIT.journal, `the journal is damaged: ${reason}`, {
    hint: 'start again with --restart; what the service shows decides what was done',
  })
}

/** Runs a piece of work on the disk; what it throws becomes a PromoError. */
export function guarded<Result>(work: () => Result, what?: string): Result {
  try {
    return work()
  } catch (error) {
    throw storageError(error, what)
  }
}

// A file that cannot be written: which, why, and for one that a user named what shows or clears the way.
import { accessSync, constants, existsSync, statfsSync } from 'node:fs'
import { dirname } from 'node:path'
import { PromoError } from '../../errors.ts'
import { makeFolderCommand, shellWord } from '../shell-word.ts'
import { allowMoreFiles, noFolders, readReasonOf, reasonOf } from '../sqlite.ts'

/**
 * Turns what the operating system said about a path into an `io` error (exit 10); a PromoError stays as it is.
 *
 * `what` is the sentence that failed; absent: that the path cannot be written.
 */
export function cannotWrite(path: string, error: unknown, what = `cannot write "${path}"`): PromoError {
  if (error instanceof PromoError) return error
  const { code = '' } = error as NodeJS.ErrnoException
  const hint = nextStep(path, code)
  const isClosed = code === 'ENOENT' && !takesFolders(nearestFolder(dirname(path)))
  return new PromoError('io', `${what}: ${isClosed ? noFolders : reasonOf(error)}`, {
    cause: error,
    ...(hint !== undefined && { hint }),
  })
}

/** Returns what the operating system refused, as an `io` error (exit 10); undefined for an error that came from elsewhere. */
export function refusedWrite(error: unknown): PromoError | undefined {
  if (!(error instanceof Error)) return undefined
  const { syscall, code, path } = error as NodeJS.ErrnoException
  if (syscall === undefined || code === undefined) return undefined
  const what = `the computer refused to ${syscall}`
  // A folder that is there needs not be made: something in it was to be read.
  if (path !== undefined && code === 'ENOENT' && existsSync(dirname(path)))
    return new PromoError('io', `${what} "${path}": ${readReasonOf(error)}`, { cause: error })
  return path === undefined ? new PromoError('io', `${what} (${code})`) : cannotWrite(path, error, `${what} "${path}"`)
}

/** Windows replaces no file that a program has open, as a spreadsheet does with what it shows. */
export function openElsewhere(path: string, cause: unknown, what = `cannot write "${path}"`): PromoError {
  return new PromoError('io', `${what}: ${reasonOf({ code: 'EBUSY' })}`, {
    hint: 'close it there, and run the command again',
    cause,
  })
}

function nextStep(path: string, code: string): string | undefined {
  // Of a folder that was to be made there is nothing to show.
  const there = nearestFolder(dirname(path))
  if (code === 'ENOENT' && takesFolders(there)) return makeFolderCommand(dirname(path))
  if (process.platform === 'win32') return undefined
  if (code === 'EMFILE' || code === 'ENFILE') return allowMoreFiles
  if (['ENOENT', 'EACCES', 'EPERM', 'EROFS'].includes(code)) return `ls -ld ${shellWord(there)}`
  return code === 'ENOSPC' || code === 'EDQUOT' ? `df -h ${shellWord(there)}` : undefined
}

function nearestFolder(path: string): string {
  return existsSync(path) || dirname(path) === path ? path : nearestFolder(dirname(path))
}

/** Says whether folders can be made in one: root may write everywhere, and yet makes none in /proc, which has no blocks. */
function takesFolders(path: string): boolean {
  try {
    accessSync(path, constants.W_OK)
    return statfsSync(path).blocks > 0
  } catch {
    return false
  }
}

/** Returns the lines that are told when standard output cannot be written: why, and what to do. */
export function outputLost(error: unknown): string {
  return `promo: standard output cannot be written: ${reasonOf(error)}
try: make room where it leads, or send it elsewhere, and run the same command again
`
}

// The result codes of node:sqlite, and why it or the computer refuses a file.
import { ownValue } from './record.ts'

/** SQLite's primary result codes. Source: https://sqlite.org/rescode.html */
const sqliteCodes = {
  error: 1,
  busy: 5,
  readOnly: 8,
  ioError: 10,
  corrupt: 11,
  full: 13,
  cannotOpen: 14,
  constraint: 19,
  notADatabase: 26,
} as const

/** Extended codes of a lock that the file system refuses: SQLITE_IOERR_LOCK, _RDLOCK, _UNLOCK, _CHECKRESERVEDLOCK, _SHMLOCK. */
const lockCodes: readonly number[] = [3850, 2314, 2058, 3594, 5130]

/**
 * Says whether SQLite failed with one of these primary codes or one of their extended forms. `noLock`, which is also an
 * `ioError`: the file system refused a lock.
 */
export function isSqliteError(error: unknown, ...codes: Array<keyof typeof sqliteCodes | 'noLock'>): error is Error {
  const code = (error as { errcode?: unknown } | null)?.errcode
  if (typeof code !== 'number') return false
  return codes.some((name) => (name === 'noLock' ? lockCodes.includes(code) : sqliteCodes[name] === (code & 0xff)))
}

/** Why a file is refused in `/proc` and places like it. */
export const noFolders = 'no folder can be made there'

const reasons: Record<string, string> = {
  ENOSPC: 'no space left on the disk',
  EDQUOT: 'the disk quota is used up',
  EFBIG: 'the file would be larger than allowed',
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  EROFS: 'the file system is read-only',
  ENOENT: 'its folder does not exist',
  ENOTDIR: 'its folder is a file',
  EEXIST: 'its folder is a file',
  EIO: 'the disk reports an error',
  EBUSY: 'another program has it open',
  EMFILE: 'too many files are open',
  ENFILE: 'too many files are open',
}

/** What to do about too many open files. */
export const allowMoreFiles = 'allow more open files: ulimit -n 1024'

/**
 * Returns why a file was refused, by the operating system or SQLite, in the words of all errors about files; else what
 * it said.
 */
export function reasonOf(error: unknown): string {
  const { code = '', message, syscall } = error as NodeJS.ErrnoException
  // Parents are created with a folder.
  if (code === 'ENOENT' && syscall === 'mkdir') return noFolders
  const known = ownValue(reasons, code) ?? sqliteReasons.find(([name]) => isSqliteError(error, name))?.[1]
  return known ?? message
}

/** Returns why a file cannot be read, without its name, which may be a secret in the wrong place; of an unknown reason its code. */
export function readReasonOf(error: unknown): string {
  const { code } = (error ?? {}) as { code?: unknown }
  if (code === 'ENOENT') return 'there is no such file'
  return typeof code === 'string' ? (ownValue(reasons, code) ?? code) : 'unknown reason'
}

const sqliteReasons = [
  ['full', 'no space left on the disk'],
  ['readOnly', 'permission denied'],
  // SQLite does not tell one from the other.
  ['ioError', 'the disk reports an error, or takes no larger file (ulimit -f)'],
  ['cannotOpen', 'it cannot be opened'],
] as const

/**
 * Returns what to do when one of promo's own files cannot be written: a full disk is not a missing permission. `setting` is what
 * names the folder.
 */
export function whatToDoAbout(error: unknown, setting = 'PROMO_STATE_DIR'): string {
  const { code = '' } = (error ?? {}) as { code?: string }
  // A folder in a place that takes none is reported in any of these ways.
  const isForbidden =
    ['EACCES', 'EPERM', 'EROFS', 'ENOENT', 'ENOTDIR', 'EEXIST'].includes(code) ||
    isSqliteError(error, 'readOnly', 'cannotOpen')
  if (code === 'EMFILE' || code === 'ENFILE') return allowMoreFiles
  const larger = code === 'EFBIG' || isSqliteError(error, 'ioError') ? 'allow larger files (ulimit -f), ' : ''
  const isFull = larger !== '' || ['ENOSPC', 'EDQUOT'].includes(code) || isSqliteError(error, 'full')
  if (isForbidden) return `make its folder writable for you, or point ${setting} to another folder`
  return isFull ? `${larger}free some space, or point ${setting} to another disk` : `point ${setting} to another disk`
}

// node:sqlite, loaded on first use and without its warning, and its result codes.

/**
 * Returns the SQLite module of Node.
 *
 * Node 22 warns on stderr that it is experimental; the part used here is the same in the releases that do not warn.
 */
export function loadSqlite(): typeof import('node:sqlite') {
  const own = Object.getOwnPropertyDescriptor(process, 'emitWarning')
  // Loading is synchronous, so no other warning is lost and no second load can interfere.
  process.emitWarning = () => {}
  try {
    return process.getBuiltinModule('node:sqlite')
  } finally {
    if (own) Object.defineProperty(process, 'emitWarning', own)
    else Reflect.deleteProperty(process, 'emitWarning')
  }
}

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
  const isFull = ['ENOSPC', 'EDQUOT', 'EFBIG'].includes(code) || isSqliteError(error, 'full', 'ioError')
  if (isForbidden) return `make its folder writable for you, or point ${setting} to another folder`
  return isFull ? `free some space, or point ${setting} to another disk` : `point ${setting} to another disk`
}

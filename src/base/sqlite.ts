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
export const sqliteCodes = {
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

/** Says whether SQLite failed with one of these primary codes or one of their extended forms. */
export function isSqliteError(error: unknown, ...codes: Array<keyof typeof sqliteCodes>): error is Error {
  const code = (error as { errcode?: unknown } | null)?.errcode
  return typeof code === 'number' && codes.some((name) => sqliteCodes[name] === (code & 0xff))
}

/** Returns what to do when one of promo's own files cannot be written: a full disk is not a missing permission. */
export function whatToDoAbout(error: unknown): string {
  const { code = '' } = (error ?? {}) as { code?: string }
  // A folder in a place that takes none is reported in any of these ways.
  const isForbidden =
    ['EACCES', 'EPERM', 'EROFS', 'ENOENT', 'ENOTDIR', 'EEXIST'].includes(code) ||
    isSqliteError(error, 'readOnly', 'cannotOpen')
  const isFull = ['ENOSPC', 'EDQUOT', 'EFBIG'].includes(code) || isSqliteError(error, 'full', 'ioError')
  if (isForbidden) return 'make its folder writable for you, or point PROMO_STATE_DIR to another folder'
  return isFull ? 'free some space, or point PROMO_STATE_DIR to another disk' : 'point PROMO_STATE_DIR to another disk'
}

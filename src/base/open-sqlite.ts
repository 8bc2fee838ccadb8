// node:sqlite, loaded on first use and without its warning, and opening what may have other files beside it.
import { lstatSync } from 'node:fs'
import type { DatabaseSync, DatabaseSyncOptions } from 'node:sqlite'
import { pathToFileURL } from 'node:url'
import { refuseSharedFile } from './files/privacy.ts'

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

/** What is added to the name of a database for the files that SQLite reads and writes beside it, whatever they are. */
export const companionSuffixes = ['-wal', '-shm', '-journal']

/**
 * Opens a database whose own file the caller has examined; with `mustExist` SQLite does not create it where it is gone.
 *
 * Throws `config` (exit 4) for a file beside it that is no file, or that others own or can change, and what SQLite throws.
 */
export function openSqlite(path: string, { mustExist = false, ...options }: OpenOptions = {}): DatabaseSync {
  for (const suffix of companionSuffixes) {
    const stat = lstatSync(`${path}${suffix}`, { throwIfNoEntry: false })
    if (stat !== undefined) refuseSharedFile(`${path}${suffix}`, stat, { readable: true })
  }
  return new (loadSqlite().DatabaseSync)(mustExist ? existing(path) : path, options)
}

interface OpenOptions extends DatabaseSyncOptions {
  mustExist?: boolean
}

/** Source: https://sqlite.org/uri.html */
function existing(path: string): URL | string {
  const url = pathToFileURL(path)
  url.searchParams.set('mode', 'rw')
  // It knows no other computers, as Windows has them in paths.
  return url.host === '' ? url : path
}

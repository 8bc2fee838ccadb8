// The file of a database: who can touch it, whether it is a sandbox, and whether it is complete.
import { chmodSync, closeSync, constants, lstatSync, openSync, readSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { identityOf } from '../../base/files/identity.ts'
import { ownRules, refuseSharedFile } from '../../base/files/privacy.ts'
import { makeFolder } from '../../base/folder.ts'
import { companionSuffixes } from '../../base/open-sqlite.ts'
import { shellWord } from '../../base/shell-word.ts'
import { reasonOf, whatToDoAbout } from '../../base/sqlite.ts'
import { PromoError } from '../../errors.ts'
import { SandboxError } from '../sandbox-error.ts'

/** 'PRMO': distinguishes a sandbox file from other SQLite databases. */
export const applicationId = 0x50524d4f

/** What names the file, in a next step. */
export const settings = 'PROMO_STATE_DIR, or the data file,'

/**
 * Returns the paths of a data file: the file itself, the log with its latest writes, the index of
 * that, and the journal of a change of the header.
 */
export function dataFiles(file: string): string[] {
  return ['', ...companionSuffixes].map((ending) => `${file}${ending}`)
}

/**
 * Creates the file and its folder if missing, accessible to their owner only.
 *
 * Throws SandboxError: `not-a-sandbox` for any other file, in which nothing is changed, and `file-access`; PromoError `config`
 * (exit 4) for a file that others own or can change, and for a link.
 */
export function prepareFile(file: string): void {
  try {
    for (const path of dataFiles(file)) refuseOthers(path, path === file)
    if (isForeign(file)) throw notASandbox(file)
    makeFolder(dirname(file))
    // SQLite creates -wal and -shm with the mode of the file, so the mode must be right before SQLite opens it.
    closeSync(openSync(file, 'a', 0o600))
    for (const path of dataFiles(file)) {
      const stat = statSync(path, { throwIfNoEntry: false })
      if (stat !== undefined && (stat.mode & 0o077) !== 0 && !ownRules().allowInsecure) chmodSync(path, 0o600)
    }
  } catch (error) {
    if (error instanceof SandboxError || error instanceof PromoError) throw error
    throw inaccessible(file, 'created or read', error)
  }
}

function refuseOthers(path: string, isDataFile: boolean): void {
  const stat = lstatSync(path, { throwIfNoEntry: false })
  // A folder or a device is no sandbox file, which is said elsewhere; read access is withdrawn.
  if (stat === undefined || (isDataFile && !stat.isSymbolicLink() && !stat.isFile())) return
  refuseSharedFile(path, stat, { readable: true })
}

// Where SQLite's header has the way it is written (2: with a log), the version and the number that an application gave the file.
// Source: https://sqlite.org/fileformat.html
const [writeVersionAt, userVersionAt, applicationIdAt] = [18, 60, 68]
const headerBytes = 100

/** Returns the header of a file, what there is of it; undefined where it cannot be read, which those report who open it. */
function headerOf(file: string): Buffer | undefined {
  let descriptor: number | undefined
  try {
    descriptor = openSync(file, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0))
    const header = Buffer.alloc(headerBytes)
    return header.subarray(0, readSync(descriptor, header, 0, headerBytes, 0))
  } catch {
    return undefined
  } finally {
    if (descriptor !== undefined) closeSync(descriptor)
  }
}

/** Reads the header by itself: SQLite would switch journals, and create files next to the file, before it could tell. */
function isForeign(file: string): boolean {
  const facts = statSync(file, { throwIfNoEntry: false })
  if (facts === undefined || (facts.isFile() && facts.size === 0)) return false
  if (!facts.isFile()) return true
  const header = headerOf(file)
  if (header === undefined) return false
  const isSqlite = header.length === headerBytes && header.toString('latin1').startsWith('SQLite format 3')
  return !isSqlite || header.readUInt32BE(applicationIdAt) !== applicationId
}

/** Returns whether a file is a data file, complete in itself. */
export function isDataFile(file: string): boolean {
  return !isForeign(file) && headerOf(file)?.[writeVersionAt] === 1
}

/** The header of SQLite's log, without a commit after it. */
const emptyLogBytes = 32

/** Another process that closes the file deletes the log first, and changes the header next. */
const looks = 10

/** Refuses a file whose header says that its latest writes are in a log that is not there. */
export function mustBeComplete(file: string): void {
  for (let look = 1; lacksItsLog(file); look += 1) {
    if (look === looks)
      throw new SandboxError(
        'incomplete',
        `"${file}" is not complete: it was copied while a sandbox had it open, or its log "${file}-wal", which has the latest writes, is lost`,
        {
          hint: `copy it again after that sandbox has stopped, or start over: promo sandbox reset --data ${shellWord(file)}`,
        },
      )
    pause(20)
  }
}

/** Returns whether the header says that the latest writes are in the log, which is not there or empty. */
export function lacksItsLog(file: string): boolean {
  const header = headerOf(file)
  if (header === undefined || header.length < headerBytes) return false
  const isOpen = header[writeVersionAt] === 2
  // Before version 3 the header said so of closed files too.
  if (!isOpen || header.readUInt32BE(userVersionAt) < 3) return false
  return isLogEmpty(file)
}

/** Returns whether the log beside a file has no commit. */
export function isLogEmpty(file: string): boolean {
  return (statSync(`${file}-wal`, { throwIfNoEntry: false })?.size ?? 0) <= emptyLogBytes
}

/** Returns a function that throws when the file or its log is no longer the one that is open: writes would be lost. */
export function placeOf(file: string): () => void {
  if (file === ':memory:') return () => {}
  const paths = [file, `${file}-wal`]
  const identities = () => paths.map(identityOf)
  const opened = identities()
  return () => {
    const at = identities().findIndex((identity, index) => identity !== opened[index])
    if (at === -1) return
    throw new SandboxError('file-access', `"${paths[at]}" was deleted or replaced while the sandbox had it open`, {
      hint: 'stop this sandbox, put the file back where it was moved, and start it again',
    })
  }
}

/** Blocks the thread. */
export function pause(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms)
}

/** Refuses a file of other content. */
export function notASandbox(file: string, cause?: unknown): SandboxError {
  return new SandboxError('not-a-sandbox', `"${file}" is not a sandbox file, or is damaged`, { cause })
}

/** Reports what the system refused. */
export function inaccessible(file: string, what: string, cause: unknown): SandboxError {
  const message = `the sandbox file "${file}" cannot be ${what}: ${reasonOf(cause)}`
  return new SandboxError('file-access', message, { hint: whatToDoAbout(cause, settings), cause })
}

// What is written under a temporary name beside its target, and gets the target's name when it is complete. A writer that is killed
// leaves its temporary file: the next writer in the folder removes it.
import { randomUUID } from 'node:crypto'
import {
  closeSync,
  fchmodSync,
  fsyncSync,
  linkSync,
  lstatSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'

// SQLite has companions beside a database; conf, which writes the settings, has names of its own.
const form =
  /^(?:\.promo-[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\.tmp(-wal|-shm|-journal)?|(config|credentials)\.json\.tmp-\d{10}[0-9a-f]{6})$/
const dayMs = 86_400_000

/** Returns a name beside a file that nobody knows, so that nobody can have put a link there; its dot hides it from readers of folders. */
export function temporaryBeside(path: string): string {
  return join(dirname(path), `.promo-${randomUUID()}.tmp`)
}

/** Removes promo's temporary files from a folder that nothing was written to for so long: their writers are gone. Never throws. */
export function removeLeftovers(folder: string, olderThanMs = dayMs): void {
  for (const name of namesIn(folder)) {
    if (!form.test(name)) continue
    const path = join(folder, name)
    try {
      const facts = lstatSync(path)
      if (facts.isFile() && Date.now() - facts.mtimeMs > olderThanMs) rmSync(path)
    } catch {
      // Another process was faster, or may remove it and this one may not.
    }
  }
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    // The writer says what is wrong with the folder.
    return []
  }
}

/**
 * Replaces a file, whole or not at all: it and its name are on the disk before this returns, and its mode is the given one.
 *
 * Throws the error of the file system; the file is then as it was.
 */
export function replaceFile(path: string, contents: string | Uint8Array, mode: number): void {
  under(path, contents, mode, (temporary) => renameSync(temporary, path))
}

/** Creates a file, whole or not at all, as `replaceFile` does. Throws EEXIST where something has its name. */
export function createFile(path: string, contents: string | Uint8Array, mode: number): void {
  under(path, contents, mode, (temporary) => moveToFree(temporary, path))
}

/** Gives a complete file a name that nothing has. Throws EEXIST where something has it. */
export function moveToFree(temporary: string, path: string): void {
  try {
    linkSync(temporary, path)
    rmSync(temporary)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') throw error
    // A file system without links.
    if (lstatSync(path, { throwIfNoEntry: false }) !== undefined) {
      throw Object.assign(new Error('it is there already'), { code: 'EEXIST', path })
    }
    renameSync(temporary, path)
  }
}

function under(path: string, contents: string | Uint8Array, mode: number, name: (temporary: string) => void): void {
  const temporary = temporaryBeside(path)
  const file = openSync(temporary, 'wx', mode)
  try {
    try {
      // A file for its owner alone is that whatever the umask.
      if (mode === 0o600) fchmodSync(file, mode)
      // Not writeSync: on a full disk it writes a part, and says so by a number alone.
      writeFileSync(file, contents)
      fsyncSync(file)
    } finally {
      closeSync(file)
    }
    name(temporary)
  } catch (error) {
    rmSync(temporary, { force: true })
    throw error
  }
  syncName(dirname(path))
}

/** A name in a folder survives a loss of power once the folder is synced, which Windows neither needs nor allows. */
export function syncName(folder: string): void {
  if (process.platform === 'win32') return
  const file = openSync(folder, 'r')
  try {
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
}

// `--out FILE`: written completely or not at all.
// Source: docs/reliability.md#secrets; docs/reliability.md#terminal-and-files; docs/reliability.md#node-facts.

import { access, constants, type FileHandle, lstat, open, rename, unlink } from 'node:fs/promises'
import { dirname, join, win32 } from 'node:path'
import { cannotWrite, openElsewhere } from '../base/files/cannot-write.ts'
import { isHeldOpen } from '../base/files/held.ts'
import { removeLeftovers, temporaryBeside } from '../base/files/temporary.ts'
import { syncFolder } from '../base/folder.ts'
import { shellWord } from '../base/shell-word.ts'
import { usageError } from '../errors.ts'
import type { Format } from './shape.ts'
import type { Writer } from './write.ts'

/**
 * Opens a temporary file next to the target, which is renamed to the target only when everything is on disk.
 *
 * Only the owner can read the file: codes are worth money. On failure nothing is left behind and an existing file is
 * untouched. Throws `usage` for a target that is not a regular file, and `io` with the path for whatever the operating
 * system refuses.
 */
export async function outFile(path: string, signal?: AbortSignal): Promise<Writer> {
  await mustBeReplaceable(path)
  removeLeftovers(dirname(path))
  const temporary = temporaryBeside(path)
  const file = await orCannotWrite(path, () => open(temporary, 'wx', 0o600))

  let writing = Promise.resolve()

  return {
    // One text is being written while the next is made; a failure rejects the next call.
    async write(text) {
      signal?.throwIfAborted()
      await writing
      writing = orCannotWrite(path, () => writeAll(file, typeof text === 'string' ? Buffer.from(text) : text))
      writing.catch(() => {})
    },
    async finish() {
      await writing
      await orCannotWrite(path, async () => {
        await file.sync()
        await file.close()
      })
      // Another process may have put something else there in the meantime.
      await mustBeReplaceable(path)
      signal?.throwIfAborted()
      await orCannotWrite(path, async () => {
        await rename(temporary, path).catch((error: unknown) => {
          throw isHeldOpen(error) ? openElsewhere(path, error) : error
        })
        await syncFolder(dirname(path))
      })
    },
    async abandon() {
      await writing.catch(() => {})
      await file.close().catch(() => {})
      await unlink(temporary).catch(() => {})
    },
  }
}

/**
 * Checks that a file could be created at a path: its folder is writable, and a rename would replace a regular file or
 * nothing.
 *
 * Throws `usage` for a folder, a symbolic link or a device, and `io` for a folder that is missing or not accessible.
 */
export async function mustBeReplaceable(path: string, platform: NodeJS.Platform = process.platform): Promise<void> {
  if (platform === 'win32') refuseWindowsDevice(path)
  const target = await lstat(path).catch(() => undefined)
  // Only root may write where devices are, and what is no file is refused to everyone in the same way.
  if (!target || target.isFile())
    // The slash at the end: a file is not a folder, even if it is writable.
    return await orCannotWrite(path, () => access(`${dirname(path)}/`, constants.W_OK))
  if (target.isDirectory())
    throw usageError(`cannot write "${path}": it is a folder`, `--out ${shellWord(join(path, 'FILE'))}`)
  if (target.isSymbolicLink()) {
    throw usageError(`cannot write "${path}": it is a symbolic link`, 'name the file it points to')
  }
  throw usageError(`cannot write "${path}": it is not a regular file`, `promo … > ${shellWord(path)}`)
}

/** Throws `usage` for the name of a workbook that this format is not: no spreadsheet opens a text under such a name. */
export function mustBeNamedFor(path: string, format: Format | 'file'): void {
  const [, ending] = /\.(xlsx?|xlsm|ods)$/i.exec(path) ?? []
  if (ending === undefined || (format === 'xlsx' && ending.toLowerCase() === 'xlsx')) return
  const other = (name: string) => shellWord(path.replace(/\.[^.]+$/, `.${name}`))
  throw usageError(
    `cannot write "${path}": no spreadsheet opens ${format === 'xlsx' ? 'an xlsx workbook' : 'a text'} under that name`,
    format === 'file' ? `--out ${other('csv')}` : `--format xlsx --out ${other('xlsx')}`,
  )
}

/** Windows lets such files be made next to others, and no program can open them: the name means a device in every folder. */
function refuseWindowsDevice(path: string): void {
  const name = win32.basename(path)
  if (/^(con|prn|aux|nul|conin\$|conout\$|(com|lpt)[1-9\u00B9\u00B2\u00B3])(\..*| *)$/i.test(name))
    throw usageError(`cannot write "${path}": Windows reserves that name for a device`, 'give the file another name')
  // What follows a colon would be a second, hidden content of a file.
  if (name.includes(':'))
    throw usageError(`cannot write "${path}": a name has no colon on Windows`, 'give the file another name')
}

/** A write may be partial, which only its count shows. */
async function writeAll(file: FileHandle, bytes: Uint8Array): Promise<void> {
  for (let at = 0; at < bytes.length; ) {
    const { bytesWritten } = await file.write(bytes, at)
    at += bytesWritten
  }
}

async function orCannotWrite<Value>(path: string, act: () => Promise<Value>): Promise<Value> {
  try {
    return await act()
  } catch (error) {
    throw cannotWrite(path, error)
  }
}

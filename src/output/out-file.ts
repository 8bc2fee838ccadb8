// `--out FILE`: whole or not at all.
// Source: docs/reliability.md#secrets; docs/reliability.md#terminal-and-files; docs/reliability.md#node-facts.
import { randomUUID } from 'node:crypto'
import { access, constants, type FileHandle, lstat, open, rename, unlink } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { EXIT, PromoError, usageError } from '../errors.ts'
import type { Writer } from './write.ts'

/**
 * Opens a temporary file beside the target, which takes the target's name only when everything is on disk.
 *
 * The file can be read by its owner alone: codes are worth money. On failure nothing is left behind and an existing
 * file is untouched. Throws `usage` for a target that is no regular file, and `io` with the path for whatever the
 * operating system refuses.
 */
export async function outFile(path: string, signal?: AbortSignal): Promise<Writer> {
  await mustBeReplaceable(path)
  const temporary = join(dirname(path), `.${basename(path)}.${randomUUID()}.tmp`)
  const file = await orCannotWrite(path, () => open(temporary, 'wx', 0o600))

  let writing = Promise.resolve()

  return {
    // One text is on its way to the disk while the next is made; a failure is told to whoever comes next.
    async write(text) {
      signal?.throwIfAborted()
      await writing
      writing = orCannotWrite(path, () => writeAll(file, Buffer.from(text)))
      writing.catch(() => {})
    },
    async finish() {
      await writing
      await orCannotWrite(path, async () => {
        await file.sync()
        await file.close()
      })
      // Somebody may have put something else there while we wrote.
      await mustBeReplaceable(path)
      signal?.throwIfAborted()
      await orCannotWrite(path, async () => {
        await rename(temporary, path)
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
 * Makes sure that a file could be put at a path: its folder can be written to, and what a rename would replace is a
 * regular file or nothing.
 *
 * Throws `usage` for a folder, a symbolic link or a device, and `io` for a folder that is missing or closed to us.
 */
export async function mustBeReplaceable(path: string): Promise<void> {
  const target = await orCannotWrite(path, async () => {
    // The stroke at the end: a file is no folder, however writable.
    await access(`${dirname(path)}/`, constants.W_OK)
    return lstat(path).catch(() => undefined)
  })
  if (!target || target.isFile()) return
  if (target.isDirectory()) throw usageError(`cannot write "${path}": it is a folder`, `--out ${join(path, 'FILE')}`)
  if (target.isSymbolicLink()) {
    throw usageError(`cannot write "${path}": it is a symbolic link`, 'name the file it points to')
  }
  throw usageError(`cannot write "${path}": it is no regular file`, `promo … > ${path}`)
}

/** A write may take only a part and say so in no other way than its count. */
async function writeAll(file: FileHandle, bytes: Buffer): Promise<void> {
  for (let at = 0; at < bytes.length; ) {
    const { bytesWritten } = await file.write(bytes, at)
    at += bytesWritten
  }
}

async function syncFolder(path: string): Promise<void> {
  // Windows cannot open a folder; its rename is on disk without it.
  if (process.platform === 'win32') return
  const folder = await open(path, 'r')
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}

const reasons: Record<string, string> = {
  ENOSPC: 'no space left on the disk',
  EDQUOT: 'the disk quota is used up',
  EFBIG: 'the file would be larger than allowed',
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  EROFS: 'the file system is read-only',
  ENOENT: 'its folder does not exist',
  ENOTDIR: 'its folder is a file',
  EIO: 'the disk reports an error',
}

async function orCannotWrite<Value>(path: string, act: () => Promise<Value>): Promise<Value> {
  try {
    return await act()
  } catch (error) {
    const { code = '', message } = error as NodeJS.ErrnoException
    throw new PromoError('io', EXIT.io, `cannot write "${path}": ${reasons[code] ?? message}`, {
      cause: error,
      ...(code === 'ENOENT' && { hint: `mkdir -p ${dirname(path)}` }),
    })
  }
}

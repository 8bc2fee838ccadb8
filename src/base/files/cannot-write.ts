// A file that a user named and that cannot be written: which, why, and what shows or clears the way.
import { accessSync, constants, existsSync, statfsSync } from 'node:fs'
import { dirname } from 'node:path'
import { EXIT, PromoError } from '../../errors.ts'
import { ownValue } from '../record.ts'
import { makeFolderCommand, shellWord } from '../shell-word.ts'

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
}

/**
 * Turns what the operating system said about a path into an `io` error (exit 10); a PromoError stays as it is.
 *
 * `what` is the sentence that failed; absent: that the path cannot be written.
 */
export function cannotWrite(path: string, error: unknown, what = `cannot write "${path}"`): PromoError {
  if (error instanceof PromoError) return error
  const { code = '', message } = error as NodeJS.ErrnoException
  const hint = nextStep(path, code)
  return new PromoError('io', EXIT.io, `${what}: ${ownValue(reasons, code) ?? message}`, {
    cause: error,
    ...(hint !== undefined && { hint }),
  })
}

/** Windows replaces no file that a program has open, as a spreadsheet does with what it shows. */
export function openElsewhere(path: string, cause: unknown, what = `cannot write "${path}"`): PromoError {
  return new PromoError('io', EXIT.io, `${what}: ${reasons.EBUSY}`, {
    hint: 'close it there, and run the command again',
    cause,
  })
}

function nextStep(path: string, code: string): string | undefined {
  const there = nearestFolder(dirname(path))
  if (code === 'ENOENT' && takesFolders(there)) return makeFolderCommand(dirname(path))
  if (process.platform === 'win32') return undefined
  if (code === 'ENOENT') return `ls -ld ${shellWord(there)}`
  const folder = shellWord(dirname(path))
  if (code === 'EACCES' || code === 'EPERM' || code === 'EROFS') return `ls -ld ${folder}`
  return code === 'ENOSPC' || code === 'EDQUOT' ? `df -h ${folder}` : undefined
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

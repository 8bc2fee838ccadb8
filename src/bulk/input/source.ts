// Reads the bytes of an input: a file that must not change meanwhile, or a stream that is piped in.
import type { BigIntStats } from 'node:fs'
import { readdir, stat } from 'node:fs/promises'
import { devNull } from 'node:os'
import { basename, dirname, join, resolve } from 'node:path'
import { addAbortSignal, type Readable } from 'node:stream'
import { openNamed } from '../../base/files/named-file.ts'
import { readReasonOf } from '../../base/sqlite.ts'
import { PromoError } from '../../errors.ts'
import { inputError, visible } from './input-error.ts'

export interface Source {
  /** A path, or `-` for the stream. */
  from: string
  stdin: Readable & { isTTY?: boolean }
  /** Stops reading; the reason of the signal is thrown. */
  signal?: AbortSignal
  /** More than this is refused: for what is held in memory as a whole. */
  limitBytes?: number
  /** Receives every piece as it was read, for a fingerprint of the input. */
  onPiece?: (piece: Buffer) => void
}

/** Returns the name of a source in messages. */
export function sourceName(from: string): string {
  return from === '-' ? 'standard input' : `"${visible(from)}"`
}

/**
 * Reads the bytes of a source, in pieces.
 *
 * Throws `input` (exit 2) for a terminal, a folder, a device, a file that is missing or may not be read, more bytes than
 * the limit, and a regular file whose size, time or inode is different at the end; `io` (exit 10) when reading fails. A FIFO is read like a stream, and waits for its writer until the signal.
 */
export async function* readSource({ onPiece, limitBytes = Infinity, ...source }: Source): AsyncGenerator<Buffer> {
  let lengthBytes = 0
  for await (const piece of bytesOf(source)) {
    lengthBytes += piece.length
    if (lengthBytes > limitBytes) {
      throw inputError(
        `${sourceName(source.from)} is longer than ${inWords(limitBytes)}`,
        'check that it is the right one, or split it',
      )
    }
    onPiece?.(piece)
    yield piece
  }
}

async function* bytesOf({ from, stdin, signal }: Source): AsyncGenerator<Buffer> {
  signal?.throwIfAborted()
  if (from === '-') {
    if (stdin.isTTY) {
      throw inputError('standard input is a terminal, there is nothing to read', 'pipe the rows in, or use --from FILE')
    }
    yield* piecesOf(signal ? addAbortSignal(signal, stdin) : stdin, from, signal)
    return
  }
  const file = await openNamed(from, signal).catch((error) => {
    signal?.throwIfAborted()
    return cannotRead(from, error)
  })
  // Who names it means that there is nothing.
  if (from === devNull) throw inputError(`${sourceName(from)} is empty`)
  if ('oddKind' in file) throw inputError(`${sourceName(from)} is ${file.oddKind}, not a file`)
  yield* piecesOf(file.bytes, from, signal)
  if (file.stats.isFile()) await mustBeUnchanged(from, file.stats)
}

async function* piecesOf(
  stream: AsyncIterable<Buffer | string>,
  from: string,
  signal: AbortSignal | undefined,
): AsyncGenerator<Buffer> {
  try {
    for await (const piece of stream) yield typeof piece === 'string' ? Buffer.from(piece) : piece
  } catch (error) {
    signal?.throwIfAborted()
    // Some files of the kernel wait for more like a pipe, such as /proc/kmsg.
    if (codeOf(error) === 'EAGAIN') throw inputError(`${sourceName(from)} has no end, so it is not a file`)
    throw new PromoError('io', `reading ${sourceName(from)} failed: ${readReasonOf(error)}`, { cause: error })
  }
}

/** Checks the name and not the open file: an editor that saves by renaming leaves the open file as it was. */
async function mustBeUnchanged(from: string, before: BigIntStats): Promise<void> {
  const now = await stat(from, { bigint: true }).catch(() => undefined)
  const unchanged = now?.size === before.size && now.mtimeNs === before.mtimeNs && now.ino === before.ino
  if (!unchanged) {
    throw inputError(`${sourceName(from)} changed while it was read`, 'run the command again when it is complete')
  }
}

async function cannotRead(from: string, error: unknown): Promise<never> {
  const hint = codeOf(error) === 'ENOENT' ? await nearbyFile(from) : undefined
  throw inputError(`cannot read ${sourceName(from)}: ${readReasonOf(error)}`, hint, error)
}

/** Returns what to do about a file that is not there: its name misspelt, or its folder. */
async function nearbyFile(from: string): Promise<string> {
  const folder = dirname(from)
  const names = await readdir(folder).catch(() => undefined)
  if (names === undefined) return `check the path: there is no folder "${visible(folder)}" either`
  const { nearest } = await import('../../base/nearest.ts')
  const near = nearest(basename(from), names)
  return near === undefined
    ? `check the path: it is looked for in ${visible(resolve(folder))}`
    : `did you mean "${visible(join(folder, near))}"?`
}

function inWords(bytes: number): string {
  return bytes < 1024 * 1024 ? `${bytes / 1024} KiB` : `${bytes / 1024 / 1024} MiB`
}

function codeOf(error: unknown): string | undefined {
  return (error as NodeJS.ErrnoException | undefined)?.code
}
